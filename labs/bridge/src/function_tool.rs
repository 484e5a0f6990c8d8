//! How does an MCP tool become a tool that a model can call?
//!
//! By copying. `inputSchema` is a JSON Schema, and a JSON Schema is what function calling has always wanted; the
//! three formats differ in the name of the member and in what stands around it.

use lab_protocol::Tool;
use serde_json::{Value, json};

use crate::schema::parameters;

// ANCHOR: to_function_tool
/// OpenAI, Chat Completions: the function stands inside `function`.
pub fn to_function_tool(tool: &Tool) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": tool.name,
            "description": description(tool),
            "parameters": parameters(&tool.input_schema),
        }
    })
}
// ANCHOR_END: to_function_tool

// ANCHOR: to_responses_tool
/// OpenAI, Responses: the same, flat. `strict` is on there unless one says otherwise, and strict mode does not
/// take every schema; an MCP server promises nothing about it, so the schema goes through as it is.
pub fn to_responses_tool(tool: &Tool) -> Value {
    json!({
        "type": "function",
        "name": tool.name,
        "description": description(tool),
        "parameters": parameters(&tool.input_schema),
        "strict": false,
    })
}
// ANCHOR_END: to_responses_tool

// ANCHOR: to_anthropic_tool
/// Anthropic, Messages: the schema is called `input_schema`.
pub fn to_anthropic_tool(tool: &Tool) -> Value {
    json!({
        "name": tool.name,
        "description": description(tool),
        "input_schema": parameters(&tool.input_schema),
    })
}
// ANCHOR_END: to_anthropic_tool

// ANCHOR: description
/// The words that the model chooses by. A tool may come without any (they are optional in every revision), and
/// then the name is all that the model has to go on; the title is better than nothing.
fn description(tool: &Tool) -> &str {
    tool.description
        .as_deref()
        .or(tool.title.as_deref())
        .unwrap_or_default()
}
// ANCHOR_END: description

#[cfg(test)]
mod tests {
    use lab_protocol::Tool;
    use serde_json::json;

    use super::{to_anthropic_tool, to_function_tool, to_responses_tool};

    fn query_order() -> Tool {
        serde_json::from_value(json!({
            "name": "query_order",
            "description": "Looks up one order.",
            "inputSchema": {
                "type": "object",
                "properties": { "order_id": { "type": "string", "pattern": "^SO\\d{8}$" } },
                "required": ["order_id"],
                "additionalProperties": false
            }
        }))
        .expect("a tool")
    }

    #[test]
    fn the_schema_is_copied_into_every_format() {
        let tool = query_order();
        let schema = serde_json::to_value(&tool.input_schema).expect("a schema");
        assert_eq!(to_function_tool(&tool)["function"]["parameters"], schema);
        assert_eq!(to_responses_tool(&tool)["parameters"], schema);
        assert_eq!(to_anthropic_tool(&tool)["input_schema"], schema);
    }

    #[test]
    fn a_tool_without_a_description_shows_its_title() {
        let mut tool = query_order();
        tool.description = None;
        tool.title = Some("Query an order".to_owned());
        assert_eq!(to_anthropic_tool(&tool)["description"], "Query an order");
    }
}
