//! The messages of the Model Context Protocol, for both eras, without input or output.
//!
//! `client`, `server` and `bridge` stand on this crate; it stands on nothing of ours. It compiles to
//! WebAssembly. It does not know how a message travels (that is a transport's business) and it decides nothing
//! about who may say what when (that is the client's and the server's).
//!
//! ```
//! use lab_protocol::{Message, Request};
//!
//! let line = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#;
//! let Ok(Message::Request(Request { method, .. })) = Message::parse(line.as_bytes()) else {
//!     panic!("a request was expected");
//! };
//! assert_eq!(method, "tools/list");
//! ```
//!
//! Reading order: [`request_id`], [`message`] (how a line becomes a message), [`error`], [`revision`] (the two
//! eras), [`meta`] (what every request of 2026-07-28 says about itself), [`lifecycle`], [`tool`], [`content`],
//! [`header`] (what Streamable HTTP repeats outside the body), then the rest of the primitives:
//! [`resource`], [`prompt`], [`completion`], [`notification`], [`input`] (multi round-trip requests),
//! [`elicitation`], [`sampling`].

pub mod completion;
pub mod content;
pub mod elicitation;
pub mod error;
pub mod header;
pub mod input;
pub mod lifecycle;
pub mod message;
pub mod meta;
pub mod notification;
pub mod prompt;
pub mod request_id;
pub mod resource;
pub mod revision;
pub mod sampling;
pub mod tool;

pub use content::ContentBlock;
pub use error::{ErrorObject, code};
pub use lifecycle::{ClientCapabilities, Implementation, ServerCapabilities};
pub use message::{FaultKind, Message, MessageFault, Notification, Request, Response};
pub use meta::RequestMeta;
pub use request_id::RequestId;
pub use revision::{Era, Revision};
pub use tool::{CallToolResult, Tool};

/// A JSON object; keys keep the order in which they were written.
pub type Object = serde_json::Map<String, serde_json::Value>;
