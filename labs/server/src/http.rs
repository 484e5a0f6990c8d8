//! How does a server speak over Streamable HTTP, in both eras, on one endpoint?
//!
//! A POST that carries a modern request (its `_meta`, or its `MCP-Protocol-Version` header, says so) is checked against
//! its headers and served by itself (2026-07-28, Streamable HTTP). Everything else belongs to a session
//! (2025-11-25 and 2025-06-18, Transports). Answers are JSON; both eras leave the choice to the server.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request as HttpRequest, State};
use axum::http::header::{ACCEPT, ALLOW, CONTENT_TYPE, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderValue, Method, Response as HttpResponse, StatusCode};
use axum::routing::any;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use lab_protocol::header::{
    METHOD, NAME, PROTOCOL_VERSION, SESSION_ID, name_member, sentinel_body,
};
use lab_protocol::{
    Era, ErrorObject, FaultKind, Message, Request, RequestId, Response, Revision, code,
};
use serde_json::Value;

use crate::dispatch::{Claim, Dispatcher, Session, claim};
use crate::session::Sessions;

/// The most bytes that a body may have.
pub const LARGEST_BODY: usize = 4 * 1024 * 1024;

/// An endpoint's server with its sessions.
struct Endpoint {
    dispatcher: Dispatcher,
    sessions: Sessions,
}

/// A router that serves one server at one path.
pub fn router(path: &str, dispatcher: Dispatcher) -> Router {
    let endpoint = Arc::new(Endpoint {
        dispatcher,
        sessions: Sessions::default(),
    });
    Router::new().route(path, any(serve)).with_state(endpoint)
}

async fn serve(State(endpoint): State<Arc<Endpoint>>, request: HttpRequest) -> HttpResponse<Body> {
    let (parts, body) = request.into_parts();
    // DNS rebinding: a page of another site must not reach a server on this machine.
    if let Err(words) = check_origin(&parts.headers) {
        let error = ErrorObject::new(code::INVALID_REQUEST, words);
        return json(StatusCode::FORBIDDEN, &Response::error(None, error));
    }
    match parts.method {
        Method::POST => {}
        Method::DELETE => return endpoint.delete(&parts.headers),
        _ => return not_allowed(),
    }
    if let Err((status, words)) = check_types(&parts.headers) {
        return json(
            status,
            &Response::error(None, ErrorObject::new(code::INVALID_REQUEST, words)),
        );
    }
    let Ok(body) = to_bytes(body, LARGEST_BODY).await else {
        let words = format!("the body has more than {LARGEST_BODY} bytes");
        let error = ErrorObject::new(code::INVALID_REQUEST, words);
        return json(StatusCode::PAYLOAD_TOO_LARGE, &Response::error(None, error));
    };
    endpoint.post(&parts.headers, &body)
}

impl Endpoint {
    fn post(&self, headers: &HeaderMap, body: &Bytes) -> HttpResponse<Body> {
        let message = match Message::parse(body) {
            Ok(message) => message,
            Err(fault) => {
                debug_assert!(matches!(fault.kind, FaultKind::Parse | FaultKind::Invalid));
                return json(StatusCode::BAD_REQUEST, &fault.response());
            }
        };
        let version = text(headers, PROTOCOL_VERSION);
        let request = match message {
            Message::Request(request) => request,
            Message::Notification(_) | Message::Response(_) => {
                return self.accept(headers, version);
            }
        };
        match claim(&request) {
            Claim::Stateless(named) => self.stateless(headers, version, request, &named),
            Claim::Incomplete(words) => refuse(request.id, ErrorObject::invalid_params(words)),
            // A modern header without the `_meta` that belongs to it.
            Claim::Session if is_modern(version) => {
                let words = "params._meta must carry io.modelcontextprotocol/protocolVersion and \
                             io.modelcontextprotocol/clientCapabilities on every request of 2026-07-28";
                refuse(request.id, ErrorObject::invalid_params(words))
            }
            Claim::Session => self.in_session(headers, version, request),
        }
    }

