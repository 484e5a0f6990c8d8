//! `cargo course lab`: the six checks. The exercises are compiled apart from this program, so that one that does not
//! compile stops nothing but itself.

use std::path::Path;
use std::process::{Command, ExitCode};

/// Runs the checks on `starter` or `solution`.
pub fn run(root: &Path, folder: &str) -> ExitCode {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .current_dir(root)
        .args([
            "run",
            "--quiet",
            "--release",
            "--package",
            "lab-exercises",
            "--",
            "check",
            folder,
        ])
        .status();
    match status {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("cargo cannot be started: {error}");
            ExitCode::FAILURE
        }
    }
}
