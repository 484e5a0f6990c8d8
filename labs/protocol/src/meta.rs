//! What does a request of the stateless era say about itself?
//!
//! Up to 2025-11-25 a session remembers version, client and capabilities from `initialize`. From 2026-07-28
//! nothing is remembered: each request carries them in `params._meta` (2026-07-28, Base Protocol, `_meta`).

use serde::{Deserialize, Serialize};

use crate::Object;
use crate::lifecycle::{ClientCapabilities, Implementation};
use crate::notification::LogLevel;
use crate::request_id::RequestId;

/// The key of the revision.
pub const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// The key of the client's name and version.
pub const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
/// The key of the client's capabilities.
pub const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// The key of the least log level wanted.
pub const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
/// The key of the server's name and version, on results.
pub const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
/// The key that ties a notification to its `subscriptions/listen`.
pub const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

// ANCHOR: request_meta
/// The `_meta` of a request. In the session era every member but `progress_token` is absent.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct RequestMeta {
    /// Required from 2026-07-28.
    #[serde(
        rename = "io.modelcontextprotocol/protocolVersion",
        skip_serializing_if = "Option::is_none"
    )]
    pub protocol_version: Option<String>,
    /// Recommended from 2026-07-28. Nobody checks it: it is for display and logs.
    #[serde(
        rename = "io.modelcontextprotocol/clientInfo",
        skip_serializing_if = "Option::is_none"
    )]
    pub client_info: Option<Implementation>,
    /// Required from 2026-07-28; an empty object says "nothing beyond the core".
    #[serde(
        rename = "io.modelcontextprotocol/clientCapabilities",
        skip_serializing_if = "Option::is_none"
    )]
    pub client_capabilities: Option<ClientCapabilities>,
    /// From 2026-07-28: without it the server must not log to this request.
    #[serde(
        rename = "io.modelcontextprotocol/logLevel",
        skip_serializing_if = "Option::is_none"
    )]
    pub log_level: Option<LogLevel>,
    /// Asks for progress notifications that bear this token.
    #[serde(rename = "progressToken", skip_serializing_if = "Option::is_none")]
    pub progress_token: Option<RequestId>,
    /// Other keys, such as `traceparent`.
    #[serde(flatten)]
    pub other: Object,
}
// ANCHOR_END: request_meta

/// The `_meta` of a result.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct ResultMeta {
    /// Recommended from 2026-07-28. Nobody checks it: it is for display and logs.
    #[serde(
        rename = "io.modelcontextprotocol/serverInfo",
        skip_serializing_if = "Option::is_none"
    )]
    pub server_info: Option<Implementation>,
    /// On the result that ends a `subscriptions/listen`.
    #[serde(
        rename = "io.modelcontextprotocol/subscriptionId",
        skip_serializing_if = "Option::is_none"
    )]
    pub subscription_id: Option<RequestId>,
    /// Other keys.
    #[serde(flatten)]
    pub other: Object,
}
