//! How does a server ask the host's model? (Deprecated from 2026-07-28.)

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Object;
use crate::content::{BinaryContent, ContentBlock, Role, TextContent};
use crate::tool::Tool;

/// What the model is asked (client/sampling).
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CreateMessageParams {
    /// The conversation.
    pub messages: Vec<SamplingMessage>,
    /// Which model would suit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_preferences: Option<ModelPreferences>,
    /// What stands before the conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_prompt: Option<String>,
    /// What of the host's context to add.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub include_context: Option<String>,
    /// How varied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<serde_json::Number>,
    /// How long at the most, in tokens.
    pub max_tokens: i64,
    /// Where to stop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_sequences: Option<Vec<String>>,
    /// For the model's service.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Object>,
    /// Tools that the model may use (from 2025-11-25).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<Tool>>,
    /// Whether it must (from 2025-11-25).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_choice: Option<ToolChoice>,
}

/// Whether the model may, must or must not use tools.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct ToolChoice {
    /// `auto`, `required` or `none`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
}

/// Which model would suit.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelPreferences {
    /// Names or parts of names, the best first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hints: Option<Vec<ModelHint>>,
    /// From 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_priority: Option<serde_json::Number>,
    /// From 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed_priority: Option<serde_json::Number>,
    /// From 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intelligence_priority: Option<serde_json::Number>,
}

/// A name, or a part of one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct ModelHint {
    /// The name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// One message of the conversation.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct SamplingMessage {
    /// Who says it.
    pub role: Role,
    /// One piece, or several (from 2025-11-25).
    pub content: OneOrMany<SamplingContent>,
    /// Free for extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Object>,
}

/// One piece, or a list of them.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(untagged)]
pub enum OneOrMany<T> {
    /// A list.
    Many(Vec<T>),
    /// One.
    One(T),
}

/// A piece of the conversation.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum SamplingContent {
    /// Words.
    Text(TextContent),
    /// A picture.
    Image(BinaryContent),
    /// Sound.
    Audio(BinaryContent),
    /// The model wants a tool (from 2025-11-25).
    ToolUse(ToolUse),
    /// What the tool gave (from 2025-11-25).
    ToolResult(ToolResult),
}

/// The model wants a tool.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct ToolUse {
    /// Ties the result to it.
    pub id: String,
    /// Which tool.
    pub name: String,
    /// With what.
    pub input: Object,
    /// Free for extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Object>,
}

/// What the tool gave.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolResult {
    /// Which use it answers.
    pub tool_use_id: String,
    /// For the model.
    pub content: Vec<ContentBlock>,
    /// For programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structured_content: Option<Value>,
    /// Whether it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_error: Option<bool>,
    /// Free for extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Object>,
}

/// What the model said.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CreateMessageResult {
    /// Who says it: the model.
    pub role: Role,
    /// One piece, or several (from 2025-11-25).
    pub content: OneOrMany<SamplingContent>,
    /// Which model it was.
    pub model: String,
    /// Why it stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<String>,
    /// Free for extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Object>,
}
