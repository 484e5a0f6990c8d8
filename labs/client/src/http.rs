//! How does a client talk to a server over Streamable HTTP?
//!
//! One address, one POST a message (2026-07-28, Streamable HTTP; 2025-11-25, Transports). The differences between
//! the eras are in the headers, and those are made in [`crate::headers`]; what comes back is read in
//! [`crate::http_reply`]. The GET stream of the session era, for messages that belong to no request, is not opened: it
//! is optional.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use lab_protocol::{Message, Request, RequestId, Revision, header};

use crate::error::TransportError;
use crate::headers::{Remembered, for_text};
use crate::http_reply::HttpReply;
use crate::transport::{Answer, Channel, Direction, Header, Hooks, Transport};

/// A server behind a URL.
#[derive(Debug)]
pub struct HttpTransport {
    url: reqwest::Url,
    http: reqwest::Client,
    remembered: Mutex<Remembered>,
    hooks: Hooks,
}

impl HttpTransport {
    /// Prepares the way to an endpoint such as `http://127.0.0.1:3000/mcp`. Nothing is sent yet.
    ///
    /// # Errors
    /// When the URL is none.
    pub fn new(url: &str) -> Result<Self, TransportError> {
        let unreachable = |reason: String| TransportError::Unreachable {
            server: url.to_owned(),
            reason,
        };
        let parsed = reqwest::Url::parse(url).map_err(|error| unreachable(error.to_string()))?;
        if parsed.scheme() != "http" {
            return Err(unreachable(format!(
                "this client speaks http, not {}; put a proxy that ends TLS before the server",
                parsed.scheme()
            )));
        }
        let mut builder = reqwest::Client::builder()
            // A redirect could lead a request, its session and its arguments to somebody else.
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(Duration::from_secs(10));
        if matches!(parsed.host_str(), Some("localhost" | "127.0.0.1" | "[::1]")) {
            builder = builder.no_proxy();
        }
        Ok(Self {
            http: builder
                .build()
                .map_err(|error| unreachable(words(&error)))?,
            url: parsed,
            remembered: Mutex::default(),
            hooks: Hooks::default(),
        })
    }

    fn remembered(&self) -> Remembered {
        self.remembered
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn remember(&self, change: impl FnOnce(&mut Remembered)) {
        change(
            &mut self
                .remembered
                .lock()
                .unwrap_or_else(PoisonError::into_inner),
        );
    }

    fn unreachable(&self, error: &reqwest::Error) -> TransportError {
        TransportError::Unreachable {
            server: self.url.to_string(),
            reason: words(error),
        }
    }

    // ANCHOR: post
    /// Posts a text and reads what comes back. Whoever drops this future closes the connection of this one POST,
    /// which in the stateless era is how a request is cancelled (2026-07-28, Streamable HTTP, Cancellation).
    async fn post(
        &self,
        text: &str,
        extra: &[Header],
        awaited: Option<&RequestId>,
    ) -> Result<Option<Answer>, TransportError> {
        let remembered = self.remembered();
        let mut headers = for_text(text, &remembered);
        headers.extend_from_slice(extra);
        self.observe_request(text, &headers);
        let mut post = self.http.post(self.url.clone()).body(text.to_owned());
        for (name, value) in &headers {
            post = post.header(name, value);
        }
        let mut response = post
            .send()
            .await
            .map_err(|error| self.unreachable(&error))?;

        let status = response.status();
        let used_session = headers.iter().any(|(name, _)| name == header::SESSION_ID);
        if used_session && status == reqwest::StatusCode::NOT_FOUND {
            self.remember(|remembered| remembered.session = None);
            let head = response_head(&response);
            let body = response.chunk().await.ok().flatten().unwrap_or_default();
            let body = String::from_utf8_lossy(&body);
            self.hooks.observe(Direction::ToClient, &body, &head);
            return Err(TransportError::SessionGone {
                server: self.url.to_string(),
            });
        }
        if let Some(session) = text_of(&response, header::SESSION_ID) {
            self.remember(|remembered| remembered.session = Some(session));
        }
        let content_type = text_of(&response, "content-type").unwrap_or_default();
        let head = response_head(&response);
        let server = self.server();
        let mut reply = HttpReply::new(
            server,
            &self.hooks,
            awaited,
            status.as_u16(),
            &content_type,
            head,
        );
        // The answer ends the stream, whether or not the server closes it.
        while !reply.is_answered()
            && let Some(bytes) = response
                .chunk()
                .await
                .map_err(|error| self.unreachable(&error))?
        {
            for own_answer in reply.push(&bytes)? {
                // Boxed, because this future would otherwise contain itself.
                Box::pin(self.send(&own_answer.into())).await?;
            }
        }
        reply.finish()
    }
    // ANCHOR_END: post

    fn observe_request(&self, text: &str, headers: &[Header]) {
        let mut lines = vec![format!("POST {} HTTP/1.1", self.url.path())];
        lines.extend(
            headers
                .iter()
                .map(|(name, value)| format!("{name}: {value}")),
        );
        self.hooks.observe(Direction::ToServer, text, &lines);
    }
}

impl Transport for HttpTransport {
    fn server(&self) -> &str {
        self.url.as_str()
    }

    fn channel(&self) -> Channel {
        Channel::Http
    }

    fn attach(&mut self, hooks: Hooks) {
        self.hooks = hooks;
    }

    fn agree(&self, revision: Revision) {
        self.remember(|remembered| remembered.revision = Some(revision));
    }

    async fn request(
        &self,
        request: &Request,
        headers: &[Header],
    ) -> Result<Answer, TransportError> {
        let text = Message::from(request.clone()).to_line();
        let answer = self.post(&text, headers, Some(&request.id)).await?;
        answer.ok_or_else(|| TransportError::NoAnswer {
            server: self.url.to_string(),
        })
    }

    async fn send(&self, message: &Message) -> Result<(), TransportError> {
        self.post(&message.to_line(), &[], None).await.map(drop)
    }

    async fn send_raw(&self, text: &str) -> Result<(), TransportError> {
        match self.post(text, &[], None).await {
            // The observer has seen it; for a raw text a refusal is an answer like any other.
            Err(TransportError::Refused { .. }) => Ok(()),
            other => other.map(drop),
        }
    }

    /// Ends the session, where there is one (2025-11-25, Transports, Session Management, 5). In the stateless era
    /// there is nothing to end.
    async fn close(&self) {
        let remembered = self.remembered();
        self.remember(|remembered| remembered.session = None);
        if let Some(session) = remembered.session {
            let mut delete = self
                .http
                .delete(self.url.clone())
                .timeout(Duration::from_secs(2))
                .header(header::SESSION_ID, session);
            if let Some(revision) = remembered.revision {
                delete = delete.header(header::PROTOCOL_VERSION, revision.as_str());
            }
            // A server may refuse (405) or be gone already; either way this side is done.
            let _ = delete.send().await;
        }
    }
}

/// The status line and MCP's own headers, for the observer.
fn response_head(response: &reqwest::Response) -> Vec<String> {
    let mut lines = vec![format!("HTTP/1.1 {}", response.status())];
    for name in ["content-type", header::SESSION_ID, header::PROTOCOL_VERSION] {
        lines.extend(text_of(response, name).map(|value| format!("{name}: {value}")));
    }
    lines
}

fn text_of(response: &reqwest::Response, name: &str) -> Option<String> {
    let value = response.headers().get(name)?;
    value.to_str().ok().map(ToOwned::to_owned)
}

/// The last cause is the one that helps: "connection refused" rather than "error sending request".
fn words(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}
