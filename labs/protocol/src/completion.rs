//! What could the person be about to type?

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::meta::{RequestMeta, ResultMeta};

/// The parameters of `completion/complete` (server/utilities/completion).
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct CompleteParams {
    /// What the request says about itself.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<RequestMeta>,
    /// Of what.
    #[serde(rename = "ref")]
    pub reference: CompletionReference,
    /// Which argument, as typed so far.
    pub argument: CompletionArgument,
    /// What is filled in already (from 2025-06-18).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<CompletionContext>,
}

/// A prompt or a resource template.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(tag = "type")]
pub enum CompletionReference {
    /// A prompt by its name.
    #[serde(rename = "ref/prompt")]
    Prompt {
        /// The name.
        name: String,
        /// For people.
        #[serde(skip_serializing_if = "Option::is_none")]
        title: Option<String>,
    },
    /// A resource template by its URI.
    #[serde(rename = "ref/resource")]
    Resource {
        /// The URI or the template.
        uri: String,
    },
}

/// An argument as typed so far.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct CompletionArgument {
    /// Its name.
    pub name: String,
    /// What is typed.
    pub value: String,
}

/// What is filled in already.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct CompletionContext {
    /// Other arguments by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<BTreeMap<String, String>>,
}

/// The result of `completion/complete`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CompleteResult {
    /// `complete` from 2026-07-28; absent before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_type: Option<String>,
    /// What was found.
    pub completion: Completion,
    /// Free for extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<ResultMeta>,
}

/// Suggestions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Completion {
    /// At most 100.
    pub values: Vec<String>,
    /// How many there are in all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
    /// Whether there are more than these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_more: Option<bool>,
}
