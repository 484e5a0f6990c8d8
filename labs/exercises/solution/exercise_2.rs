//! Exercise 2: how does an MCP tool become a tool that a model can call?

use lab_protocol::Tool;
use serde_json::{Value, json};

/// `inputSchema` is a JSON Schema, and a JSON Schema is what `parameters` wants. So it is copied.
pub fn to_function_tool(tool: &Tool) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.input_schema,
        }
    })
}
