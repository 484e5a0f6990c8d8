//! `cargo course bench`: is the course as light and as quick as it means to be?
//!
//! Speeds are ratios against a peer that is measured in the same run, turn by turn, so that they mean the same on any
//! machine; sizes are bytes of what a reader fetches. A figure that falls short is shown as such and ends nothing.

pub mod calls;
pub mod content;
pub mod figure;
pub mod sizes;
pub mod stock;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use crate::children::Children;
use crate::command::Bar;
use crate::pipeline::{BuildOptions, Content, build, content_alone};
use crate::record::ServerProgram;

use figure::{Figure, as_json, table};

/// The chapter whose weight is shown: no lab and no quiz stands in it.
const PLAIN_CHAPTER: &str = "04-lifecycle";

/// Measures all, prints a table, and writes the figures where that is wanted.
pub fn run(root: &Path, json: Option<&Path>, children: &Children) -> ExitCode {
    let figures = match measure(root, children) {
        Ok(figures) => figures,
        Err(words) => {
            eprintln!("{words}");
            return children.exit_code(ExitCode::FAILURE);
        }
    };
    print!("{}", table(&figures));
    let Some(path) = json else {
        return ExitCode::SUCCESS;
    };
    match fs::write(path, as_json(&figures)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", path.display());
            ExitCode::FAILURE
        }
    }
}

fn measure(root: &Path, children: &Children) -> Result<Vec<Figure>, String> {
    let program = ServerProgram::this_program()
        .map_err(|error| format!("this program cannot find itself: {error}"))?;
    let options = BuildOptions {
        root: root.to_owned(),
        out: root.join("target/bench/site"),
        site: None,
        live: false,
        children: children.clone(),
    };
    eprintln!("[1/4] the site that is weighed");
    let bar = Bar::default();
    let summary = build(&options, &program, &bar).map_err(|error| error.to_string())?;
    drop(bar);

    eprintln!("[2/4] sizes");
    let scratch = tempfile::tempdir().map_err(|error| format!("no scratch folder: {error}"))?;
    let content = quiet_content(&options, &program)?;
    let books = stock::sources(&content, scratch.path())?;
    let stock_pages = scratch.path().join("pages");
    stock::build(&books[0], &stock_pages)?;
    let mut figures = sizes::measure(
        &options.out.join(format!("en/{PLAIN_CHAPTER}.html")),
        &stock_pages.join(format!("{PLAIN_CHAPTER}.html")),
        &summary.figures,
    )?;

    eprintln!("[3/4] content build, turn by turn with stock mdBook");
    figures.push(content::measure(&books, scratch.path(), || {
        quiet_content(&options, &program).map(drop)
    })?);

    eprintln!("[4/4] tools/call over HTTP, turn by turn with a bare handler");
    figures.push(calls::measure(children)?);
    Ok(figures)
}

fn quiet_content(options: &BuildOptions, program: &ServerProgram) -> Result<Content, String> {
    content_alone(options, program, &()).map_err(|error| error.to_string())
}

/// The middle of several measurements.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => f64::NAN,
        odd if odd % 2 == 1 => values[middle],
        _ => f64::midpoint(values[middle - 1], values[middle]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::float_cmp, reason = "these are exact")]
    fn the_median_is_the_middle_of_odd_and_even_counts() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
        assert!(median(Vec::new()).is_nan());
    }
}
