//! Builds the course: the files of `book/` in, one static folder out.
//!
//! The binary `site-gen` (run as `cargo course`) is the only user. Stages follow one another and none reaches back:
//! [`load`] → [`check`] → [`record`] → [`expand`] → [`render`] → [`finish`] → [`wasm`] → [`search`]; [`pipeline`] runs them.
//!
//! ```no_run
//! use site_gen::pipeline::checked;
//!
//! let (checked, warnings) = checked(std::path::Path::new("."))?;
//! println!("{} questions, {} warnings", checked.course().questions.len(), warnings.len());
//! # Ok::<(), site_gen::pipeline::BuildError>(())
//! ```
//!
//! Reading order: [`model`] (what a course is), [`pipeline`], then the stages in their order with what they use:
//! [`fault`], [`directive`], [`outline`], [`listing`], [`select`], [`tables`], [`highlight`], [`fragments`], [`shell`]. [`preprocess`]
//! serves stock mdBook; [`command`] holds one file a command; [`children`] ends what a command started.

pub mod check;
pub mod children;
pub mod command;
pub mod directive;
pub mod expand;
pub mod fault;
pub mod finish;
#[cfg(test)]
mod fixture;
pub mod fragments;
pub mod highlight;
pub mod listing;
pub mod load;
pub mod model;
pub mod outline;
pub mod pipeline;
pub mod preprocess;
pub mod record;
pub mod render;
pub mod search;
pub mod select;
pub mod shell;
pub mod tables;
pub mod wasm;
