//! Who answers which message, and in which era?
//!
//! One dispatcher serves both eras, and the message says which (2026-07-28, Versioning, Backward Compatibility): a request
//! whose `_meta` names a protocol version stands for itself; `initialize` opens a session, and what follows without such
//! a `_meta` belongs to it. No input or output happens here: text in, text out.

use lab_protocol::lifecycle::{COMPLETE, InitializeParams};
use lab_protocol::meta;
use lab_protocol::tool::{CallToolParams, ListParams};
use lab_protocol::{
    CallToolResult, Era, ErrorObject, Message, Object, Request, RequestId, Response, Revision, code,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::server::{Prepared, Server};
use crate::tool_set::CallFault;

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

/// The part of a request that says which era it belongs to.
#[derive(Deserialize)]
struct Peek<'a> {
    #[serde(rename = "_meta", borrow, default)]
    meta: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct PeekMeta {
    #[serde(rename = "io.modelcontextprotocol/protocolVersion")]
    protocol_version: Option<Value>,
    #[serde(rename = "io.modelcontextprotocol/clientCapabilities")]
    client_capabilities: Option<Value>,
}

// ANCHOR: claim
/// What the `_meta` of a request says about its era.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// No protocol version: session era.
    Session,
    /// The version that it names.
    Stateless(String),
    /// It means to be stateless but lacks what it must have.
    Incomplete(String),
}

/// Reads what a request says about its era.
pub fn claim(request: &Request) -> Claim {
    let Some(params) = &request.params else {
        return Claim::Session;
    };
    let Ok(Peek { meta: Some(raw) }) = serde_json::from_str(params.get()) else {
        return Claim::Session;
    };
    let Ok(peek) = serde_json::from_str::<PeekMeta>(raw.get()) else {
        return Claim::Session;
    };
    match (peek.protocol_version, peek.client_capabilities) {
        (None, None) => Claim::Session,
        (Some(Value::String(version)), Some(Value::Object(_))) => Claim::Stateless(version),
        (Some(Value::String(_)), None) => Claim::Incomplete(missing(meta::CLIENT_CAPABILITIES)),
        (None, Some(_)) => Claim::Incomplete(missing(meta::PROTOCOL_VERSION)),
        (Some(Value::String(_)), Some(_)) => Claim::Incomplete(format!(
            "_meta: {} must be an object",
            meta::CLIENT_CAPABILITIES
        )),
        (Some(_), _) => Claim::Incomplete(format!(
            "_meta: {} must be a string",
            meta::PROTOCOL_VERSION
        )),
    }
}
// ANCHOR_END: claim

