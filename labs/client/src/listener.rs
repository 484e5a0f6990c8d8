//! What does a client do with messages that no call waits for?
//!
//! Notifications go to whoever wants them. Requests of the server exist in the session era alone, and each must be
//! answered there; in the stateless era a client must not answer any (2026-07-28, stdio, Sending Messages).

use std::sync::{Arc, Mutex};

use lab_protocol::{Era, ErrorObject, Message, Object, Request, Response};

use crate::client::lock;
use crate::options::Options;
use crate::transport::Hooks;
use crate::warning::Warning;

/// What the transport tells whom.
#[allow(clippy::arc_with_non_send_sync)] // A page has one thread; the type is shared with hosts that have many.
pub(crate) fn hooks(server: &str, options: &Options, era: &Arc<Mutex<Option<Era>>>) -> Hooks {
    let era = Arc::clone(era);
    let server = server.to_owned();
    let on_notification = options.on_notification.clone();
    let reporter = options.reporter.clone();
    Hooks {
        observer: options.observer.clone(),
        reporter: options.reporter.clone(),
        listener: Some(Arc::new(move |message| match message {
            Message::Notification(notification) => {
                if let Some(handler) = &on_notification {
                    handler(&notification);
                }
                None
            }
            Message::Request(request) if *lock(&era) == Some(Era::Stateless) => {
                if let Some(reporter) = &reporter {
                    reporter(&Warning::ForbiddenRequest {
                        server: server.clone(),
                        method: request.method,
                    });
                }
                None
            }
            Message::Request(request) => Some(answer(request)),
            Message::Response(_) => None,
        })),
    }
}

/// What this client answers to a server's request in the session era. It declares no capability, so that a server has
/// nothing to ask but `ping` (2025-11-25, Ping).
fn answer(request: Request) -> Response {
    if request.method == "ping" {
        Response::result(request.id, &Object::new())
    } else {
        let error = ErrorObject::method_not_found(&request.method);
        Response::error(Some(request.id), error)
    }
}