    fn stateless(
        &self,
        headers: &HeaderMap,
        version: Option<&str>,
        request: Request,
        named: &str,
    ) -> HttpResponse<Body> {
        if let Err(words) = check_mirrors(headers, version, &request, named) {
            return refuse(request.id, ErrorObject::header_mismatch(words));
        }
        let response = self.dispatcher.handle(&mut Session::New, request);
        let status = match &response.outcome {
            Err(error) if error.code == code::METHOD_NOT_FOUND => StatusCode::NOT_FOUND,
            Err(error) if error.is_modern() => StatusCode::BAD_REQUEST,
            _ => StatusCode::OK,
        };
        json(status, &response)
    }

    fn in_session(
        &self,
        headers: &HeaderMap,
        version: Option<&str>,
        request: Request,
    ) -> HttpResponse<Body> {
        if request.method == "initialize" {
            let mut session = Session::New;
            let response = self.dispatcher.handle(&mut session, request);
            let mut answer = json(StatusCode::OK, &response);
            if let Session::Open(revision) = session {
                match self
                    .sessions
                    .open(revision)
                    .map(|id| HeaderValue::try_from(id))
                {
                    Ok(Ok(id)) => {
                        answer.headers_mut().insert(SESSION_ID, id);
                    }
                    _ => {
                        let error = ErrorObject::internal("No session could be opened");
                        return json(
                            StatusCode::INTERNAL_SERVER_ERROR,
                            &Response::error(response.id, error),
                        );
                    }
                }
            }
            return answer;
        }
        match self.session(headers, version) {
            Ok(revision) => json(
                StatusCode::OK,
                &self
                    .dispatcher
                    .handle(&mut Session::Open(revision), request),
            ),
            Err((status, words)) => {
                let error = ErrorObject::new(code::INVALID_REQUEST, words);
                json(status, &Response::error(Some(request.id), error))
            }
        }
    }

    /// The session that a request names, and whether its version header fits.
    fn session(
        &self,
        headers: &HeaderMap,
        version: Option<&str>,
    ) -> Result<Revision, (StatusCode, String)> {
        let Some(id) = text(headers, SESSION_ID) else {
            let words = "Mcp-Session-Id is missing; initialize gives one".to_owned();
            return Err((StatusCode::BAD_REQUEST, words));
        };
        let Some(revision) = self.sessions.find(id) else {
            let words =
                "There is no such session any more; initialize again, without Mcp-Session-Id"
                    .to_owned();
            return Err((StatusCode::NOT_FOUND, words));
        };
        match version {
            Some(version) if version != revision.as_str() => {
                let words = format!(
                    "MCP-Protocol-Version is {version:?}, but this session speaks {revision}"
                );
                Err((StatusCode::BAD_REQUEST, words))
            }
            // Absent: the session knows (2025-06-18 and 2025-11-25, Protocol Version Header).
            _ => Ok(revision),
        }
    }

    /// A notification, or the answer to a request that these servers never send.
    fn accept(&self, headers: &HeaderMap, version: Option<&str>) -> HttpResponse<Body> {
        if !is_modern(version)
            && let Err((status, words)) = self.session(headers, version)
        {
            return json(
                status,
                &Response::error(None, ErrorObject::new(code::INVALID_REQUEST, words)),
            );
        }
        empty(StatusCode::ACCEPTED)
    }

    fn delete(&self, headers: &HeaderMap) -> HttpResponse<Body> {
        match text(headers, SESSION_ID) {
            Some(id) if self.sessions.end(id) => empty(StatusCode::NO_CONTENT),
            Some(_) => empty(StatusCode::NOT_FOUND),
            None => not_allowed(),
        }
    }
}

/// Whether a version header means the stateless era. A date that is not known here but later than the session era
/// counts too: the body will say which it is.
fn is_modern(version: Option<&str>) -> bool {
    version.is_some_and(|version| match Revision::parse(version) {
        Some(revision) => revision.era() == Era::Stateless,
        None => version > Revision::newest_of(Era::Session).as_str(),
    })
}

