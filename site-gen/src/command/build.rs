//! `cargo course build`: the static site.

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use crate::children::Children;
use crate::command::Bar;
use crate::fault;
use crate::pipeline::{BuildOptions, Summary, build};
use crate::record::ServerProgram;

/// Builds, and ends with a line of figures.
pub fn run(root: &Path, out: &Path, site: Option<String>, children: &Children) -> ExitCode {
    let out = if out.is_absolute() {
        out.to_owned()
    } else {
        root.join(out)
    };
    let options = BuildOptions {
        root: root.to_owned(),
        out: out.clone(),
        site,
        live: false,
        children: children.clone(),
    };
    let start = Instant::now();
    let bar = Bar::default();
    let outcome = ServerProgram::this_program()
        .map_err(|error| error.to_string())
        .and_then(|program| build(&options, &program, &bar).map_err(|error| error.to_string()));
    drop(bar);
    match outcome {
        Ok(summary) => {
            eprint!("{}", fault::render(&summary.warnings));
            println!("{}", line(&summary, &out, start));
            ExitCode::SUCCESS
        }
        Err(words) => {
            eprintln!("{words}");
            children.exit_code(ExitCode::FAILURE)
        }
    }
}

/// What was made, in one line.
pub fn line(summary: &Summary, out: &Path, start: Instant) -> String {
    let figures = &summary.figures;
    format!(
        "{}: {} chapters in each of 2 languages, {} questions, {} scenarios, {} recorded exchanges, {} KB, {:.1} s",
        out.display(),
        figures["chapters"]["en"],
        figures["questions"],
        figures["scenarios"],
        figures["exchanges"],
        figures["bytes"].as_u64().unwrap_or_default() / 1024,
        start.elapsed().as_secs_f64()
    )
}
