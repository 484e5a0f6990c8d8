//! What does a model ask for?

use lab_protocol::Object;
use serde_json::Value;

use crate::Format;

/// One call that a model wants made.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelCall {
    /// The model's id for it; the reply must bear it.
    pub id: String,
    /// Which tool.
    pub name: String,
    /// With what; the text itself where the model wrote no JSON object.
    pub arguments: Result<Object, String>,
}

// ANCHOR: calls
/// The calls in one message (or, for Responses, one output list) of the model. A model writes its arguments: at OpenAI they are JSON inside a string, and nothing guarantees
/// that the string holds an object.
pub fn calls(format: Format, message: &Value) -> Vec<ModelCall> {
    match format {
        Format::OpenAiChat => items(&message["tool_calls"])
            .map(|call| ModelCall {
                id: text(&call["id"]),
                name: text(&call["function"]["name"]),
                arguments: object(&call["function"]["arguments"]),
            })
            .collect(),
        Format::OpenAiResponses => items(message)
            .filter(|item| item["type"] == "function_call")
            .map(|call| ModelCall {
                id: text(&call["call_id"]),
                name: text(&call["name"]),
                arguments: object(&call["arguments"]),
            })
            .collect(),
        Format::Anthropic => items(&message["content"])
            .filter(|block| block["type"] == "tool_use")
            .map(|call| ModelCall {
                id: text(&call["id"]),
                name: text(&call["name"]),
                arguments: object(&call["input"]),
            })
            .collect(),
    }
}
// ANCHOR_END: calls

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn object(value: &Value) -> Result<Object, String> {
    match value {
        Value::Object(object) => Ok(object.clone()),
        // A call without arguments arrives as an empty string from some models.
        Value::String(text) if text.trim().is_empty() => Ok(Object::new()),
        Value::String(text) => serde_json::from_str(text).map_err(|_| text.clone()),
        other => Err(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::calls;
    use crate::Format;

    #[test]
    fn the_same_call_is_read_from_every_format() {
        let chat = json!({ "role": "assistant", "tool_calls": [{
            "id": "c1", "type": "function",
            "function": { "name": "query_order", "arguments": "{\"order_id\":\"SO20260901\"}" }
        }]});
        let responses = json!([
            { "type": "reasoning", "summary": [] },
            { "type": "function_call", "call_id": "c1", "name": "query_order", "arguments": "{\"order_id\":\"SO20260901\"}" }
        ]);
        let anthropic = json!({ "role": "assistant", "content": [
            { "type": "text", "text": "Let me look." },
            { "type": "tool_use", "id": "c1", "name": "query_order", "input": { "order_id": "SO20260901" } }
        ]});
        let read = calls(Format::OpenAiChat, &chat);
        assert_eq!(read.len(), 1);
        assert_eq!(read, calls(Format::OpenAiResponses, &responses));
        assert_eq!(read, calls(Format::Anthropic, &anthropic));
    }

    #[test]
    fn arguments_that_are_no_object_are_kept_as_the_model_wrote_them() {
        let message = json!({ "tool_calls": [{ "id": "c", "function": { "name": "f", "arguments": "{\"order_id\": SO1" } }] });
        assert_eq!(
            calls(Format::OpenAiChat, &message)[0].arguments,
            Err("{\"order_id\": SO1".to_owned())
        );
    }
}
