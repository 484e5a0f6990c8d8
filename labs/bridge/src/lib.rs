//! MCP on one side, function calling on the other.
//!
//! The host uses this crate between its clients and its model: tools go one way, calls come back, results go the
//! same way again. The model never learns that MCP exists; a server never learns which model calls. Nothing here
//! does input or output, and it compiles to WebAssembly.
//!
//! ```
//! use lab_bridge::{Bridge, Format};
//! use lab_protocol::Tool;
//!
//! let tools: Vec<Tool> = serde_json::from_str(
//!     r#"[{"name":"query_order","description":"Looks up an order.","inputSchema":{"type":"object","properties":{}}}]"#,
//! )?;
//! let bridge = Bridge::new(Format::OpenAiChat, &tools);
//! assert_eq!(bridge.definitions()[0]["function"]["name"], "query_order");
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! Reading order: [`function_tool`] (the translation itself), [`schema`] (the little that a format forbids),
//! [`name`] (names that a format forbids), [`reply`] (results and both kinds of failure as words), [`call`] (what
//! a model asks for), and [`Bridge`], which ties them to one list of tools.

pub mod call;
pub mod function_tool;
pub mod name;
pub mod reply;
pub mod schema;

use lab_protocol::Tool;
use serde_json::Value;

pub use call::ModelCall;
pub use function_tool::{to_anthropic_tool, to_function_tool, to_responses_tool};
pub use name::NameMap;
pub use reply::Reply;

/// The form in which a model's service wants its tools, as the services document it in December 2026.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// OpenAI, Chat Completions.
    OpenAiChat,
    /// OpenAI, Responses.
    OpenAiResponses,
    /// Anthropic, Messages.
    Anthropic,
}

impl Format {
    /// All of them, in the order in which the course shows them.
    pub const ALL: [Self; 3] = [Self::OpenAiChat, Self::OpenAiResponses, Self::Anthropic];

    /// Reads the name that command lines and pages use: `openai`, `responses`, `anthropic`.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "openai" => Some(Self::OpenAiChat),
            "responses" => Some(Self::OpenAiResponses),
            "anthropic" => Some(Self::Anthropic),
            _ => None,
        }
    }
}

/// One list of tools, translated for one format, with the way back.
#[derive(Clone, Debug)]
pub struct Bridge {
    format: Format,
    names: NameMap,
    definitions: Vec<Value>,
}

impl Bridge {
    /// Translates a list of tools. The order stays, which keeps a model's prompt cache warm.
    pub fn new(format: Format, tools: &[Tool]) -> Self {
        let names = NameMap::new(tools.iter().map(|tool| tool.name.as_str()));
        let definitions = tools
            .iter()
            .map(|tool| {
                let mut tool = tool.clone();
                tool.name = names.to_model(&tool.name).to_owned();
                match format {
                    Format::OpenAiChat => to_function_tool(&tool),
                    Format::OpenAiResponses => to_responses_tool(&tool),
                    Format::Anthropic => to_anthropic_tool(&tool),
                }
            })
            .collect();
        Self {
            format,
            names,
            definitions,
        }
    }

    /// What the model is given.
    pub fn definitions(&self) -> &[Value] {
        &self.definitions
    }

    /// The calls in a message of the model, with the names that the servers know.
    pub fn calls(&self, message: &Value) -> Vec<ModelCall> {
        let mut calls = call::calls(self.format, message);
        for call in &mut calls {
            if let Some(name) = self.names.to_server(&call.name) {
                name.clone_into(&mut call.name);
            }
        }
        calls
    }

    /// The message that brings a reply back to the model.
    pub fn reply(&self, call_id: &str, reply: &Reply) -> Value {
        reply.to_message(self.format, call_id)
    }
}
