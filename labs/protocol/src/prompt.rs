//! What is a prompt, and how is it listed and filled in?

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Object;
use crate::content::{ContentBlock, Role};
use crate::input::InputResponses;
use crate::lifecycle::{Caching, Icon};
use crate::meta::{RequestMeta, ResultMeta};

/// A template, chosen by the person (server/prompts).
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Prompt {
    /// Unique within its server.
    pub name: String,
    /// For people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What can be filled in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Vec<PromptArgument>>,
    /// Pictures of it (from 2025-11-25).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icons: Option<Vec<Icon>>,
    /// Free for extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Object>,
}

/// A gap in a template.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct PromptArgument {
    /// Its name.
    pub name: String,
    /// For people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What belongs there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether it must be filled in. Default: false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
}

/// One message of a filled-in template.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct PromptMessage {
    /// Who says it.
    pub role: Role,
    /// What is said.
    pub content: ContentBlock,
}

/// The result of `prompts/list`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListPromptsResult {
    /// `complete` from 2026-07-28; absent before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_type: Option<String>,
    /// One page.
    pub prompts: Vec<Prompt>,
    /// Where to go on; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
    /// How long the list may be kept.
    #[serde(flatten)]
    pub caching: Caching,
    /// Free for extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<ResultMeta>,
}

/// The parameters of `prompts/get`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GetPromptParams {
    /// What the request says about itself.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<RequestMeta>,
    /// Which.
    pub name: String,
    /// With what; every value is a string.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<BTreeMap<String, String>>,
    /// Answers to what the server asked for (from 2026-07-28).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_responses: Option<InputResponses>,
    /// The server's own note, unchanged (from 2026-07-28).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_state: Option<String>,
}

/// The result of `prompts/get`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GetPromptResult {
    /// `complete` from 2026-07-28; absent before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_type: Option<String>,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The template, filled in.
    pub messages: Vec<PromptMessage>,
    /// Free for extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<ResultMeta>,
}
