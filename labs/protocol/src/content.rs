//! What can a result or a message consist of?

use serde::{Deserialize, Serialize};

use crate::Object;
use crate::resource::{Resource, ResourceContents};

/// One piece of content (server/tools, Tool Result).
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ContentBlock {
    /// Words.
    Text(TextContent),
    /// A picture.
    Image(BinaryContent),
    /// Sound (from 2025-03-26).
    Audio(BinaryContent),
    /// The address of a resource (from 2025-06-18).
    ResourceLink(Box<Resource>),
    /// A resource itself.
    Resource(EmbeddedResource),
}

impl ContentBlock {
    /// Words without annotations.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(TextContent {
            text: text.into(),
            annotations: None,
            meta: None,
        })
    }
}

/// Words.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct TextContent {
    /// The words.
    pub text: String,
    /// For whom, and how important.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// Free for extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Object>,
}

/// A picture or a sound.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BinaryContent {
    /// Base64.
    pub data: String,
    /// `image/png`, `audio/wav`.
    pub mime_type: String,
    /// For whom, and how important.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// Free for extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Object>,
}

/// A resource inside a result.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct EmbeddedResource {
    /// The resource.
    pub resource: ResourceContents,
    /// For whom, and how important.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// Free for extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Object>,
}

/// For whom a piece of content is, and how important.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Annotations {
    /// The person, the model, or both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audience: Option<Vec<Role>>,
    /// From 0 (can be left out) to 1 (must be there).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<serde_json::Number>,
    /// ISO 8601 (from 2025-06-18).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
}

/// Who speaks, or for whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person.
    User,
    /// The model.
    Assistant,
}
