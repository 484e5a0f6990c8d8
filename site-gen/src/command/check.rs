//! `cargo course check`: is the content sound?

use std::path::Path;
use std::process::ExitCode;

use crate::fault;
use crate::pipeline::{BuildError, checked};

/// Prints every fault; exit status 0 only without errors.
pub fn run(root: &Path) -> ExitCode {
    match checked(root) {
        Ok((checked, warnings)) => {
            eprint!("{}", fault::render(&warnings));
            let course = checked.course();
            println!(
                "sound: {} pages a language, {} questions, {} scenarios, {} exchanges, {} warnings",
                course.books[0].pages().count(),
                course.questions.len(),
                course.scenarios.len(),
                course.exchanges.len(),
                warnings.len()
            );
            ExitCode::SUCCESS
        }
        Err(BuildError::Content(faults)) => {
            eprint!("{}", fault::render(&faults));
            eprintln!("{} faults", faults.len());
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
