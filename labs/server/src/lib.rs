//! The bundled MCP servers: a dispatcher without input or output, and two doors.
//!
//! Labs, exercises and the build of the course start these servers; the lab pages run the same dispatcher as
//! WebAssembly. A server knows neither its client nor whether a model stands behind it.
//!
//! ```
//! use lab_server::{Dispatcher, Session, shop};
//!
//! let dispatcher = Dispatcher::new(shop::server()?)?;
//! let mut session = Session::default();
//! let answer = dispatcher.handle_text(&mut session, br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
//! assert_eq!(answer.as_deref(), Some(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#));
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! Reading order: [`tool_set`] (what adding a tool takes), [`shop`], [`server`], [`dispatch`] (both eras), then the
//! doors: [`stdio`], [`http`] with its [`session`]s; [`sets`] and [`cli`] start them by name.

pub mod dispatch;
pub mod server;
pub mod shop;
pub mod tool_set;

#[cfg(feature = "native")]
pub mod cli;
#[cfg(feature = "native")]
pub mod http;
#[cfg(feature = "native")]
pub mod session;
#[cfg(feature = "native")]
pub mod sets;
#[cfg(feature = "native")]
pub mod stdio;

pub use dispatch::{Dispatcher, Session};
pub use server::Server;
pub use tool_set::{RegisteredTool, ToolFailure};
