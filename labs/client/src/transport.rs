//! What must something be able to do to carry messages to a server and back?
//!
//! MCP does not care how messages travel (2026-07-28 and 2025-11-25, Transports): a transport delivers each message
//! whole and in order, and that is all. So everything above this trait is written once, for a child process, for
//! HTTP, for a browser's `fetch` and for a server in the same program.

use std::fmt;

use lab_protocol::{Message, Request, Response, Revision};

use crate::error::TransportError;
use crate::warning::Warning;

// ANCHOR: transport
/// Carries messages to one server and back. Calls may overlap: every method takes `&self`.
///
/// The trait asks nothing about threads, because a browser has none. The native transports give futures that may
/// move between threads, and the compiler sees that through the concrete type.
#[allow(async_fn_in_trait)]
pub trait Transport {
    /// How the server is called in errors: a name, a command or a URL.
    fn server(&self) -> &str;

    /// Which of the specification's rules for eras and cancellation apply.
    fn channel(&self) -> Channel;

    /// Says whom to tell what. Called once, before the first message; nothing is read from the server earlier.
    fn attach(&mut self, hooks: Hooks);

    /// Remembers the revision that client and server agreed on; HTTP repeats it in a header.
    fn agree(&self, _revision: Revision) {}

    /// Sends a request and waits for its answer. Whoever drops the future stops waiting.
    ///
    /// `headers` are what HTTP adds for this one request; the other transports have no headers.
    async fn request(
        &self,
        request: &Request,
        headers: &[Header],
    ) -> Result<Answer, TransportError>;

    /// Sends a notification, or the response to a request of the server. Nothing comes back.
    async fn send(&self, message: &Message) -> Result<(), TransportError>;

    /// Sends a text as it is, also one that is no message. What comes back goes to the observer alone.
    /// Returns when an answer came or none is to be expected.
    async fn send_raw(&self, text: &str) -> Result<(), TransportError>;

    /// Ends the connection in good order. Also safe to call twice.
    async fn close(&self);
}
// ANCHOR_END: transport

/// A header's name and value.
pub type Header = (String, String);

/// The two kinds of way to a server that the specification tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// One stream in each direction that all messages share: stdio, or a server in the same program.
    Pipe,
    /// Every message its own POST, every answer with a status.
    Http,
}

/// The answer to a request.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The message.
    pub response: Response,
    /// The status it came with, over HTTP.
    pub status: Option<u16>,
}

/// Whom a transport tells what it sees.
#[derive(Clone, Default)]
pub struct Hooks {
    /// Sees every message.
    pub observer: Option<Observer>,
    /// Hears of what is wrong and yet no reason to stop.
    pub reporter: Option<Reporter>,
    /// Gets what no request waits for: notifications, and in the session era requests of the server. What it
    /// returns is sent back.
    pub listener: Option<Listener>,
}

impl Hooks {
    /// Shows a message to the observer.
    pub fn observe(&self, direction: Direction, raw: &str, http: &[String]) {
        if let Some(observer) = &self.observer {
            observer(&Traced {
                direction,
                raw,
                http,
            });
        }
    }

    /// Passes a warning on.
    pub fn report(&self, warning: &Warning) {
        if let Some(reporter) = &self.reporter {
            reporter(warning);
        }
    }

    /// Hands over a message that no request waits for, and gives back what is to be sent in return.
    pub fn listen(&self, message: Message) -> Option<Response> {
        self.listener
            .as_ref()
            .and_then(|listener| listener(message))
    }
}

impl fmt::Debug for Hooks {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Hooks")
    }
}

/// One message exactly as it crossed.
#[derive(Clone, Copy, Debug)]
pub struct Traced<'a> {
    /// Which way it went.
    pub direction: Direction,
    /// The text, without a line's end. Empty for an HTTP error that came without a body.
    pub raw: &'a str,
    /// Over HTTP: the request line with MCP's headers, or the status line with the content type. Later messages
    /// of one event stream have none.
    pub http: &'a [String],
}

/// Which way a message went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the client to the server.
    ToServer,
    /// From the server to the client.
    ToClient,
    /// A line that the server wrote to stderr: for people, never a message.
    Stderr,
}

impl Direction {
    /// `to-server`, `to-client` or `stderr`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ToServer => "to-server",
            Self::ToClient => "to-client",
            Self::Stderr => "stderr",
        }
    }
}

// Threads exist everywhere but in the browser, and JavaScript's values must not leave theirs.
#[cfg(not(target_arch = "wasm32"))]
mod shared {
    use std::sync::Arc;

    use super::{Message, Response, Traced, Warning};

    /// Sees every message.
    pub type Observer = Arc<dyn Fn(&Traced<'_>) + Send + Sync>;
    /// Hears every warning.
    pub type Reporter = Arc<dyn Fn(&Warning) + Send + Sync>;
    /// Gets what no request waits for.
    pub type Listener = Arc<dyn Fn(Message) -> Option<Response> + Send + Sync>;
    /// Gets the notifications of a server.
    pub type NotificationHandler = Arc<dyn Fn(&lab_protocol::Notification) + Send + Sync>;
}

#[cfg(target_arch = "wasm32")]
mod shared {
    use std::sync::Arc;

    use super::{Message, Response, Traced, Warning};

    /// Sees every message.
    pub type Observer = Arc<dyn Fn(&Traced<'_>)>;
    /// Hears every warning.
    pub type Reporter = Arc<dyn Fn(&Warning)>;
    /// Gets what no request waits for.
    pub type Listener = Arc<dyn Fn(Message) -> Option<Response>>;
    /// Gets the notifications of a server.
    pub type NotificationHandler = Arc<dyn Fn(&lab_protocol::Notification)>;
}

pub use shared::{Listener, NotificationHandler, Observer, Reporter};
