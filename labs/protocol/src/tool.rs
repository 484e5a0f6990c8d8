//! What is a tool, and how is it listed and called?
//!
//! `inputSchema` is an ordinary JSON Schema, the same thing that function calling uses. Chapter 9 rests on that.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Object;
use crate::content::ContentBlock;
use crate::input::InputResponses;
use crate::lifecycle::{Caching, Icon};
use crate::meta::{RequestMeta, ResultMeta};

// ANCHOR: tool
/// A tool as `tools/list` gives it (server/tools, Tool).
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tool {
    /// Unique within its server.
    pub name: String,
    /// For people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// For the model: what it does, when to use it, when not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The arguments; the root has `type: "object"`.
    pub input_schema: Object,
    /// The structured result, where the tool promises one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Object>,
    /// Hints about its effects; not to be trusted from a server that is not trusted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<ToolAnnotations>,
    /// Pictures of it (from 2025-11-25).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icons: Option<Vec<Icon>>,
    /// Free for extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Object>,
}
// ANCHOR_END: tool

/// Hints about a tool's effects. An absent hint has a default, and the default is the careful one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolAnnotations {
    /// For people; [`Tool::title`] goes before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Changes nothing. Default: false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_only_hint: Option<bool>,
    /// May destroy. Default: true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destructive_hint: Option<bool>,
    /// Twice is as once. Default: false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotent_hint: Option<bool>,
    /// Deals with a world outside. Default: true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_world_hint: Option<bool>,
}

/// The parameters of every `…/list`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct ListParams {
    /// What the request says about itself.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<RequestMeta>,
    /// Where the last page ended; opaque.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// The result of `tools/list`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListToolsResult {
    /// `complete` from 2026-07-28; absent before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_type: Option<String>,
    /// One page of tools.
    pub tools: Vec<Tool>,
    /// Where to go on; absent on the last page. An empty string is a cursor like any other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
    /// How long the list may be kept.
    #[serde(flatten)]
    pub caching: Caching,
    /// Free for extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<ResultMeta>,
}

/// The parameters of `tools/call`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CallToolParams {
    /// What the request says about itself.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<RequestMeta>,
    /// Which tool.
    pub name: String,
    /// With what; an object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Object>,
    /// Answers to what the server asked for in its last result (from 2026-07-28).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_responses: Option<InputResponses>,
    /// The server's own note from its last result, unchanged (from 2026-07-28).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_state: Option<String>,
}

// ANCHOR: call_tool_result
/// The result of `tools/call`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CallToolResult {
    /// `complete` from 2026-07-28; absent before, which counts as complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_type: Option<String>,
    /// What came of it, for the model.
    pub content: Vec<ContentBlock>,
    /// The same for programs: an object up to 2025-11-25, any JSON from 2026-07-28.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structured_content: Option<Value>,
    /// True when the tool ran and failed. The model should read why, so this is a result and no error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_error: Option<bool>,
    /// Free for extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<ResultMeta>,
}
// ANCHOR_END: call_tool_result

impl CallToolResult {
    /// A success in words.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            content: vec![ContentBlock::text(text)],
            ..Self::default()
        }
    }

    /// A failure of the tool's business, in words that a model can act on.
    pub fn failure(text: impl Into<String>) -> Self {
        Self {
            is_error: Some(true),
            ..Self::text(text)
        }
    }
}
