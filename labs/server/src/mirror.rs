//! Do the headers of a request say what its body says?
//!
//! From 2026-07-28 a gateway may route by `MCP-Protocol-Version`, `Mcp-Method` and `Mcp-Name` without reading the body.
//! If the server then served something else than the headers promised, whoever checks at the gateway would be
//! deceived. So a request whose headers and body differ is refused (Streamable HTTP, Server Validation).

use std::borrow::Cow;

use axum::http::HeaderMap;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use lab_protocol::Request;
use lab_protocol::header::{METHOD, NAME, PROTOCOL_VERSION, name_member, sentinel_body};

use crate::params::Params;

// ANCHOR: check_mirrors
/// Compares what headers repeat with the body. `version` is what the body's `_meta` names, where it names one.
pub(crate) fn check(
    headers: &HeaderMap,
    request: &Request,
    params: &Params<'_>,
    version: Option<&str>,
) -> Result<(), String> {
    let header = one(headers, PROTOCOL_VERSION, "MCP-Protocol-Version")?;
    compare("MCP-Protocol-Version", header, version.unwrap_or(header))?;
    let header = one(headers, METHOD, "Mcp-Method")?;
    compare("Mcp-Method", header, &request.method)?;
    // Without a name in the body there is nothing to compare; the method will say what is missing.
    if let Some(member) = name_member(&request.method)
        && let Ok(name) = params.string(member)
    {
        let header = decoded(one(headers, NAME, "Mcp-Name")?)?;
        compare("Mcp-Name", &header, &name)?;
    }
    Ok(())
}
// ANCHOR_END: check_mirrors

/// The value of a header that must stand there once, in characters that a header may have.
fn one<'a>(headers: &'a HeaderMap, key: &str, name: &str) -> Result<&'a str, String> {
    let mut values = headers.get_all(key).iter();
    let value = values
        .next()
        .ok_or_else(|| format!("the header {name} is missing"))?;
    if values.next().is_some() {
        return Err(format!("the header {name} stands there more than once"));
    }
    value
        .to_str()
        .map_err(|_| format!("the header {name} has characters that no header may have"))
}

/// A value that is no plain text travels as Base64 of its UTF-8 (Streamable HTTP, Value Encoding).
fn decoded(header: &str) -> Result<Cow<'_, str>, String> {
    let Some(encoded) = sentinel_body(header) else {
        return Ok(Cow::Borrowed(header));
    };
    STANDARD
        .decode(encoded)
        .ok()
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .map(Cow::Owned)
        .ok_or_else(|| "the header Mcp-Name is no Base64 of UTF-8 text".to_owned())
}

fn compare(name: &str, header: &str, body: &str) -> Result<(), String> {
    if header == body {
        Ok(())
    } else {
        Err(format!(
            "the header {name} says {header:?}, but the body says {body:?}"
        ))
    }
}
