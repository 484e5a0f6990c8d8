//! Which headers does a POST carry?
//!
//! Session era: the revision and the session id, on everything after `initialize` (2025-11-25, Transports). Stateless
//! era: the revision, the method and the name, repeated from the body so that a gateway need not read it
//! (2026-07-28, Streamable HTTP, Request Metadata). Both are made from the text that is sent.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use lab_protocol::{Era, Message, Revision, header, meta};
use serde_json::Value;

use crate::transport::Header;

/// What an HTTP transport remembers between two messages.
#[derive(Clone, Debug, Default)]
pub struct Remembered {
    /// The revision that was agreed on.
    pub revision: Option<Revision>,
    /// The session id that the server gave, in the session era.
    pub session: Option<String>,
}

// ANCHOR: headers
/// The headers of a text that is about to be sent. A text that is no message gets what can be said all the same.
pub fn for_text(text: &str, remembered: &Remembered) -> Vec<Header> {
    let mut headers = vec![
        pair("content-type", "application/json"),
        // The server chooses; a client must take both (2026-07-28, Sending Messages, 2).
        pair("accept", "application/json, text/event-stream"),
    ];
    let (method, params) = match Message::parse(text.as_bytes()) {
        Ok(Message::Request(request)) => (Some(request.method), request.params),
        Ok(Message::Notification(notification)) => (Some(notification.method), notification.params),
        _ => (None, None),
    };
    let params: Value = params
        .and_then(|params| serde_json::from_str(params.get()).ok())
        .unwrap_or_default();

    // The body says in which era it is written; a notification has no `_meta` and follows what was agreed.
    let declared = params["_meta"][meta::PROTOCOL_VERSION].as_str();
    let stateless =
        declared.is_some() || remembered.revision.map(Revision::era) == Some(Era::Stateless);
    if stateless {
        let version = declared.or(remembered.revision.map(Revision::as_str));
        headers.extend(version.map(|version| pair(header::PROTOCOL_VERSION, &encoded(version))));
        if let Some(method) = method {
            headers.push(pair(header::METHOD, &encoded(&method)));
            let name = header::name_member(&method).and_then(|member| params[member].as_str());
            headers.extend(name.map(|name| pair(header::NAME, &encoded(name))));
        }
    } else if method.as_deref() != Some("initialize") {
        let version = remembered.revision.map(Revision::as_str);
        headers.extend(version.map(|version| pair(header::PROTOCOL_VERSION, version)));
        let session = remembered.session.as_deref();
        headers.extend(session.map(|session| pair(header::SESSION_ID, session)));
    }
    headers
}
// ANCHOR_END: headers

// ANCHOR: encoded
/// A value as it may stand in a header: as it is where it is plain, in Base64 between markers where it is not
/// (2026-07-28, Streamable HTTP, Value Encoding).
pub fn encoded(value: &str) -> String {
    if header::is_plain(value) {
        value.to_owned()
    } else {
        header::sentinel(&STANDARD.encode(value))
    }
}
// ANCHOR_END: encoded

fn pair(name: &str, value: &str) -> Header {
    (name.to_owned(), value.to_owned())
}

#[cfg(test)]
mod tests {
    use lab_protocol::Revision;

    use super::{Remembered, for_text};

    fn names_and_values(text: &str, remembered: &Remembered) -> Vec<String> {
        for_text(text, remembered)
            .into_iter()
            .skip(2)
            .map(|(name, value)| format!("{name}: {value}"))
            .collect()
    }

    fn session() -> Remembered {
        Remembered {
            revision: Some(Revision::V2025_11_25),
            session: Some("s-1".into()),
        }
    }

    #[test]
    fn a_stateless_request_repeats_revision_method_and_name() {
        let text = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"查订单","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#;
        assert_eq!(
            names_and_values(text, &Remembered::default()),
            [
                "mcp-protocol-version: 2026-07-28",
                "mcp-method: tools/call",
                "mcp-name: =?base64?5p+l6K6i5Y2V?=",
            ]
        );
    }

    #[test]
    fn initialize_carries_neither_revision_nor_session() {
        let text = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#;
        assert!(names_and_values(text, &session()).is_empty());
    }

    #[test]
    fn everything_after_initialize_carries_both() {
        let text = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        assert_eq!(
            names_and_values(text, &session()),
            ["mcp-protocol-version: 2025-11-25", "mcp-session-id: s-1"]
        );
    }

    #[test]
    fn a_text_that_is_no_message_still_names_the_revision() {
        let stateless = Remembered {
            revision: Some(Revision::V2026_07_28),
            session: None,
        };
        assert_eq!(
            names_and_values("{ broken", &stateless),
            ["mcp-protocol-version: 2026-07-28"]
        );
    }
}
