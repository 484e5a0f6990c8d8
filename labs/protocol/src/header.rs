//! What does Streamable HTTP repeat outside the body, and how is it written?
//!
//! From 2026-07-28 a client mirrors the revision, the method and the name into headers, so that a gateway can
//! route without reading the body (Streamable HTTP, Request Metadata). Header names do not care about case; values do.

/// The revision. From 2026-07-28 on every POST; in the session era on every request after `initialize`.
pub const PROTOCOL_VERSION: &str = "mcp-protocol-version";
/// The session, up to 2025-11-25.
pub const SESSION_ID: &str = "mcp-session-id";
/// The method, from 2026-07-28.
pub const METHOD: &str = "mcp-method";
/// The tool, prompt or resource, from 2026-07-28.
pub const NAME: &str = "mcp-name";
/// What the name of a header made from a tool's argument begins with, from 2026-07-28.
pub const PARAM_PREFIX: &str = "mcp-param-";

const OPENING: &str = "=?base64?";
const CLOSING: &str = "?=";

/// The member of `params` that [`NAME`] mirrors for a method; `None` where the header is not sent.
pub fn name_member(method: &str) -> Option<&'static str> {
    match method {
        "tools/call" | "prompts/get" => Some("name"),
        "resources/read" => Some("uri"),
        _ => None,
    }
}

/// Whether a value can stand in a header as it is: visible ASCII, no blank at an end, nothing that looks encoded.
pub fn is_plain(value: &str) -> bool {
    let visible = value
        .bytes()
        .all(|byte| byte == b'\t' || (0x20..0x7f).contains(&byte));
    let trimmed = value.trim_matches([' ', '\t']).len() == value.len();
    visible && trimmed && !(value.starts_with(OPENING) && value.ends_with(CLOSING))
}

/// Wraps Base64 text (of the value's UTF-8) in the markers that say so.
pub fn sentinel(base64: &str) -> String {
    format!("{OPENING}{base64}{CLOSING}")
}

/// The Base64 text inside the markers; `None` for a value that is plain.
pub fn sentinel_body(value: &str) -> Option<&str> {
    value.strip_prefix(OPENING)?.strip_suffix(CLOSING)
}

#[cfg(test)]
mod tests {
    use super::{is_plain, sentinel, sentinel_body};

    #[test]
    fn only_values_that_a_header_can_carry_are_plain() {
        assert!(is_plain("query_order"));
        assert!(is_plain("file:///a b"));
        for value in [
            "查订单",
            " padded",
            "line\nbreak",
            "=?base64?literal?=",
            "tab\t",
        ] {
            assert!(!is_plain(value), "{value:?}");
        }
    }

    #[test]
    fn what_is_wrapped_is_found_again() {
        assert_eq!(sentinel_body(&sentinel("SGk=")), Some("SGk="));
        assert_eq!(sentinel_body("query_order"), None);
    }
}
