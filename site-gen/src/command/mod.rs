//! One file a command.

pub mod bench;
pub mod build;
pub mod check;
pub mod lab;
pub mod preprocess;
pub mod serve;
pub mod test;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use indicatif::{ProgressBar, ProgressStyle};

use crate::pipeline::Progress;

/// The folder that holds `book/`: this one or one above.
///
/// # Errors
/// When there is none.
pub fn root() -> Result<PathBuf, String> {
    let here =
        std::env::current_dir().map_err(|error| format!("this folder cannot be read: {error}"))?;
    here.ancestors()
        .find(|folder| folder.join("book/course.toml").is_file())
        .map(PathBuf::from)
        .ok_or_else(|| {
            "there is no book/course.toml here or above; run this inside the course's folder"
                .to_owned()
        })
}

/// A server of the labs, in this process.
pub fn lab_server(arguments: Vec<OsString>) -> ExitCode {
    match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime.block_on(lab_server::cli::run(
            std::iter::once(OsString::from("lab-server")).chain(arguments),
        )),
        Err(error) => {
            eprintln!("lab-server: {error}");
            ExitCode::FAILURE
        }
    }
}

/// A bar with the stage's name and number; plain lines where there is no terminal.
#[derive(Debug)]
pub struct Bar(ProgressBar);

impl Default for Bar {
    fn default() -> Self {
        let bar = ProgressBar::new(0);
        if let Ok(style) = ProgressStyle::with_template("{bar:24} {pos}/{len} {msg}") {
            bar.set_style(style);
        }
        Self(bar)
    }
}

impl Progress for Bar {
    fn stage(&self, number: usize, of: usize, name: &str) {
        if self.0.is_hidden() {
            eprintln!("[{number}/{of}] {name}");
        } else if name == "wasm" {
            // Cargo draws its own bar.
            self.0.suspend(|| eprintln!("[{number}/{of}] {name}"));
        }
        self.0.set_length(of as u64);
        self.0.set_position(number as u64);
        self.0.set_message(name.to_owned());
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
