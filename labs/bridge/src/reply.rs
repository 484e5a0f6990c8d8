//! What does the model read after a call?
//!
//! A call can end in three ways, and the model needs words for each. The tool did its work: a result. The tool
//! ran and failed: a result with `isError`. The call never reached the tool: a JSON-RPC error, or no connection.
//! A bridge that handles one of them only hands the model an empty sentence, and the model turns in circles.

use lab_protocol::resource::ResourceBody;
use lab_protocol::{CallToolResult, ContentBlock, ErrorObject};
use serde_json::{Value, json};

use crate::Format;

/// The most bytes of words that a model is given for one call, unless the host says otherwise.
pub const USUAL_LIMIT: usize = 100_000;

/// What the model reads after a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The words.
    pub words: String,
    /// Whether the call failed, in either way.
    pub failed: bool,
}

impl Reply {
    // ANCHOR: from_result
    /// The tool ran. Whether it succeeded stands in `isError`; the words are for the model either way.
    pub fn from_result(result: &CallToolResult, limit: usize) -> Self {
        let mut parts: Vec<String> = result.content.iter().map(words_of).collect();
        // Some servers put everything into `structuredContent` and leave `content` empty.
        if parts.is_empty()
            && let Some(structured) = &result.structured_content
        {
            parts.push(structured.to_string());
        }
        let failed = result.is_error == Some(true);
        if parts.iter().all(String::is_empty) {
            parts = vec![if failed {
                "The tool failed and did not say why.".to_owned()
            } else {
                "The tool succeeded and returned nothing.".to_owned()
            }];
        }
        Self {
            words: shortened(parts.join("\n"), limit),
            failed,
        }
    }
    // ANCHOR_END: from_result

    // ANCHOR: from_error
    /// The call never reached the tool: an unknown name, parameters that are none, a server that broke.
    pub fn from_error(error: &ErrorObject) -> Self {
        Self {
            words: format!(
                "The call failed before the tool ran: {} (code {}).",
                error.message, error.code
            ),
            failed: true,
        }
    }

    /// The server could not be reached, or went away. `what` says so in a sentence.
    pub fn from_broken_connection(what: &str) -> Self {
        Self {
            words: format!("The tool is not available now: {what}"),
            failed: true,
        }
    }
    // ANCHOR_END: from_error

    // ANCHOR: to_message
    /// The message that brings the words to the model, tied to its call by the call's id.
    pub fn to_message(&self, format: Format, call_id: &str) -> Value {
        match format {
            Format::OpenAiChat => json!({
                "role": "tool",
                "tool_call_id": call_id,
                "content": self.words,
            }),
            Format::OpenAiResponses => json!({
                "type": "function_call_output",
                "call_id": call_id,
                "output": self.words,
            }),
            Format::Anthropic => json!({
                "type": "tool_result",
                "tool_use_id": call_id,
                "content": self.words,
                "is_error": self.failed,
            }),
        }
    }
    // ANCHOR_END: to_message
}

/// One piece of content as words. What a model cannot read here is named, so that nothing is lost unsaid.
fn words_of(block: &ContentBlock) -> String {
    match block {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Image(image) => left_out("image", &image.mime_type, image.data.len()),
        ContentBlock::Audio(audio) => left_out("audio", &audio.mime_type, audio.data.len()),
        ContentBlock::ResourceLink(link) => format!("[resource {}: {}]", link.name, link.uri),
        ContentBlock::Resource(embedded) => match &embedded.resource.body {
            ResourceBody::Text(text) => format!("[resource {}]\n{text}", embedded.resource.uri),
            ResourceBody::Blob(blob) => left_out(
                &embedded.resource.uri,
                embedded
                    .resource
                    .mime_type
                    .as_deref()
                    .unwrap_or("unknown type"),
                blob.len(),
            ),
        },
    }
}

/// `base64` is the length of the encoded text; three bytes stand in four characters.
fn left_out(what: &str, mime_type: &str, base64: usize) -> String {
    format!(
        "[{what} left out: {mime_type}, about {} bytes]",
        base64 / 4 * 3
    )
}

/// Cuts at a character's border and says how much is missing.
fn shortened(words: String, limit: usize) -> String {
    if words.len() <= limit {
        return words;
    }
    let end = (0..=limit)
        .rev()
        .find(|end| words.is_char_boundary(*end))
        .unwrap_or(0);
    format!(
        "{}\n[shortened: {} of {} bytes shown]",
        &words[..end],
        end,
        words.len()
    )
}

#[cfg(test)]
mod tests {
    use lab_protocol::{CallToolResult, ErrorObject};
    use serde_json::json;

    use super::{Reply, USUAL_LIMIT};
    use crate::Format;

    fn result(value: serde_json::Value) -> CallToolResult {
        serde_json::from_value(value).expect("a result")
    }

    #[test]
    fn a_failed_tool_and_a_failed_call_both_reach_the_model_as_words() {
        let tool = Reply::from_result(&CallToolResult::failure("no order SO20269999"), USUAL_LIMIT);
        assert_eq!(
            tool,
            Reply {
                words: "no order SO20269999".into(),
                failed: true
            }
        );
        let call = Reply::from_error(&ErrorObject::invalid_params("Unknown tool: refund"));
        assert!(
            call.failed
                && call.words.contains("Unknown tool: refund")
                && call.words.contains("-32602")
        );
    }

    #[test]
    fn mixed_content_becomes_words_and_names_what_is_left_out() {
        let reply = Reply::from_result(
            &result(json!({ "content": [
                { "type": "text", "text": "Label:" },
                { "type": "image", "data": "AAAABBBB", "mimeType": "image/png" },
                { "type": "resource", "resource": { "uri": "shop://terms", "text": "30 days" } },
                { "type": "resource_link", "uri": "shop://label", "name": "label" }
            ]})),
            USUAL_LIMIT,
        );
        assert_eq!(
            reply.words,
            "Label:\n[image left out: image/png, about 6 bytes]\n[resource shop://terms]\n30 days\n[resource label: shop://label]"
        );
    }

    #[test]
    fn structured_content_alone_is_read_as_json() {
        let reply = Reply::from_result(
            &result(json!({ "content": [], "structuredContent": { "status": "shipped" } })),
            USUAL_LIMIT,
        );
        assert_eq!(reply.words, r#"{"status":"shipped"}"#);
    }

    #[test]
    fn an_empty_result_still_says_something() {
        assert!(
            !Reply::from_result(&CallToolResult::default(), USUAL_LIMIT)
                .words
                .is_empty()
        );
        assert!(
            Reply::from_result(&CallToolResult::failure(""), USUAL_LIMIT)
                .words
                .contains("failed")
        );
    }

    #[test]
    fn a_result_of_five_megabytes_keeps_to_the_limit_and_says_so() {
        let reply = Reply::from_result(&CallToolResult::text("订".repeat(1_700_000)), 1_000);
        assert!(reply.words.len() < 1_100, "{}", reply.words.len());
        assert!(
            reply
                .words
                .ends_with("[shortened: 999 of 5100000 bytes shown]")
        );
    }

    #[test]
    fn only_anthropic_has_a_flag_for_failure() {
        let reply = Reply {
            words: "no".into(),
            failed: true,
        };
        assert_eq!(reply.to_message(Format::Anthropic, "c1")["is_error"], true);
        assert_eq!(
            reply.to_message(Format::OpenAiChat, "c1"),
            json!({ "role": "tool", "tool_call_id": "c1", "content": "no" })
        );
    }
}
