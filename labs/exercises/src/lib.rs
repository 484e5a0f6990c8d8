//! The core lab: five exercises, and six checks that run them.
//!
//! `starter/` and `solution/` hold the same five files; a learner works in `starter/`. The checks know an exercise
//! only by the trait [`Exercises`], start its server as a real child process, and script nothing but the model.
//!
//! ```console
//! cargo course lab starter
//! cargo course lab solution
//! ```
//!
//! Reading order: [`exercises`] (what is to be written), `starter/` from `exercise_1.rs` to `exercise_5.rs`,
//! [`checks`] (what is looked at), `main.rs` (the command line).

pub mod checks;
pub mod exercises;
#[path = "../solution/mod.rs"]
pub mod solution;
#[path = "../starter/mod.rs"]
#[allow(
    clippy::unused_async,
    reason = "what is not written yet does not wait yet"
)]
pub mod starter;

pub use exercises::Exercises;