/// Headers must say what the body says (2026-07-28, Streamable HTTP, Server Validation).
fn check_mirrors(
    headers: &HeaderMap,
    version: Option<&str>,
    request: &Request,
    named: &str,
) -> Result<(), String> {
    compare("MCP-Protocol-Version", version, named)?;
    compare("Mcp-Method", text(headers, METHOD), &request.method)?;
    let Some(member) = name_member(&request.method) else {
        return Ok(());
    };
    let name = request
        .params
        .as_ref()
        .and_then(|params| serde_json::from_str::<Value>(params.get()).ok())
        .and_then(|params| {
            params
                .get(member)
                .and_then(Value::as_str)
                .map(str::to_owned)
        });
    // Without a name in the body there is nothing to compare; the dispatcher says what is missing.
    let Some(name) = name else { return Ok(()) };
    let header = text(headers, NAME).ok_or("the header Mcp-Name is missing")?;
    let decoded = match sentinel_body(header) {
        Some(encoded) => STANDARD
            .decode(encoded)
            .ok()
            .and_then(|bytes| String::from_utf8(bytes).ok())
            .ok_or("the header Mcp-Name is no Base64 of UTF-8 text")?,
        None => header.to_owned(),
    };
    compare("Mcp-Name", Some(&decoded), &name)
}

fn compare(header: &str, value: Option<&str>, body: &str) -> Result<(), String> {
    match value {
        None => Err(format!("the header {header} is missing")),
        Some(value) if value != body => Err(format!(
            "the header {header} says {value:?}, but the body says {body:?}"
        )),
        Some(_) => Ok(()),
    }
}

/// Only this machine's own names may stand in Origin and Host (all revisions: Security).
fn check_origin(headers: &HeaderMap) -> Result<(), String> {
    if let Some(origin) = headers.get(ORIGIN) {
        let host = origin
            .to_str()
            .ok()
            .and_then(|origin| origin.split_once("://"))
            .map(|(_, host)| host);
        if !host.is_some_and(is_loopback) {
            return Err("This Origin may not call this server".to_owned());
        }
    }
    if let Some(host) = headers.get(HOST)
        && !host.to_str().is_ok_and(is_loopback)
    {
        return Err("This server answers to the loopback names alone".to_owned());
    }
    Ok(())
}

fn is_loopback(authority: &str) -> bool {
    let name = match authority.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => authority,
    };
    matches!(name, "localhost" | "127.0.0.1" | "[::1]")
}

fn check_types(headers: &HeaderMap) -> Result<(), (StatusCode, String)> {
    let content_type = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    if !media_type.eq_ignore_ascii_case("application/json") {
        return Err((
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "Content-Type must be application/json".to_owned(),
        ));
    }
    let mut json = false;
    let mut stream = false;
    for value in headers
        .get_all(ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok())
    {
        for media_type in value
            .split(',')
            .filter_map(|part| part.split(';').next())
            .map(str::trim)
        {
            json |= matches!(media_type, "application/json" | "application/*" | "*/*");
            stream |= matches!(media_type, "text/event-stream" | "text/*" | "*/*");
        }
    }
    if json && stream {
        Ok(())
    } else {
        let words = "Accept must list application/json and text/event-stream".to_owned();
        Err((StatusCode::NOT_ACCEPTABLE, words))
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn refuse(id: RequestId, error: ErrorObject) -> HttpResponse<Body> {
    json(StatusCode::BAD_REQUEST, &Response::error(Some(id), error))
}

fn json(status: StatusCode, response: &Response) -> HttpResponse<Body> {
    let mut answer =
        HttpResponse::new(Body::from(serde_json::to_vec(response).unwrap_or_default()));
    *answer.status_mut() = status;
    answer
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    answer
}

fn empty(status: StatusCode) -> HttpResponse<Body> {
    let mut answer = HttpResponse::new(Body::empty());
    *answer.status_mut() = status;
    answer
}

fn not_allowed() -> HttpResponse<Body> {
    let mut answer = empty(StatusCode::METHOD_NOT_ALLOWED);
    answer
        .headers_mut()
        .insert(ALLOW, HeaderValue::from_static("POST"));
    answer
}