fn missing(key: &str) -> String {
    format!("_meta lacks {key}, which every request of 2026-07-28 carries")
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

    /// Answers one text of a connection that all messages share. `None` where nothing is answered.
    pub fn handle_text(&self, session: &mut Session, text: &[u8]) -> Option<String> {
        let response = match Message::parse(text) {
            Ok(Message::Request(request)) => self.handle(session, request),
            Ok(Message::Notification(_) | Message::Response(_)) => return None,
            Err(fault) => fault.response(),
        };
        Some(Message::from(response).to_line())
    }

    // ANCHOR: dispatch_era
    /// Answers one request, in the era to which it belongs.
    pub fn handle(&self, session: &mut Session, request: Request) -> Response {
        match claim(&request) {
            Claim::Stateless(version) => self.stateless(request, &version),
            Claim::Incomplete(words) => {
                Response::error(Some(request.id), ErrorObject::invalid_params(words))
            }
            Claim::Session => self.in_session(session, request),
        }
    }
    // ANCHOR_END: dispatch_era

    fn in_session(&self, session: &mut Session, request: Request) -> Response {
        let Request { id, method, params } = request;
        match (method.as_str(), *session) {
            ("ping", _) => Response::result(id, &Object::new()),
            ("initialize", Session::New) => match read::<InitializeParams>(params.as_deref()) {
                Ok(wanted) => {
                    let revision = Revision::parse(&wanted.protocol_version)
                        .filter(|revision| revision.era() == Era::Session)
                        .unwrap_or(Revision::newest_of(Era::Session));
                    *session = Session::Open(revision);
                    Response::result(id, &self.server.initialize_result(revision))
                }
                Err(error) => Response::error(Some(id), error),
            },
            ("initialize", Session::Open(_)) => Response::error(
                Some(id),
                ErrorObject::new(code::INVALID_REQUEST, "This session is initialized already"),
            ),
            ("server/discover", _) => Response::error(
                Some(id),
                ErrorObject::invalid_params(missing(meta::PROTOCOL_VERSION)),
            ),
            (_, Session::New) => Response::error(
                Some(id),
                ErrorObject::new(
                    code::INVALID_REQUEST,
                    "Say initialize first (up to 2025-11-25), or name the protocol version in _meta (from 2026-07-28)",
                ),
            ),
            ("tools/list", _) => list(id, params.as_deref(), &self.prepared.tools_session),
            ("tools/call", Session::Open(revision)) => self.call(id, params.as_deref(), revision),
            _ => Response::error(Some(id), ErrorObject::method_not_found(&method)),
        }
    }

    fn stateless(&self, request: Request, version: &str) -> Response {
        let Request { id, method, params } = request;
        let Some(revision) =
            Revision::parse(version).filter(|revision| revision.era() == Era::Stateless)
        else {
            let supported = Revision::names_of(Era::Stateless);
            return Response::error(
                Some(id),
                ErrorObject::unsupported_version(version, &supported),
            );
        };
        match method.as_str() {
            "server/discover" => Response {
                id: Some(id),
                outcome: Ok(self.prepared.discover.clone()),
            },
            "tools/list" => list(id, params.as_deref(), &self.prepared.tools_stateless),
            "tools/call" => self.call(id, params.as_deref(), revision),
            _ => Response::error(Some(id), ErrorObject::method_not_found(&method)),
        }
    }

    fn call(&self, id: RequestId, params: Option<&RawValue>, revision: Revision) -> Response {
        let call: CallToolParams = match read(params) {
            Ok(call) => call,
            Err(error) => return Response::error(Some(id), error),
        };
        let Some(tool) = self.server.find(&call.name) else {
            let error = ErrorObject::invalid_params(format!("Unknown tool: {}", call.name));
            return Response::error(Some(id), error);
        };
        let mut result = match tool.call(&call.arguments.unwrap_or_default()) {
            Ok(result) => result,
            Err(CallFault::Business(words)) => CallToolResult::failure(words),
            Err(CallFault::Arguments(words)) => {
                let words = format!("Invalid arguments for {}: {words}", call.name);
                // From 2025-11-25 the model reads about its arguments; before, the revision does not say.
                if revision == Revision::V2025_06_18 {
                    return Response::error(Some(id), ErrorObject::invalid_params(words));
                }
                CallToolResult::failure(words)
            }
            Err(CallFault::Output(words)) => {
                return Response::error(Some(id), ErrorObject::internal(words));
            }
        };
        if revision.era() == Era::Stateless {
            result.result_type = Some(COMPLETE.to_owned());
            result.meta = Some(self.prepared.meta.clone());
        }
        Response::result(id, &result)
    }
}

/// These lists have one page; a cursor can only be made up.
fn list(id: RequestId, params: Option<&RawValue>, page: &RawValue) -> Response {
    match params.map_or_else(|| Ok(ListParams::default()), |params| read(Some(params))) {
        Ok(ListParams { cursor: None, .. }) => Response {
            id: Some(id),
            outcome: Ok(page.to_owned()),
        },
        Ok(_) => Response::error(Some(id), ErrorObject::invalid_params("Unknown cursor")),
        Err(error) => Response::error(Some(id), error),
    }
}

fn read<T: DeserializeOwned>(params: Option<&RawValue>) -> Result<T, ErrorObject> {
    let text = params.map_or("{}", RawValue::get);
    serde_json::from_str(text).map_err(|error| ErrorObject::invalid_params(error.to_string()))
}
