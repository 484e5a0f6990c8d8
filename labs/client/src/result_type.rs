//! Is a result final?
//!
//! From 2026-07-28 every result says what kind it is (Base Protocol, ResultType). Absent means complete, because servers
//! of the session era do not know the member; a kind that the client does not know makes the result invalid.

use lab_protocol::Object;
use lab_protocol::lifecycle::{COMPLETE, INPUT_REQUIRED};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::error::ClientError;

#[derive(Deserialize)]
struct Kind {
    #[serde(rename = "resultType")]
    result_type: Option<Value>,
    #[serde(rename = "inputRequests")]
    input_requests: Option<Object>,
}

// ANCHOR: result_type
/// Lets a complete result through.
///
/// # Errors
/// When the server needs input first, or the kind is unknown.
pub fn completed(
    server: &str,
    method: &str,
    result: Box<RawValue>,
) -> Result<Box<RawValue>, ClientError> {
    let unexpected = |error: serde_json::Error| ClientError::UnexpectedResult {
        server: server.to_owned(),
        method: method.to_owned(),
        reason: error.to_string(),
    };
    let kind: Kind = serde_json::from_str(result.get()).map_err(unexpected)?;
    match &kind.result_type {
        None => Ok(result),
        Some(name) if name == COMPLETE => Ok(result),
        Some(name) if name == INPUT_REQUIRED => Err(ClientError::InputRequired {
            server: server.to_owned(),
            method: method.to_owned(),
            asked: asked(kind.input_requests.as_ref()),
            result,
        }),
        Some(name) => Err(ClientError::UnknownResultType {
            server: server.to_owned(),
            method: method.to_owned(),
            result_type: name.to_string(),
        }),
    }
}
// ANCHOR_END: result_type

/// What the server asks for, in words.
fn asked(requests: Option<&Object>) -> Vec<String> {
    let Some(requests) = requests else {
        return vec!["nothing but another try".to_owned()];
    };
    requests
        .iter()
        .map(|(key, request)| {
            let method = request["method"].as_str().unwrap_or("unknown");
            format!("{key} ({method})")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;

    use super::completed;
    use crate::error::ClientError;

    fn read(text: &str) -> Result<Box<RawValue>, ClientError> {
        let raw = RawValue::from_string(text.to_owned()).expect("JSON");
        completed("shop", "tools/call", raw)
    }

    #[test]
    fn a_result_without_a_kind_counts_as_complete() {
        assert!(read(r#"{"content":[]}"#).is_ok());
        assert!(read(r#"{"resultType":"complete"}"#).is_ok());
    }

    #[test]
    fn an_unknown_kind_is_an_error_that_shows_it() {
        for kind in ["\"task\"", "null ", "7", "\"Complete\""] {
            let error = read(&format!(r#"{{"resultType":{kind}}}"#));
            // A null is an absent member to serde; the specification does not speak of it.
            if kind.starts_with("null") {
                assert!(error.is_ok());
                continue;
            }
            let words = error.expect_err("unknown").to_string();
            assert!(words.contains(kind), "{words}");
        }
    }

    #[test]
    fn a_server_that_needs_input_is_an_error_that_says_what_it_asks() {
        let error = read(
            r#"{"resultType":"input_required","inputRequests":{"size":{"method":"elicitation/create","params":{"message":"Which size?","requestedSchema":{"type":"object","properties":{}}}}}}"#,
        )
        .expect_err("not complete");
        assert!(
            error.to_string().contains("size (elicitation/create)"),
            "{error}"
        );
    }
}
