//! What comes of a `tools/call`, in each revision?
//!
//! Two kinds of failure leave a server by two ways. What the client got wrong (an unknown tool, parameters that are no
//! call) is a JSON-RPC error, for the program. What the model got wrong, or the tool could not do, is a result with
//! `isError`, in words, for the model (server/tools, Error Handling; 2025-11-25 settled it for arguments).

use lab_protocol::lifecycle::COMPLETE;
use lab_protocol::{ContentBlock, Era, ErrorObject, Revision};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::params::Params;
use crate::server::{Prepared, Server};
use crate::tool_set::{CallFault, Output};

/// The same members as [`lab_protocol::CallToolResult`]; what is written already is not written again.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Written<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    result_type: Option<&'static str>,
    content: &'a [ContentBlock],
    #[serde(skip_serializing_if = "Option::is_none")]
    structured_content: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    is_error: Option<bool>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a RawValue>,
}

// ANCHOR: call_tool
/// Calls a tool.
pub(crate) fn call(
    server: &Server,
    prepared: &Prepared,
    params: &Params<'_>,
    revision: Revision,
) -> Result<Box<RawValue>, ErrorObject> {
    let name = params.string("name")?;
    let arguments = params.arguments()?;
    let Some(tool) = server.find(&name) else {
        return Err(ErrorObject::invalid_params(format!("Unknown tool: {name}")));
    };
    let (output, is_error) = match tool.call(arguments) {
        Ok(output) => (output, None),
        Err(CallFault::Business(words)) => (failure(words), Some(true)),
        Err(CallFault::Arguments(words)) => {
            let words = format!("Invalid arguments for {name}: {words}");
            // From 2025-11-25 the model reads about its arguments; before, the revision does not say.
            if revision == Revision::V2025_06_18 {
                return Err(ErrorObject::invalid_params(words));
            }
            (failure(words), Some(true))
        }
        Err(CallFault::Program(words)) => return Err(ErrorObject::internal(words)),
    };
    let stateless = revision.era() == Era::Stateless;
    let result = Written {
        result_type: stateless.then_some(COMPLETE),
        content: &output.content,
        structured_content: output.structured.as_deref(),
        is_error,
        meta: stateless.then_some(&prepared.meta),
    };
    to_raw_value(&result).map_err(|error| ErrorObject::internal(error.to_string()))
}
// ANCHOR_END: call_tool

fn failure(words: String) -> Output {
    Output {
        content: vec![ContentBlock::text(words)],
        structured: None,
    }
}
