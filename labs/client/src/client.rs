//! What does a client do, whatever carries its messages?
//!
//! It comes to terms with the server, numbers its requests, adds what the era demands, waits no longer than it may,
//! and reads what comes back with care. One client speaks to one server; a host has many.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use lab_protocol::notification::CancelledParams;
use lab_protocol::{
    CallToolResult, Era, ErrorObject, Implementation, Message, Notification, Object, Request,
    RequestId, Revision, ServerCapabilities, code,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::clock::timeout;
use crate::connect::Agreement;
use crate::error::{ClientError, TransportError};
use crate::list::ToolHeaders;
use crate::listener::hooks;
use crate::options::Options;
use crate::result_type::completed;
use crate::transport::{Channel, Header, Hooks, Transport};

/// A connection to one server.
#[derive(Debug)]
pub struct Client<T> {
    transport: T,
    options: Options,
    next_id: AtomicI64,
    agreement: Mutex<Option<Agreement>>,
    /// The era, for the listener that answers the server's requests.
    era: Arc<Mutex<Option<Era>>>,
    pub(crate) tool_headers: Mutex<ToolHeaders>,
    pub(crate) hooks: Hooks,
}

impl<T: Transport> Client<T> {
    /// Connects. Where that fails, the transport is closed before the error comes back.
    pub async fn connect(mut transport: T, options: Options) -> Result<Self, ClientError> {
        let era = Arc::new(Mutex::new(None));
        let hooks = hooks(transport.server(), &options, &era);
        transport.attach(hooks.clone());
        let client = Self {
            transport,
            options,
            next_id: AtomicI64::new(1),
            agreement: Mutex::new(None),
            era,
            tool_headers: Mutex::default(),
            hooks,
        };
        match client.come_to_terms().await {
            Ok(agreement) => {
                *lock(&client.agreement) = Some(agreement);
                Ok(client)
            }
            Err(error) => {
                client.transport.close().await;
                Err(error)
            }
        }
    }

    /// Asks and gives back the result as it came, once it is complete.
    pub async fn request(
        &self,
        method: &str,
        params: Object,
    ) -> Result<Box<RawValue>, ClientError> {
        self.request_within(method, params, &[], self.options.timeout)
            .await
    }

    /// The same with headers for this one request, and a time limit of its own.
    ///
    /// A session that the server has ended is opened again once (2025-11-25, Transports, Session Management, 4).
    pub async fn request_within(
        &self,
        method: &str,
        mut params: Object,
        headers: &[Header],
        limit: Duration,
    ) -> Result<Box<RawValue>, ClientError> {
        if self.era() == Era::Stateless {
            self.add_meta(&mut params);
        }
        match self.exchange(method, &params, headers, limit).await {
            Err(ClientError::Transport(TransportError::SessionGone { .. })) => {
                let agreement = self.connect_session().await?;
                *lock(&self.agreement) = Some(agreement);
                self.exchange(method, &params, headers, limit).await
            }
            outcome => outcome,
        }
    }

    /// Calls a tool. A tool that failed at its business gives a result whose `is_error` is true.
    pub async fn call_tool(
        &self,
        name: &str,
        arguments: Object,
    ) -> Result<CallToolResult, ClientError> {
        let result = self.call_tool_raw(name, arguments).await?;
        self.read("tools/call", &result)
    }

    /// Calls a tool and gives back the result as it came.
    pub async fn call_tool_raw(
        &self,
        name: &str,
        arguments: Object,
    ) -> Result<Box<RawValue>, ClientError> {
        let mut params = Object::new();
        params.insert("name".into(), name.into());
        params.insert("arguments".into(), Value::Object(arguments.clone()));
        let headers = self.headers_of_call(name, &arguments);
        let limit = self.options.timeout;
        let first = self
            .request_within("tools/call", params.clone(), &headers, limit)
            .await;
        match first {
            // The tool's schema may have changed, and with it the headers that the server wants. One look at the
            // list, one more try (2026-07-28, Streamable HTTP, Client Behavior).
            Err(ClientError::Rejected { error, .. })
                if error.code == code::HEADER_MISMATCH
                    && self.transport.channel() == Channel::Http =>
            {
                self.list("tools/list", "tools").await?;
                let headers = self.headers_of_call(name, &arguments);
                self.request_within("tools/call", params, &headers, limit)
                    .await
            }
            outcome => outcome,
        }
    }

    /// Tells the server something.
    pub async fn notify(&self, method: &str, params: Object) -> Result<(), ClientError> {
        let notification = if params.is_empty() {
            Notification::new(method)
        } else {
            Notification::with_params(method, &params)
                .map_err(|error| unwritable(method, &error))?
        };
        Ok(self.transport.send(&notification.into()).await?)
    }

    /// Asks whether the server is there. The stateless era has no such method: any request shows it.
    pub async fn ping(&self) -> Result<(), ClientError> {
        match self.era() {
            Era::Session => self.request("ping", Object::new()).await.map(drop),
            era @ Era::Stateless => Err(ClientError::NotInThisEra {
                server: self.server().to_owned(),
                method: "ping",
                era,
            }),
        }
    }

    /// Sends a text as it is, also one that is no message. What comes back goes to the observer alone.
    pub async fn send_raw(&self, text: &str) -> Result<(), ClientError> {
        match timeout(self.options.timeout, self.transport.send_raw(text)).await {
            Ok(outcome) => Ok(outcome?),
            Err(_) => Err(self.timed_out("the text as typed", self.options.timeout)),
        }
    }

    /// Ends the connection in good order.
    pub async fn close(self) {
        self.transport.close().await;
    }

    /// How the server is called in errors.
    pub fn server(&self) -> &str {
        self.transport.server()
    }

    /// The era of this connection.
    pub fn era(&self) -> Era {
        self.revision().era()
    }

    /// The revision that is spoken.
    pub fn revision(&self) -> Revision {
        self.agreed(|agreement| agreement.revision)
            .unwrap_or_else(|| self.options.preferred(Era::Session))
    }

    /// Who the server says it is. Unverified: for display and logs.
    pub fn server_info(&self) -> Option<Implementation> {
        self.agreed(|agreement| agreement.server_info.clone())
            .flatten()
    }

    /// What the server offers.
    pub fn server_capabilities(&self) -> ServerCapabilities {
        self.agreed(|agreement| agreement.capabilities.clone())
            .unwrap_or_default()
    }

    /// How to use the server, for the model.
    pub fn instructions(&self) -> Option<String> {
        self.agreed(|agreement| agreement.instructions.clone())
            .flatten()
    }

    fn agreed<V>(&self, look: impl FnOnce(&Agreement) -> V) -> Option<V> {
        lock(&self.agreement).as_ref().map(look)
    }

    pub(crate) fn transport(&self) -> &T {
        &self.transport
    }

    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    /// Notes the revision for everybody who has to know it.
    pub(crate) fn agree(&self, revision: Revision) {
        *lock(&self.era) = Some(revision.era());
        self.transport.agree(revision);
    }

    /// A request with the next number (2025-11-25, Requests: never used twice in a session).
    pub(crate) fn numbered(
        &self,
        method: &str,
        params: &impl Serialize,
    ) -> Result<Request, ClientError> {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        Request::new(id, method, params).map_err(|error| unwritable(method, &error))
    }

    /// Asks without looking at the era, and reads the result into its type.
    pub(crate) async fn ask<R: DeserializeOwned>(
        &self,
        method: &str,
        params: &impl Serialize,
    ) -> Result<R, ClientError> {
        let request = self.numbered(method, params)?;
        let result = self.wait(&request, &[], self.options.timeout).await?;
        self.read(method, &result)
    }

    /// Reads a result into its type.
    pub(crate) fn read<R: DeserializeOwned>(
        &self,
        method: &str,
        result: &RawValue,
    ) -> Result<R, ClientError> {
        serde_json::from_str(result.get()).map_err(|error| ClientError::UnexpectedResult {
            server: self.server().to_owned(),
            method: method.to_owned(),
            reason: error.to_string(),
        })
    }

    async fn exchange(
        &self,
        method: &str,
        params: &Object,
        headers: &[Header],
        limit: Duration,
    ) -> Result<Box<RawValue>, ClientError> {
        let mut request = self.numbered(method, params)?;
        if params.is_empty() {
            request.params = None;
        }
        self.wait(&request, headers, limit).await
    }

    // ANCHOR: wait
    /// Sends a request and waits for its result, but no longer than `limit`.
    async fn wait(
        &self,
        request: &Request,
        headers: &[Header],
        limit: Duration,
    ) -> Result<Box<RawValue>, ClientError> {
        let Ok(answer) = timeout(limit, self.transport.request(request, headers)).await else {
            self.cancel(&request.id, &request.method).await;
            return Err(self.timed_out(&request.method, limit));
        };
        match answer?.response.outcome {
            Ok(result) => completed(self.server(), &request.method, result),
            Err(error) => Err(self.rejected(&request.method, error)),
        }
    }

    /// Tells the server that nobody waits any more. In the stateless era over HTTP the closed connection has said
    /// so already; everywhere else it takes a message, and `initialize` is never cancelled (2026-07-28 and
    /// 2025-11-25, Cancellation).
    async fn cancel(&self, id: &RequestId, method: &str) {
        let era = *lock(&self.era);
        if method == "initialize"
            || (self.transport.channel() == Channel::Http && era == Some(Era::Stateless))
        {
            return;
        }
        let params = CancelledParams {
            request_id: id.clone(),
            reason: Some("The client waited long enough".to_owned()),
            meta: None,
        };
        if let Ok(cancelled) = Notification::with_params("notifications/cancelled", &params) {
            // The server did not answer; it may not take this either, and then it is left at that.
            let message = Message::from(cancelled);
            let _ = timeout(Duration::from_secs(1), self.transport.send(&message)).await;
        }
    }
    // ANCHOR_END: wait

    /// Adds what the stateless era wants on every request; what the caller put there stays.
    fn add_meta(&self, params: &mut Object) {
        let ours = self.request_meta(self.revision());
        let entry = params
            .entry("_meta")
            .or_insert_with(|| Value::Object(Object::new()));
        if let (Value::Object(meta), Value::Object(ours)) = (entry, ours) {
            for (key, value) in ours {
                meta.entry(key).or_insert(value);
            }
        }
    }

    pub(crate) fn rejected(&self, method: &str, error: ErrorObject) -> ClientError {
        ClientError::Rejected {
            server: self.server().to_owned(),
            method: method.to_owned(),
            error: Box::new(error),
        }
    }

    fn timed_out(&self, method: &str, after: Duration) -> ClientError {
        ClientError::TimedOut {
            server: self.server().to_owned(),
            method: method.to_owned(),
            after,
        }
    }
}

fn unwritable(method: &str, error: &serde_json::Error) -> ClientError {
    ClientError::Unwritable {
        method: method.to_owned(),
        reason: error.to_string(),
    }
}

pub(crate) fn lock<V>(mutex: &Mutex<V>) -> std::sync::MutexGuard<'_, V> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
