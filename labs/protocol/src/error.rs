//! How does a side say that it cannot serve a request?

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The error codes that MCP gives a meaning.
pub mod code {
    /// The text is no JSON.
    pub const PARSE_ERROR: i64 = -32700;
    /// The JSON is no request.
    pub const INVALID_REQUEST: i64 = -32600;
    /// The method is unknown, or belongs to a capability that was not declared.
    pub const METHOD_NOT_FOUND: i64 = -32601;
    /// The parameters do not fit the method: an unknown tool, a bad cursor, a missing `_meta` key.
    pub const INVALID_PARAMS: i64 = -32602;
    /// The server failed.
    pub const INTERNAL_ERROR: i64 = -32603;
    /// Resource not found, up to 2025-11-25. From 2026-07-28 a server sends [`INVALID_PARAMS`] instead.
    pub const RESOURCE_NOT_FOUND: i64 = -32002;
    /// From 2026-07-28: a header is missing, malformed, or says something else than the body.
    pub const HEADER_MISMATCH: i64 = -32020;
    /// From 2026-07-28: the request needs a capability that the client did not declare.
    pub const MISSING_REQUIRED_CLIENT_CAPABILITY: i64 = -32021;
    /// From 2026-07-28: the server does not speak the requested revision.
    pub const UNSUPPORTED_PROTOCOL_VERSION: i64 = -32022;
}

/// The `error` member of a response.
///
/// A tool that fails at its business is not this: it answers with a result whose `isError` is true
/// (server/tools, Error Handling).
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, thiserror::Error)]
#[error("{message} ({code})")]
pub struct ErrorObject {
    /// What kind of failure; see [`code`].
    pub code: i64,
    /// One sentence for people.
    pub message: String,
    /// What a program can use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

impl ErrorObject {
    /// An error without data.
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            data: None,
        }
    }

    /// The method does not exist here.
    pub fn method_not_found(method: &str) -> Self {
        Self::new(
            code::METHOD_NOT_FOUND,
            format!("Method not found: {method}"),
        )
    }

    /// The parameters do not fit.
    pub fn invalid_params(message: impl Into<String>) -> Self {
        Self::new(code::INVALID_PARAMS, message)
    }

    /// The server failed.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(code::INTERNAL_ERROR, message)
    }

    /// Headers and body disagree (2026-07-28, Streamable HTTP, Server Validation).
    pub fn header_mismatch(message: impl Into<String>) -> Self {
        Self::new(code::HEADER_MISMATCH, message)
    }

    /// The revision is not spoken here (2026-07-28, Versioning, Protocol Version Negotiation).
    pub fn unsupported_version(requested: &str, supported: &[&str]) -> Self {
        Self {
            code: code::UNSUPPORTED_PROTOCOL_VERSION,
            message: format!("Unsupported protocol version: {requested}"),
            data: Some(json!({ "supported": supported, "requested": requested })),
        }
    }

    /// The client would have to be able to do more (2026-07-28, Base Protocol, `_meta`).
    pub fn missing_capability(message: impl Into<String>, required: &Value) -> Self {
        Self {
            code: code::MISSING_REQUIRED_CLIENT_CAPABILITY,
            message: message.into(),
            data: Some(json!({ "requiredCapabilities": required })),
        }
    }

    /// Whether only a server of 2026-07-28 or later sends this code, which tells a client the era.
    pub fn is_modern(&self) -> bool {
        matches!(
            self.code,
            code::HEADER_MISMATCH
                | code::MISSING_REQUIRED_CLIENT_CAPABILITY
                | code::UNSUPPORTED_PROTOCOL_VERSION
        )
    }
}
