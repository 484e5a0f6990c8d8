//! Exercise 2: how does an MCP tool become a tool that a model can call?
//!
//! The function below gives the model a name and a hollow schema. The model can call the tool, but it cannot know
//! that an order number is wanted, so it calls with no arguments at all. Hand on what the server said.

use lab_protocol::Tool;
use serde_json::{Value, json};

/// The tool as OpenAI's Chat Completions wants it.
pub fn to_function_tool(tool: &Tool) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            // Here the schema is lost. `tool` has it.
            "parameters": {},
        }
    })
}
