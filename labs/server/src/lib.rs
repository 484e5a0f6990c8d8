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
//! Another server is a few lines: each tool is one call, and its argument type is its schema and its validation.
//!
//! ```
//! use lab_protocol::Implementation;
//! use lab_server::{RegisteredTool, Server, ToolFailure};
//!
//! #[derive(serde::Deserialize, schemars::JsonSchema)]
//! #[serde(deny_unknown_fields)]
//! struct Greeting {
//!     /// Whom to greet.
//!     name: String,
//! }
//!
//! let server = Server::new(Implementation::new("greeter", "1.0.0")).tool(RegisteredTool::new(
//!     "greet",
//!     "Greet",
//!     "Greets somebody by name.",
//!     |greeting: Greeting| Ok::<_, ToolFailure>(format!("Hello, {}!", greeting.name)),
//! ));
//! assert_eq!(server.tools().count(), 1);
//! ```
//!
//! Reading order: [`tool_set`] (what adding a tool takes) with [`schema`], [`shop`], [`server`], [`dispatch`] (both
//! eras) with [`params`] and `call`, then the doors: [`stdio`] with [`stdin`]; [`http`] with `guard` (who may come in),
//! `body`, `mirror` (headers against body) and its [`session`]s; [`sets`] and [`cli`] start them by name.

mod call;
pub mod dispatch;
pub mod params;
pub mod schema;
pub mod server;
pub mod sets;
pub mod shop;
pub mod tool_set;

#[cfg(feature = "native")]
mod body;
#[cfg(feature = "native")]
pub mod cli;
#[cfg(feature = "native")]
mod guard;
#[cfg(feature = "native")]
pub mod http;
#[cfg(feature = "native")]
mod mirror;
#[cfg(feature = "native")]
pub mod session;
#[cfg(feature = "native")]
pub mod stdin;
#[cfg(feature = "native")]
pub mod stdio;

pub use dispatch::{Dispatcher, Session};
pub use server::Server;
pub use tool_set::{RegisteredTool, ToolFailure};
