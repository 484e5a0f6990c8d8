//! How do the two sides learn who the other is and what it can do?
//!
//! Session era: `initialize`, its result, `notifications/initialized` (2025-11-25, Lifecycle). Stateless era:
//! `server/discover`, which a client may call and a server must answer (2026-07-28, Discovery).

use serde::{Deserialize, Serialize};

use crate::Object;
use crate::meta::{RequestMeta, ResultMeta};

/// Name and version of a piece of software. Self-reported: for display and logs, never for decisions.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Implementation {
    /// For programs.
    pub name: String,
    /// For people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The software's own version, not the protocol's.
    pub version: String,
    /// What it is (from 2025-11-25).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Where to read about it (from 2025-11-25).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub website_url: Option<String>,
    /// Pictures of it (from 2025-11-25).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icons: Option<Vec<Icon>>,
}

impl Implementation {
    /// A name and a version.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            title: None,
            version: version.into(),
            description: None,
            website_url: None,
            icons: None,
        }
    }
}

/// A picture of a server, tool, resource or prompt (from 2025-11-25).
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Icon {
    /// An `https:` or `data:` URI; a client refuses every other scheme.
    pub src: String,
    /// The type, where the server's is missing or too general.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// `48x48`, or `any` for one that scales.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sizes: Option<Vec<String>>,
    /// `light` or `dark`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theme: Option<String>,
}

/// What a server may ask of this client. It is no mirror of [`ServerCapabilities`]: the two sets answer two
/// different questions and are never intersected.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct ClientCapabilities {
    /// Can ask the person: `{}` means by form (from 2025-06-18).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elicitation: Option<Object>,
    /// Can ask the host's model (deprecated from 2026-07-28).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sampling: Option<Object>,
    /// Can name the folders to work in (deprecated from 2026-07-28).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roots: Option<Object>,
    /// Not standardised.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub experimental: Option<Object>,
    /// Extensions by identifier, with their settings (from 2026-07-28).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extensions: Option<Object>,
    /// Capabilities that this code does not know; the set is open.
    #[serde(flatten)]
    pub other: Object,
}

/// What a server offers.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ServerCapabilities {
    /// Tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<ListCapability>,
    /// Resources.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resources: Option<ResourcesCapability>,
    /// Prompts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompts: Option<ListCapability>,
    /// Completion of arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completions: Option<Object>,
    /// Log messages (deprecated from 2026-07-28).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logging: Option<Object>,
    /// Not standardised.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub experimental: Option<Object>,
    /// Extensions by identifier, with their settings (from 2026-07-28).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extensions: Option<Object>,
    /// Capabilities that this code does not know; the set is open.
    #[serde(flatten)]
    pub other: Object,
}

/// Whether a list may change while it is in use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListCapability {
    /// Whether the server says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list_changed: Option<bool>,
}

/// What a server can do with resources beyond listing and reading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourcesCapability {
    /// Whether one resource can be watched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subscribe: Option<bool>,
    /// Whether the server says when the list changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list_changed: Option<bool>,
}

// ANCHOR: initialize
/// The parameters of `initialize`: the first message of a session, up to 2025-11-25.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InitializeParams {
    /// The newest revision that the client speaks.
    pub protocol_version: String,
    /// What the server may ask of the client, for as long as the session lasts.
    pub capabilities: ClientCapabilities,
    /// Who the client is.
    pub client_info: Implementation,
}

/// The result of `initialize`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InitializeResult {
    /// The revision of this session: the client's where the server speaks it, else the server's newest.
    pub protocol_version: String,
    /// What the server offers.
    pub capabilities: ServerCapabilities,
    /// Who the server is.
    pub server_info: Implementation,
    /// How to use the server, for the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
}
// ANCHOR_END: initialize

/// Parameters of methods that have none of their own.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct EmptyParams {
    /// What the request says about itself.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<RequestMeta>,
}

// ANCHOR: discover
/// The result of `server/discover`, from 2026-07-28.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DiscoverResult {
    /// `complete`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_type: Option<String>,
    /// The revisions that a client may choose from.
    pub supported_versions: Vec<String>,
    /// What the server offers.
    pub capabilities: ServerCapabilities,
    /// How to use the server, for the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    /// How long the answer may be kept.
    #[serde(flatten)]
    pub caching: Caching,
    /// Who the server is, unverified.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<ResultMeta>,
}
// ANCHOR_END: discover

/// How long a result may be kept, and for whom; on lists, discovery and reads from 2026-07-28 (Caching).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Caching {
    /// Milliseconds for which it counts as fresh; not an interval for polling.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ttl_ms: Option<i64>,
    /// Who may be served from the cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_scope: Option<CacheScope>,
}

/// Who may be served from a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CacheScope {
    /// Everyone.
    Public,
    /// Only the same authorization context.
    Private,
}

/// The value of `resultType` when a result is final.
pub const COMPLETE: &str = "complete";
/// The value of `resultType` when the server needs input first; see [`crate::input`].
pub const INPUT_REQUIRED: &str = "input_required";
