//! How does a server speak over Streamable HTTP, in both eras, on one endpoint?
//!
//! A POST that carries a modern request (its `_meta`, or its `MCP-Protocol-Version` header, says so) is checked against
//! its headers and served by itself (2026-07-28, Streamable HTTP). Everything else belongs to a session
//! (2025-11-25 and 2025-06-18, Transports). Answers are JSON; both eras leave the choice to the server.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request as HttpRequest, State};
use axum::http::header::{ALLOW, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue, Method, Response as HttpResponse, StatusCode};
use axum::routing::any;
use lab_protocol::header::{PROTOCOL_VERSION, SESSION_ID};
use lab_protocol::{Era, ErrorObject, Message, Request, Response, Revision, code, meta};

use crate::body::{self, BodyFault};
use crate::dispatch::{Claim, Dispatcher, Outcome, Session, claim, missing};
pub use crate::guard::{Hosts, HttpOptions};
use crate::guard::{check_site, check_types};
use crate::mirror;
use crate::params::Params;
use crate::session::Sessions;

/// An endpoint's server with its sessions. A stateless request takes no lock.
struct Endpoint {
    dispatcher: Dispatcher,
    sessions: Sessions,
    options: HttpOptions,
}

/// A refusal: the status, and words for the error. The request's id is added where there is one.
type Refusal = (StatusCode, &'static str);

/// A router that serves one server at one path, to callers on this machine.
pub fn router(path: &str, dispatcher: Dispatcher) -> Router {
    router_with(path, dispatcher, HttpOptions::default())
}

/// A router that serves one server at one path.
pub fn router_with(path: &str, dispatcher: Dispatcher, options: HttpOptions) -> Router {
    let endpoint = Arc::new(Endpoint {
        dispatcher,
        sessions: Sessions::new(options.most_sessions),
        options,
    });
    Router::new().route(path, any(serve)).with_state(endpoint)
}

// ANCHOR: serve
async fn serve(State(endpoint): State<Arc<Endpoint>>, request: HttpRequest) -> HttpResponse<Body> {
    let (parts, body) = request.into_parts();
    let headers = &parts.headers;
    // DNS rebinding: a page of another site must not reach a server on this machine.
    if let Err(words) = check_site(headers, &endpoint.options) {
        return refusal((StatusCode::FORBIDDEN, words));
    }
    match parts.method {
        Method::POST => {}
        Method::DELETE => return endpoint.delete(headers),
        _ => return not_allowed(),
    }
    if let Err(refused) = check_types(headers) {
        return refusal(refused);
    }
    match body::read(body, endpoint.options.largest_body).await {
        Ok(body) => endpoint.post(headers, &body),
        Err(BodyFault::TooLarge) => refusal((
            StatusCode::PAYLOAD_TOO_LARGE,
            "The body has more bytes than this server takes",
        )),
        Err(BodyFault::Broken) => refusal((StatusCode::BAD_REQUEST, "The body broke off")),
    }
}
// ANCHOR_END: serve

impl Endpoint {
    fn post(&self, headers: &HeaderMap, body: &[u8]) -> HttpResponse<Body> {
        let request = match Message::parse(body) {
            Ok(Message::Request(request)) => request,
            Ok(Message::Response(_)) if is_modern(headers) => {
                let words = "From 2026-07-28 a client sends no responses";
                return refusal((StatusCode::BAD_REQUEST, words));
            }
            Ok(Message::Notification(_) | Message::Response(_)) => return self.accept(headers),
            Err(fault) => return json(StatusCode::BAD_REQUEST, &fault.response()),
        };
        self.request(headers, &request)
    }

    // ANCHOR: http_era
    /// Serves a request in the era to which it belongs.
    fn request(&self, headers: &HeaderMap, request: &Request) -> HttpResponse<Body> {
        let bad_request = |error| answer(StatusCode::BAD_REQUEST, request, Err(error));
        let params = match Params::open(request) {
            Ok(params) => params,
            Err(error) => return bad_request(error),
        };
        let claim = claim(&params);
        if claim == Claim::Session && !is_modern(headers) {
            return self.in_session(headers, request, &params);
        }
        let named = match &claim {
            Claim::Stateless(version) => Some(version.as_ref()),
            Claim::Session | Claim::Incomplete(_) => None,
        };
        if let Err(words) = mirror::check(headers, request, &params, named) {
            return bad_request(ErrorObject::header_mismatch(words));
        }
        match claim {
            Claim::Stateless(version) => {
                let outcome = self.dispatcher.stateless(request, &params, &version);
                answer(stateless_status(&outcome), request, outcome)
            }
            Claim::Incomplete(words) => bad_request(ErrorObject::invalid_params(words)),
            // A modern header without the `_meta` that belongs to it.
            Claim::Session => {
                bad_request(ErrorObject::invalid_params(missing(meta::PROTOCOL_VERSION)))
            }
        }
    }
    // ANCHOR_END: http_era

    fn in_session(
        &self,
        headers: &HeaderMap,
        request: &Request,
        params: &Params<'_>,
    ) -> HttpResponse<Body> {
        let found = if request.method == "initialize" {
            check_version(headers).map(|()| Session::New)
        } else {
            self.session(headers).map(Session::Open)
        };
        let before = match found {
            Ok(session) => session,
            Err((status, words)) => {
                let error = ErrorObject::new(code::INVALID_REQUEST, words);
                return answer(status, request, Err(error));
            }
        };
        let mut session = before;
        let outcome = self.dispatcher.in_session(&mut session, request, params);
        match session {
            Session::Open(revision) if before == Session::New => {
                self.open(revision, request, outcome)
            }
            _ => answer(StatusCode::OK, request, outcome),
        }
    }

    /// Gives the answer to `initialize` the id of a new session.
    fn open(&self, revision: Revision, request: &Request, outcome: Outcome) -> HttpResponse<Body> {
        let id = self.sessions.open(revision).ok();
        let Some(id) = id.and_then(|id| HeaderValue::try_from(id).ok()) else {
            let error = ErrorObject::internal("No session could be opened");
            return answer(StatusCode::INTERNAL_SERVER_ERROR, request, Err(error));
        };
        let mut response = answer(StatusCode::OK, request, outcome);
        response.headers_mut().insert(SESSION_ID, id);
        response
    }

    // ANCHOR: session_of
    /// The revision of the session that a request names (2025-11-25, Transports, Session Management).
    fn session(&self, headers: &HeaderMap) -> Result<Revision, Refusal> {
        check_version(headers)?;
        let id = text(headers, SESSION_ID).ok_or((
            StatusCode::BAD_REQUEST,
            "Mcp-Session-Id is missing; initialize gives one",
        ))?;
        self.sessions.find(id).ok_or((
            StatusCode::NOT_FOUND,
            "There is no such session any more; initialize again, without Mcp-Session-Id",
        ))
    }
    // ANCHOR_END: session_of

    /// A notification, or the answer to a request that these servers never send.
    fn accept(&self, headers: &HeaderMap) -> HttpResponse<Body> {
        if is_modern(headers) {
            return empty(StatusCode::ACCEPTED);
        }
        match self.session(headers) {
            Ok(_) => empty(StatusCode::ACCEPTED),
            Err(refused) => refusal(refused),
        }
    }

    /// Ends a session. In the stateless era there is none to end.
    fn delete(&self, headers: &HeaderMap) -> HttpResponse<Body> {
        if is_modern(headers) {
            return not_allowed();
        }
        if let Err(refused) = self.session(headers) {
            return refusal(refused);
        }
        text(headers, SESSION_ID).map(|id| self.sessions.end(id));
        empty(StatusCode::NO_CONTENT)
    }
}

/// The status of a stateless answer (2026-07-28, Streamable HTTP). A fault that has no status of its own is an answer
/// like others, since the request arrived and was understood as HTTP.
fn stateless_status(outcome: &Outcome) -> StatusCode {
    match outcome {
        Err(error) if error.code == code::METHOD_NOT_FOUND => StatusCode::NOT_FOUND,
        Err(error) if error.is_modern() => StatusCode::BAD_REQUEST,
        _ => StatusCode::OK,
    }
}

/// Whether the version header means the stateless era. A date that is not known here but later than the session era
/// counts too: the body will say which it is.
fn is_modern(headers: &HeaderMap) -> bool {
    text(headers, PROTOCOL_VERSION).is_some_and(|version| match Revision::parse(version) {
        Some(revision) => revision.era() == Era::Stateless,
        None => is_date(version) && version > Revision::newest_of(Era::Session).as_str(),
    })
}

fn is_date(version: &str) -> bool {
    version.len() == 10
        && version
            .bytes()
            .enumerate()
            .all(|(place, byte)| match place {
                4 | 7 => byte == b'-',
                _ => byte.is_ascii_digit(),
            })
}

/// A session's version header may be absent, since the session knows; one that is not spoken here is refused
/// (2025-06-18 and 2025-11-25, Transports, Protocol Version Header).
fn check_version(headers: &HeaderMap) -> Result<(), Refusal> {
    let Some(version) = headers.get(PROTOCOL_VERSION) else {
        return Ok(());
    };
    let known = version
        .to_str()
        .ok()
        .and_then(Revision::parse)
        .is_some_and(|revision| revision.era() == Era::Session);
    if known {
        Ok(())
    } else {
        let words = "MCP-Protocol-Version names a revision that is not spoken here";
        Err((StatusCode::BAD_REQUEST, words))
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn answer(status: StatusCode, request: &Request, outcome: Outcome) -> HttpResponse<Body> {
    let response = Response {
        id: Some(request.id.clone()),
        outcome,
    };
    json(status, &response)
}

fn refusal((status, words): Refusal) -> HttpResponse<Body> {
    let error = ErrorObject::new(code::INVALID_REQUEST, words);
    json(status, &Response::error(None, error))
}

fn json(status: StatusCode, response: &Response) -> HttpResponse<Body> {
    // Room for the result, which is written already, and for the little around it: one allocation an answer.
    let result = response.outcome.as_ref().map_or(0, |raw| raw.get().len());
    let mut body = Vec::with_capacity(result + 128);
    if serde_json::to_writer(&mut body, response).is_err() {
        // Every part is a string, a number or JSON text already, so that writing it cannot fail.
        return empty(StatusCode::INTERNAL_SERVER_ERROR);
    }
    let mut answer = HttpResponse::new(Body::from(body));
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

/// POST serves both eras, DELETE ends sessions; a stream to listen on (GET, up to 2025-11-25) is not offered.
fn not_allowed() -> HttpResponse<Body> {
    let mut answer = empty(StatusCode::METHOD_NOT_ALLOWED);
    answer
        .headers_mut()
        .insert(ALLOW, HeaderValue::from_static("POST, DELETE"));
    answer
}
