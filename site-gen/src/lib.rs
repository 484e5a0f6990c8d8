//! Builds the course: files of `book/` in, one static folder out.
pub mod model;
