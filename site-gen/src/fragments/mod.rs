//! What does a directive look like in a page? One file a fragment; each gives HTML that works without JavaScript.
//!
//! The hooks (`data-exchange`, `data-message`, `data-listing`, `data-goal`, `data-question`) are a contract with tests and
//! scripts; class names are free.

mod chapters;
mod code_listing;
mod exchange;
mod goals;
mod lab;
pub mod markdown;
pub mod pretty;
mod question;
mod quiz;
#[cfg(test)]
mod tests;
pub mod words;

pub use chapters::chapters;
pub use code_listing::listing;
pub use exchange::exchange;
pub use goals::goals;
pub use lab::lab;
pub use question::{QuestionLayout, questions};
pub use quiz::quiz;
