//! How does a client in a page talk to a server?
//!
//! With the browser's `fetch`, in a window or in a worker. The headers and the reading of the answer are those of
//! every HTTP transport; only the sending is the browser's. A body is read whole, so that the messages of an event
//! stream come together at its end: the requests of a lab are short.

use std::sync::Mutex;

use js_sys::{Function, Promise, Reflect, Uint8Array};
use lab_protocol::{Message, Request, RequestId, Revision, header};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, Headers, RequestInit, Response};

use crate::client::lock;
use crate::error::TransportError;
use crate::headers::{Remembered, for_text};
use crate::http_reply::HttpReply;
use crate::transport::{Answer, Channel, Direction, Header, Hooks, Transport};

/// A server behind a URL, seen from a page.
#[derive(Debug)]
pub struct FetchTransport {
    url: String,
    remembered: Mutex<Remembered>,
    hooks: Hooks,
}

/// Ends a fetch whose future is dropped.
struct AbortOnDrop(Option<AbortController>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        if let Some(controller) = &self.0 {
            controller.abort();
        }
    }
}

impl FetchTransport {
    /// `url` may be relative to the page.
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            remembered: Mutex::default(),
            hooks: Hooks::default(),
        }
    }

    fn unreachable(&self, error: &JsValue) -> TransportError {
        let message = Reflect::get(error, &"message".into()).ok();
        TransportError::Unreachable {
            server: self.url.clone(),
            reason: message
                .and_then(|message| message.as_string())
                .unwrap_or_else(|| "the browser does not say why".to_owned()),
        }
    }

    async fn fetch(
        &self,
        method: &str,
        headers: &[Header],
        body: Option<&str>,
    ) -> Result<(Response, AbortOnDrop), JsValue> {
        let list = Headers::new()?;
        for (name, value) in headers {
            list.append(name, value)?;
        }
        let controller = AbortController::new()?;
        let init = RequestInit::new();
        init.set_method(method);
        init.set_headers(&list);
        init.set_signal(Some(&controller.signal()));
        if let Some(body) = body {
            init.set_body(&body.into());
        }
        // Window and worker both have it as a global function.
        let global = js_sys::global();
        let fetch: Function = Reflect::get(&global, &"fetch".into())?.dyn_into()?;
        let abort = AbortOnDrop(Some(controller));
        let promise: Promise = fetch
            .call2(&global, &self.url.as_str().into(), &init)?
            .dyn_into()?;
        let response = JsFuture::from(promise).await?.dyn_into()?;
        Ok((response, abort))
    }

    async fn post(
        &self,
        text: &str,
        extra: &[Header],
        awaited: Option<&RequestId>,
    ) -> Result<Option<Answer>, TransportError> {
        let mut headers = for_text(text, &lock(&self.remembered));
        headers.extend_from_slice(extra);
        let mut lines = vec![format!("POST {} HTTP/1.1", path_of(&self.url))];
        lines.extend(
            headers
                .iter()
                .map(|(name, value)| format!("{name}: {value}")),
        );
        self.hooks.observe(Direction::ToServer, text, &lines);

        let (response, mut abort) = self
            .fetch("POST", &headers, Some(text))
            .await
            .map_err(|error| self.unreachable(&error))?;
        let status = response.status();
        let header_of = |name: &str| response.headers().get(name).ok().flatten();
        let content_type = header_of("content-type").unwrap_or_default();
        let mut head = vec![
            format!("HTTP {status} {}", response.status_text())
                .trim()
                .to_owned(),
        ];
        for name in ["content-type", header::SESSION_ID, header::PROTOCOL_VERSION] {
            head.extend(header_of(name).map(|value| format!("{name}: {value}")));
        }
        let body = response.array_buffer().map(JsFuture::from);
        let body = match body {
            Ok(body) => body.await,
            Err(error) => Err(error),
        };
        let body = body.map_err(|error| self.unreachable(&error))?;
        abort.0 = None;
        let bytes = Uint8Array::new(&body).to_vec();

        let used_session = headers.iter().any(|(name, _)| name == header::SESSION_ID);
        if used_session && status == 404 {
            lock(&self.remembered).session = None;
            let body = String::from_utf8_lossy(&bytes);
            self.hooks.observe(Direction::ToClient, &body, &head);
            return Err(TransportError::SessionGone {
                server: self.url.clone(),
            });
        }
        if let Some(session) = header_of(header::SESSION_ID) {
            lock(&self.remembered).session = Some(session);
        }
        let mut reply =
            HttpReply::new(&self.url, &self.hooks, awaited, status, &content_type, head);
        for own_answer in reply.push(&bytes)? {
            Box::pin(self.send(&own_answer.into())).await?;
        }
        reply.finish()
    }
}

impl Transport for FetchTransport {
    fn server(&self) -> &str {
        &self.url
    }

    fn channel(&self) -> Channel {
        Channel::Http
    }

    fn attach(&mut self, hooks: Hooks) {
        self.hooks = hooks;
    }

    fn agree(&self, revision: Revision) {
        lock(&self.remembered).revision = Some(revision);
    }

    async fn request(
        &self,
        request: &Request,
        headers: &[Header],
    ) -> Result<Answer, TransportError> {
        let text = Message::from(request.clone()).to_line();
        let answer = self.post(&text, headers, Some(&request.id)).await?;
        answer.ok_or_else(|| TransportError::NoAnswer {
            server: self.url.clone(),
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

    /// Ends the session, where there is one (2025-11-25, Transports, Session Management, 5).
    async fn close(&self) {
        let remembered = std::mem::take(&mut *lock(&self.remembered));
        if let Some(session) = remembered.session {
            let mut headers = vec![(header::SESSION_ID.to_owned(), session)];
            if let Some(revision) = remembered.revision {
                let version = revision.as_str().to_owned();
                headers.push((header::PROTOCOL_VERSION.to_owned(), version));
            }
            if let Ok((_, mut abort)) = self.fetch("DELETE", &headers, None).await {
                abort.0 = None;
            }
        }
    }
}

/// What stands in a request line: the URL without scheme and host, which a relative one does not have.
fn path_of(url: &str) -> &str {
    match url.split_once("://") {
        None => url,
        Some((_, rest)) => rest.find('/').map_or("/", |start| &rest[start..]),
    }
}
