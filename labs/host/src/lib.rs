//! The part of a host that talks to a model.
//!
//! The exercises and the lab pages run this loop. It knows tools only in the form that a model knows them, and
//! calls only as [`ToolCaller`] carries them out; which client and which server stand behind a tool is none of its
//! business. Nothing here does input or output, and it compiles to WebAssembly.
//!
//! Reading order: [`agent`] (list, ask, call, feed back, until it answers), [`model`] (what a model is to the
//! loop), [`scripted`] (a model without a network, which sees only what a model would see).

pub mod agent;
pub mod model;
pub mod scripted;

pub use agent::{AgentError, MadeCall, ToolCaller, Turn, run_turn};
pub use model::{Model, ModelError};
pub use scripted::ScriptedModel;
