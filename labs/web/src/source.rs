//! Which server does a lab talk to: the one in the page, or a live one?

use lab_client::{Answer, Channel, Hooks, MemoryTransport, Revision, Transport, TransportError};
use lab_protocol::{Message, Request};

use crate::shop::Shop;

/// The live server, where there is a browser to fetch with.
#[cfg(target_arch = "wasm32")]
type Live = lab_client::FetchTransport;

/// Natively there is no fetch; the tests use the server in the page alone.
#[cfg(not(target_arch = "wasm32"))]
type Live = MemoryTransport<fn(&str) -> Option<String>>;

/// One of two transports. The client does not notice which.
pub enum Source {
    /// The shop server in this very module.
    Browser(MemoryTransport<Shop>),
    /// A server behind a URL.
    Live(Live),
}

impl Source {
    /// `browser`, or else a URL.
    ///
    /// # Errors
    /// When the server in the page cannot open, in words.
    pub fn choose(source: &str) -> Result<Self, String> {
        if source == "browser" {
            let shop = crate::shop::open()?;
            Ok(Self::Browser(MemoryTransport::new(
                "the shop in this page",
                shop,
            )))
        } else {
            Ok(Self::Live(live(source)))
        }
    }
}

#[cfg(target_arch = "wasm32")]
fn live(url: &str) -> Live {
    lab_client::FetchTransport::new(url)
}

#[cfg(not(target_arch = "wasm32"))]
fn live(url: &str) -> Live {
    MemoryTransport::new(url, |_| None)
}

impl Transport for Source {
    fn server(&self) -> &str {
        match self {
            Self::Browser(transport) => transport.server(),
            Self::Live(transport) => transport.server(),
        }
    }

    fn channel(&self) -> Channel {
        match self {
            Self::Browser(transport) => transport.channel(),
            Self::Live(transport) => transport.channel(),
        }
    }

    fn attach(&mut self, hooks: Hooks) {
        match self {
            Self::Browser(transport) => transport.attach(hooks),
            Self::Live(transport) => transport.attach(hooks),
        }
    }

    fn agree(&self, revision: Revision) {
        match self {
            Self::Browser(transport) => transport.agree(revision),
            Self::Live(transport) => transport.agree(revision),
        }
    }

    async fn request(
        &self,
        request: &Request,
        headers: &[lab_client::transport::Header],
    ) -> Result<Answer, TransportError> {
        match self {
            Self::Browser(transport) => transport.request(request, headers).await,
            Self::Live(transport) => transport.request(request, headers).await,
        }
    }

    async fn send(&self, message: &Message) -> Result<(), TransportError> {
        match self {
            Self::Browser(transport) => transport.send(message).await,
            Self::Live(transport) => transport.send(message).await,
        }
    }

    async fn send_raw(&self, text: &str) -> Result<(), TransportError> {
        match self {
            Self::Browser(transport) => transport.send_raw(text).await,
            Self::Live(transport) => transport.send_raw(text).await,
        }
    }

    async fn close(&self) {
        match self {
            Self::Browser(transport) => transport.close().await,
            Self::Live(transport) => transport.close().await,
        }
    }
}
