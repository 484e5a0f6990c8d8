//! What is wrong with the content, where, and what to do about it?

use std::ops::Range;
use std::path::{Path, PathBuf};

use miette::{Diagnostic, NamedSource, SourceSpan};

/// How grave a fault is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gravity {
    /// The build stops.
    Error,
    /// The build goes on.
    Warning,
}

/// One fault in one file.
#[derive(Clone, Debug)]
pub struct Fault {
    /// How grave.
    pub gravity: Gravity,
    /// The file.
    pub path: PathBuf,
    /// Line and column, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub hint: String,
    source: String,
    span: Range<usize>,
}

impl Fault {
    /// A fault at a range of bytes of a file's text.
    pub fn at(
        path: &Path,
        source: &str,
        span: Range<usize>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        let start = (0..=span.start.min(source.len()))
            .rev()
            .find(|at| source.is_char_boundary(*at))
            .unwrap_or(0);
        let before = &source[..start];
        let line = before.matches('\n').count() + 1;
        let column = before
            .rsplit('\n')
            .next()
            .unwrap_or_default()
            .chars()
            .count()
            + 1;
        Self {
            gravity: Gravity::Error,
            path: path.to_owned(),
            line,
            column,
            message: message.into(),
            hint: hint.into(),
            source: source.to_owned(),
            span: start..span.end.clamp(start, source.len()),
        }
    }

    /// A fault of a file as a whole.
    pub fn of_file(path: &Path, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::at(path, "", 0..0, message, hint)
    }

    /// The same as a warning.
    #[must_use]
    pub fn warning(mut self) -> Self {
        self.gravity = Gravity::Warning;
        self
    }
}

#[derive(Debug, Diagnostic, thiserror::Error)]
#[error("{message}")]
struct Report {
    message: String,
    #[help]
    hint: String,
    #[source_code]
    source_code: NamedSource<String>,
    #[label("here")]
    span: SourceSpan,
}

/// Shows faults as people read them: with the line of the source, the place marked.
pub fn render(faults: &[Fault]) -> String {
    let handler =
        miette::GraphicalReportHandler::new_themed(miette::GraphicalTheme::unicode_nocolor());
    let mut text = String::new();
    for fault in faults {
        let place = format!("{}:{}:{}", fault.path.display(), fault.line, fault.column);
        let kind = match fault.gravity {
            Gravity::Error => "error",
            Gravity::Warning => "warning",
        };
        if fault.source.is_empty() {
            text.push_str(&format!(
                "{kind}: {place}: {}\n  help: {}\n\n",
                fault.message, fault.hint
            ));
            continue;
        }
        let report = Report {
            message: format!("{kind}: {place}: {}", fault.message),
            hint: fault.hint.clone(),
            source_code: NamedSource::new(fault.path.display().to_string(), fault.source.clone()),
            span: (
                fault.span.start,
                fault
                    .span
                    .len()
                    .max(1)
                    .min(fault.source.len() - fault.span.start),
            )
                .into(),
        };
        if handler.render_report(&mut text, &report).is_err() {
            text.push_str(&report.message);
        }
        text.push('\n');
    }
    text
}
