//! How does a server ask for input while it serves a request?
//!
//! Up to 2025-11-25 it sends a request of its own and waits. From 2026-07-28 it must not: it answers with
//! `input_required`, and the client asks again, with the answers (2026-07-28, Multi Round-Trip Requests).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Object;
use crate::elicitation::{ElicitParams, ElicitResult};
use crate::meta::ResultMeta;
use crate::sampling::{CreateMessageParams, CreateMessageResult};

/// A result that is none yet.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InputRequiredResult {
    /// `input_required`.
    pub result_type: String,
    /// What is needed, by a key that the server chose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_requests: Option<BTreeMap<String, InputRequest>>,
    /// The server's own note, to be sent back byte by byte.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_state: Option<String>,
    /// Free for extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<ResultMeta>,
}

/// One thing that a server needs; a request whose envelope is gone.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(tag = "method")]
pub enum InputRequest {
    /// Words from the person.
    #[serde(rename = "elicitation/create")]
    Elicitation {
        /// What is asked.
        params: ElicitParams,
    },
    /// Words from the host's model (deprecated from 2026-07-28).
    #[serde(rename = "sampling/createMessage")]
    Sampling {
        /// What is asked.
        params: Box<CreateMessageParams>,
    },
    /// The folders to work in (deprecated from 2026-07-28).
    #[serde(rename = "roots/list")]
    Roots {
        /// Nothing that matters so far.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        params: Option<Object>,
        /// Members that some servers leave there, such as an id.
        #[serde(flatten)]
        other: Object,
    },
}

/// The answers by the server's keys.
pub type InputResponses = BTreeMap<String, InputResponse>;

/// One answer; a bare result.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(untagged)]
pub enum InputResponse {
    /// To `sampling/createMessage`.
    Sampling(Box<CreateMessageResult>),
    /// To `roots/list`.
    Roots(ListRootsResult),
    /// To `elicitation/create`.
    Elicitation(ElicitResult),
}

/// The result of `roots/list`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct ListRootsResult {
    /// Folders to work in. Guidance, never a fence.
    pub roots: Vec<Root>,
}

/// A folder to work in.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Root {
    /// A `file://` URI.
    pub uri: String,
    /// For people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Free for extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Object>,
}
