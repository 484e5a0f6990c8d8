//! Who answers which message, and in which era?
//!
//! One dispatcher serves both eras, and the message says which (2026-07-28, Versioning, Backward Compatibility): a request
//! whose `_meta` names a protocol version stands for itself; `initialize` opens a session, and what follows without such
//! a `_meta` belongs to it. No input or output happens here: text in, text out.

use std::borrow::Cow;

use lab_protocol::{Era, ErrorObject, Message, Request, Response, Revision, code, meta};
use serde::Deserialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::call::call;
use crate::params::{Params, present, string};
use crate::server::{Prepared, Server};

/// A server, ready to answer.
pub struct Dispatcher {
    server: Server,
    prepared: Prepared,
}

/// What a session remembers: one process over stdio, one session id over HTTP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Session {
    /// Nobody has said `initialize` yet.
    #[default]
    New,
    /// The revision is agreed on.
    Open(Revision),
}

/// What comes of a request: the text of a result, or an error.
pub(crate) type Outcome = Result<Box<RawValue>, ErrorObject>;

/// The part of `_meta` that says which era a request belongs to.
#[derive(Deserialize)]
struct MetaClaim<'a> {
    #[serde(
        rename = "io.modelcontextprotocol/protocolVersion",
        borrow,
        default,
        deserialize_with = "present"
    )]
    version: Option<&'a RawValue>,
    #[serde(
        rename = "io.modelcontextprotocol/clientCapabilities",
        borrow,
        default,
        deserialize_with = "present"
    )]
    capabilities: Option<&'a RawValue>,
}

/// What `initialize` must bring. These servers ask nothing of a client, so that what it can do and who it is stay unread.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Initialize<'a> {
    protocol_version: String,
    #[serde(borrow)]
    capabilities: &'a RawValue,
    #[serde(borrow)]
    client_info: &'a RawValue,
}

// ANCHOR: claim
/// What the `_meta` of a request says about its era.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim<'a> {
    /// Neither of the two required keys: session era.
    Session,
    /// The version that it names.
    Stateless(Cow<'a, str>),
    /// It means to be stateless but lacks what it must have.
    Incomplete(String),
}

/// Reads what a request says about its era.
pub fn claim<'a>(params: &Params<'a>) -> Claim<'a> {
    let Some(text) = params.meta() else {
        return Claim::Session;
    };
    let meta: MetaClaim<'a> = match serde_json::from_str(text) {
        Ok(meta) => meta,
        Err(error) => return Claim::Incomplete(format!("params._meta: {error}")),
    };
    match (meta.version, meta.capabilities) {
        (None, None) => Claim::Session,
        (None, Some(_)) => Claim::Incomplete(missing(meta::PROTOCOL_VERSION)),
        (Some(_), None) => Claim::Incomplete(missing(meta::CLIENT_CAPABILITIES)),
        (Some(version), Some(capabilities)) => match string(version.get()) {
            Some(version) if capabilities.get().starts_with('{') => Claim::Stateless(version),
            Some(_) => Claim::Incomplete(wrong(meta::CLIENT_CAPABILITIES, "an object")),
            None => Claim::Incomplete(wrong(meta::PROTOCOL_VERSION, "a string")),
        },
    }
}
// ANCHOR_END: claim

pub(crate) fn missing(key: &str) -> String {
    format!("params._meta lacks {key}, which every request of 2026-07-28 carries")
}

fn wrong(key: &str, kind: &str) -> String {
    format!("params._meta: {key} must be {kind}")
}

impl Dispatcher {
    /// Prepares a server.
    ///
    /// # Errors
    /// When a tool's definition cannot be written as JSON.
    pub fn new(server: Server) -> Result<Self, serde_json::Error> {
        let prepared = Prepared::new(&server)?;
        Ok(Self { server, prepared })
    }

    /// The server.
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// Answers one text of a connection that all messages share. `None` where nothing is answered: a notification
    /// never is, and a response answers a question that these servers do not ask.
    pub fn handle_text(&self, session: &mut Session, text: &[u8]) -> Option<String> {
        let response = match Message::parse(text) {
            Ok(Message::Request(request)) => self.handle(session, &request),
            Ok(Message::Notification(_) | Message::Response(_)) => return None,
            Err(fault) => fault.response(),
        };
        Some(Message::from(response).to_line())
    }

    // ANCHOR: dispatch_era
    /// Answers one request, in the era to which it belongs.
    pub fn handle(&self, session: &mut Session, request: &Request) -> Response {
        let outcome = Params::open(request).and_then(|params| match claim(&params) {
            Claim::Stateless(version) => self.stateless(request, &params, &version),
            Claim::Session => self.in_session(session, request, &params),
            Claim::Incomplete(words) => Err(ErrorObject::invalid_params(words)),
        });
        Response {
            id: Some(request.id.clone()),
            outcome,
        }
    }
    // ANCHOR_END: dispatch_era

