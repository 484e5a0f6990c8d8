//! `cargo course preprocess`: this course as a preprocessor of stock mdBook.

use std::io::{stdin, stdout};
use std::path::Path;
use std::process::ExitCode;

use crate::preprocess;
use crate::record::ServerProgram;

/// Answers `supports RENDERER`, or reads a book from stdin and writes it to stdout.
pub fn run(root: &Path, question: &[String]) -> ExitCode {
    if let [word, renderer, ..] = question
        && word == "supports"
    {
        return if renderer == "html" {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        };
    }
    let outcome = ServerProgram::this_program()
        .map_err(|error| error.to_string())
        .and_then(|program| preprocess::run(root, &program, stdin().lock(), stdout().lock()));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(words) => {
            eprintln!("{words}");
            ExitCode::FAILURE
        }
    }
}
