//! What came of a call, as a model reads it, and what the scripted model says to it?

use lab_bridge::Reply;
use lab_bridge::reply::USUAL_LIMIT;
use lab_client::ClientError;
use lab_host::scripted;
use lab_protocol::CallToolResult;

pub use lab_host::scripted::Language;

/// What came of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// `result`, `tool_error`, `protocol_error` or `connection_error`.
    pub kind: &'static str,
    /// What a model is given.
    pub words: String,
    /// What the scripted model says, from those words alone.
    pub answer: String,
}

impl Outcome {
    /// Sorts what came back into the ways in which a call can end, and gives the model its words.
    pub fn of(result: Result<CallToolResult, ClientError>, language: Language) -> Self {
        let (kind, reply) = match result {
            Ok(result) => {
                let reply = Reply::from_result(&result, USUAL_LIMIT);
                (if reply.failed { "tool_error" } else { "result" }, reply)
            }
            Err(ClientError::Rejected { error, .. }) => {
                ("protocol_error", Reply::from_error(&error))
            }
            Err(error) => (
                "connection_error",
                Reply::from_broken_connection(&error.to_string()),
            ),
        };
        Self {
            kind,
            answer: scripted::answer(&reply.words, language),
            words: reply.words,
        }
    }
}

/// Reads the language of a page: `zh` in any form is Chinese, everything else English.
pub fn language(lang: &str) -> Language {
    if lang.starts_with("zh") {
        Language::Chinese
    } else {
        Language::English
    }
}

#[cfg(test)]
mod tests {
    use lab_client::{ClientError, TransportError};
    use lab_protocol::{CallToolResult, ErrorObject};

    use super::{Outcome, language};

    fn answer(result: Result<CallToolResult, ClientError>, lang: &str) -> (&'static str, String) {
        let outcome = Outcome::of(result, language(lang));
        (outcome.kind, outcome.answer)
    }

    #[test]
    fn an_order_that_is_shipped_is_said_to_be_shipped_in_both_languages() {
        let result = || {
            Ok(CallToolResult::text(
                r#"{"order_id":"SO20260901","status":"shipped"}"#,
            ))
        };
        assert_eq!(
            answer(result(), "en"),
            ("result", "Order SO20260901 has shipped.".to_owned())
        );
        assert_eq!(
            answer(result(), "zh-CN"),
            ("result", "订单 SO20260901 已发货。".to_owned())
        );
    }

    #[test]
    fn the_last_event_of_a_shipment_is_told() {
        let words = r#"{"order_id":"SO20260901","events":[{"date":"2026-09-01","place":"Shanghai","event":"picked up"},{"date":"2026-09-03","place":"Hangzhou","event":"out for delivery"}]}"#;
        let (_, english) = answer(Ok(CallToolResult::text(words)), "en");
        assert!(english.contains("Hangzhou") && english.contains("out for delivery"));
    }

    #[test]
    fn every_kind_of_failure_reaches_the_answer_in_words() {
        let rejected = ClientError::Rejected {
            server: "shop".into(),
            method: "tools/call".into(),
            error: Box::new(ErrorObject::invalid_params("Unknown tool: refund")),
        };
        let gone = TransportError::NoAnswer {
            server: "shop".into(),
        };
        for (result, kind, part) in [
            (
                Ok(CallToolResult::failure("no order SO20269999")),
                "tool_error",
                "SO20269999",
            ),
            (Err(rejected), "protocol_error", "Unknown tool"),
            (Err(gone.into()), "connection_error", "closed the stream"),
        ] {
            let (found, words) = answer(result, "en");
            assert_eq!(found, kind);
            assert!(words.contains(part), "{words}");
        }
    }
}