    // ANCHOR: in_session
    /// A request of the session era: `initialize` goes before everything but `ping` (2025-11-25, Lifecycle).
    pub(crate) fn in_session(
        &self,
        session: &mut Session,
        request: &Request,
        params: &Params<'_>,
    ) -> Outcome {
        let revision = match (request.method.as_str(), *session) {
            ("ping", _) => return written(&lab_protocol::Object::new()),
            ("initialize", Session::New) => return self.initialize(session, request),
            ("initialize", Session::Open(_)) => {
                let words = "This session is initialized already";
                return Err(ErrorObject::new(code::INVALID_REQUEST, words));
            }
            ("server/discover", _) => {
                return Err(ErrorObject::invalid_params(missing(meta::PROTOCOL_VERSION)));
            }
            (_, Session::New) => {
                let words = "Say initialize first (up to 2025-11-25), or name the protocol version in _meta (from 2026-07-28)";
                return Err(ErrorObject::new(code::INVALID_REQUEST, words));
            }
            (_, Session::Open(revision)) => revision,
        };
        match request.method.as_str() {
            "tools/list" if self.server.has_tools() => list(params, &self.prepared.tools_session),
            "tools/call" if self.server.has_tools() => {
                call(&self.server, &self.prepared, params, revision)
            }
            method => Err(ErrorObject::method_not_found(method)),
        }
    }

    fn initialize(&self, session: &mut Session, request: &Request) -> Outcome {
        let text = request.params.as_deref().map_or("{}", RawValue::get);
        let wanted: Initialize<'_> = serde_json::from_str(text)
            .map_err(|error| ErrorObject::invalid_params(format!("params: {error}")))?;
        for (member, raw) in [
            ("capabilities", wanted.capabilities),
            ("clientInfo", wanted.client_info),
        ] {
            if !raw.get().starts_with('{') {
                let words = format!("params.{member} must be an object");
                return Err(ErrorObject::invalid_params(words));
            }
        }
        // The client's revision where it is spoken here, else the newest (2025-11-25, Lifecycle, Version Negotiation).
        let revision = Revision::parse(&wanted.protocol_version)
            .filter(|revision| revision.era() == Era::Session)
            .unwrap_or(Revision::newest_of(Era::Session));
        let result = written(&self.server.initialize_result(revision))?;
        *session = Session::Open(revision);
        Ok(result)
    }
    // ANCHOR_END: in_session

    // ANCHOR: stateless
    /// A request that stands for itself. Nothing of it is kept.
    pub(crate) fn stateless(
        &self,
        request: &Request,
        params: &Params<'_>,
        version: &str,
    ) -> Outcome {
        let Some(revision) =
            Revision::parse(version).filter(|revision| revision.era() == Era::Stateless)
        else {
            let supported = Revision::names_of(Era::Stateless);
            return Err(ErrorObject::unsupported_version(version, &supported));
        };
        match request.method.as_str() {
            "server/discover" => Ok(self.prepared.discover.clone()),
            "tools/list" if self.server.has_tools() => list(params, &self.prepared.tools_stateless),
            "tools/call" if self.server.has_tools() => {
                call(&self.server, &self.prepared, params, revision)
            }
            method => Err(ErrorObject::method_not_found(method)),
        }
    }
    // ANCHOR_END: stateless
}

/// These lists have one page; a cursor can only be made up.
fn list(params: &Params<'_>, page: &RawValue) -> Outcome {
    match params.cursor()? {
        None => Ok(page.to_owned()),
        Some(cursor) => Err(ErrorObject::invalid_params(format!(
            "Unknown cursor: {cursor}"
        ))),
    }
}

fn written(result: &impl serde::Serialize) -> Outcome {
    to_raw_value(result).map_err(|error| ErrorObject::internal(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::{Dispatcher, Session};
    use crate::server::Server;
    use lab_protocol::{Implementation, Revision};

    fn answer(session: &mut Session, text: &str) -> Option<String> {
        let server = Server::new(Implementation::new("empty", "1"));
        Dispatcher::new(server)
            .expect("a dispatcher")
            .handle_text(session, text.as_bytes())
    }

    #[test]
    fn a_server_without_tools_neither_declares_them_nor_knows_their_methods() {
        let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;
        let ask = |method: &str| {
            let text =
                format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{meta}}}}}"#);
            answer(&mut Session::New, &text).expect("an answer")
        };
        assert!(ask("server/discover").contains(r#""capabilities":{}"#));
        assert!(ask("tools/list").contains("-32601"));
    }

    #[test]
    fn a_notification_is_never_answered() {
        for method in ["notifications/initialized", "tools/call", "nobody/knows"] {
            let text = format!(r#"{{"jsonrpc":"2.0","method":"{method}"}}"#);
            assert_eq!(answer(&mut Session::New, &text), None);
        }
    }

    #[test]
    fn an_initialize_that_fails_leaves_the_session_new() {
        let mut session = Session::New;
        let text = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#;
        assert!(
            answer(&mut session, text)
                .expect("an answer")
                .contains("-32602")
        );
        assert_eq!(session, Session::New);
    }

    #[test]
    fn a_stateless_request_leaves_a_session_as_it_is() {
        let mut session = Session::Open(Revision::V2025_11_25);
        let text = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
        assert!(answer(&mut session, text).is_some());
        assert_eq!(session, Session::Open(Revision::V2025_11_25));
    }
}
