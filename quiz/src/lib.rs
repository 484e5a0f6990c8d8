//! The part of the course that asks: when to use MCP, and what a question or a scenario is.
//!
//! `site-gen` reads questions and scenarios into these types and checks them; `quiz/web` compiles the same
//! code to WebAssembly for the pages. Nothing here does input or output, and nothing here knows Markdown.
//!
//! Reading order: [`decision`] (the rule of chapter 12), [`question`] (the bank), [`scenario`] (the quiz).

pub mod decision;
pub mod question;
pub mod scenario;

pub use decision::{Criteria, Criterion, Verdict, should_use_mcp};
