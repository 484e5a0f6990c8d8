//! `cargo course lab`: the six checks. The exercises are compiled apart from this program, so that one that does not
//! compile stops nothing but itself.

use std::path::Path;
use std::process::{Command, ExitCode};

use crate::children::Children;

/// Runs the checks on `starter` or `solution`.
pub fn run(root: &Path, folder: &str, children: &Children) -> ExitCode {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(root).args([
        "run",
        "--quiet",
        "--release",
        "--package",
        "lab-exercises",
        "--",
        "check",
        folder,
    ]);
    match children.run(&mut command) {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => children.exit_code(ExitCode::FAILURE),
        Err(error) => {
            eprintln!("cargo cannot be started: {error}");
            ExitCode::FAILURE
        }
    }
}
