//! The minimal MCP client that is right: one trait for transports, both eras.
//!
//! Hosts, the labs in the browser and the recorder of the course use it. It knows one server; it does not know
//! models, other servers or permissions (that is the host's business).
//!
//! ```
//! use lab_client::{Client, Era, MemoryTransport, Options};
//!
//! # async fn example() -> Result<(), lab_client::ClientError> {
//! // A server that knows one method.
//! let transport = MemoryTransport::new("tiny", |text: &str| {
//!     text.contains("server/discover").then(|| {
//!         r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{}}}"#.to_owned()
//!     })
//! });
//! let client = Client::connect(transport, Options::default()).await?;
//! assert_eq!(client.era(), Era::Stateless);
//! client.close().await;
//! # Ok(())
//! # }
//! ```
//!
//! Reading order: [`transport`] (what carries messages), [`client`] (what is the same everywhere), [`options`],
//! [`connect`] and [`detect`] (the two eras), [`result_type`], [`list`], [`clock`], [`error`], [`warning`]. Then the
//! transports: [`memory`]; `stdio` with `process` (how a server begins and surely ends), `line` and `pending`;
//! `http` with [`headers`], [`param_header`], [`http_reply`] and [`sse`]; and for the browser `fetch`.
//! The feature `native` brings processes and sockets; without it the crate compiles to WebAssembly.

pub mod client;
pub mod clock;
pub mod connect;
pub mod detect;
pub mod error;
#[cfg(target_arch = "wasm32")]
pub mod fetch;
pub mod headers;
#[cfg(feature = "native")]
pub mod http;
pub mod http_reply;
#[cfg(feature = "native")]
pub mod line;
pub mod list;
mod listener;
pub mod memory;
pub mod options;
pub mod param_header;
#[cfg(feature = "native")]
pub mod pending;
#[cfg(feature = "native")]
pub mod process;
pub mod result_type;
pub mod sse;
#[cfg(feature = "native")]
pub mod stdio;
pub mod transport;
pub mod warning;

pub use client::Client;
pub use connect::Agreement;
pub use error::{ClientError, TransportError};
#[cfg(target_arch = "wasm32")]
pub use fetch::FetchTransport;
#[cfg(feature = "native")]
pub use http::HttpTransport;
pub use lab_protocol::{Era, Revision};
pub use memory::MemoryTransport;
pub use options::{EraChoice, Options};
#[cfg(feature = "native")]
pub use process::ServerCommand;
#[cfg(feature = "native")]
pub use stdio::StdioTransport;
pub use transport::{Answer, Channel, Direction, Hooks, Traced, Transport};
pub use warning::Warning;
