//! The part of the course that asks: when to use MCP, and what a question or a scenario is.
//!
//! `site-gen` reads questions and scenarios into these types and checks them; `quiz/web` compiles the same
//! code to WebAssembly for the pages. Nothing here does input or output, and nothing here knows Markdown.
//!
//! ```
//! use quiz::{Criteria, Criterion, should_use_mcp};
//!
//! let verdict = should_use_mcp(Criteria { other_maintainer: true, ..Criteria::default() });
//! assert!(verdict.use_mcp);
//! assert_eq!(verdict.reasons, [Criterion::OtherMaintainer]);
//! ```
//!
//! Reading order: [`decision`] (the rule of chapter 12), [`question`] (the bank), [`fault`] (what is wrong
//! with a question), [`scenario`] (the quiz).

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

pub mod decision;
pub mod fault;
pub mod question;
pub mod scenario;

pub use decision::{Criteria, Criterion, Verdict, should_use_mcp};
