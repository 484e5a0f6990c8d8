//! How does a piece of compiled code get into a chapter?

use std::fs;
use std::path::{Component, Path};

use crate::highlight::Highlighter;
use crate::model::{Code, Listing};

/// Why there is no such listing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ListingError {
    /// The path leads out of the folders that hold code.
    #[error("the path {0} is not below labs/ or quiz/")]
    Outside(String),
    /// The file cannot be read.
    #[error("{path} cannot be read: {reason}")]
    Unreadable {
        /// The file.
        path: String,
        /// Why.
        reason: String,
    },
    /// The anchor is not there, or not closed.
    #[error("{path} has no anchor {anchor}; it has: {known}")]
    NoAnchor {
        /// The file.
        path: String,
        /// What was looked for.
        anchor: String,
        /// What there is.
        known: String,
    },
}

/// A listing's code without its highlighting: language, path, first line and text.
pub fn cut(root: &Path, argument: &str) -> Result<Code, ListingError> {
    let (path, anchor) = match argument.rsplit_once(':') {
        Some((path, anchor)) => (path, Some(anchor)),
        None => (argument, None),
    };
    let relative = Path::new(path);
    let inside = relative
        .components()
        .all(|part| matches!(part, Component::Normal(_)))
        && (relative.starts_with("labs") || relative.starts_with("quiz"));
    if !inside {
        return Err(ListingError::Outside(path.to_owned()));
    }
    let source =
        fs::read_to_string(root.join(relative)).map_err(|error| ListingError::Unreadable {
            path: path.to_owned(),
            reason: error.to_string(),
        })?;
    let (first_line, text) = match anchor {
        None => (1, without_anchors(&source)),
        Some(anchor) => between(&source, anchor).ok_or_else(|| ListingError::NoAnchor {
            path: path.to_owned(),
            anchor: anchor.to_owned(),
            known: anchors(&source).join(", "),
        })?,
    };
    Ok(Code {
        language: language(path).to_owned(),
        path: path.to_owned(),
        first_line,
        text,
        html: String::new(),
    })
}

/// The listing of a directive, highlighted.
pub fn listing(
    root: &Path,
    argument: &str,
    highlighter: &Highlighter,
) -> Result<Listing, ListingError> {
    let mut code = cut(root, argument)?;
    code.html = highlighter.html(&code.language, &code.text);
    Ok(Listing {
        name: argument.to_owned(),
        codes: vec![code],
    })
}

fn language(path: &str) -> &'static str {
    match Path::new(path)
        .extension()
        .and_then(|extension| extension.to_str())
    {
        Some("rs") => "rust",
        Some("js" | "mjs") => "javascript",
        Some("py") => "python",
        Some("java") => "java",
        Some("swift") => "swift",
        Some("toml") => "toml",
        Some("json") => "json",
        _ => "text",
    }
}

/// The name in a line `// ANCHOR: name` or `# ANCHOR: name`.
fn marker<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let comment = line
        .trim_start()
        .strip_prefix("//")
        .or_else(|| line.trim_start().strip_prefix('#'))?;
    comment.trim_start().strip_prefix(word).map(str::trim)
}

fn is_marker(line: &str) -> bool {
    marker(line, "ANCHOR:").is_some() || marker(line, "ANCHOR_END:").is_some()
}

fn anchors(source: &str) -> Vec<&str> {
    source
        .lines()
        .filter_map(|line| marker(line, "ANCHOR:"))
        .collect()
}

fn without_anchors(source: &str) -> String {
    source
        .lines()
        .filter(|line| !is_marker(line))
        .map(|line| format!("{line}\n"))
        .collect()
}

/// The lines between an anchor and its end, outdented, and the number of the first.
fn between(source: &str, anchor: &str) -> Option<(usize, String)> {
    let start = source
        .lines()
        .position(|line| marker(line, "ANCHOR:") == Some(anchor))?;
    let length = source
        .lines()
        .skip(start)
        .position(|line| marker(line, "ANCHOR_END:") == Some(anchor))?;
    let lines: Vec<&str> = source
        .lines()
        .skip(start + 1)
        .take(length - 1)
        .filter(|line| !is_marker(line))
        .collect();
    let indent = lines
        .iter()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    let text = lines
        .iter()
        .map(|line| format!("{}\n", line.get(indent..).unwrap_or_default()))
        .collect();
    Some((start + 2, text))
}

#[cfg(test)]
mod tests {
    use super::{ListingError, between, cut};

    #[test]
    fn an_anchor_gives_its_lines_outdented_and_without_other_anchors() {
        let source = "a\n    // ANCHOR: x\n    fn f() {\n    // ANCHOR: y\n        1\n    // ANCHOR_END: y\n    }\n    // ANCHOR_END: x\n";
        assert_eq!(
            between(source, "x"),
            Some((3, "fn f() {\n    1\n}\n".to_owned()))
        );
        assert_eq!(between(source, "z"), None);
    }

    #[test]
    fn a_path_that_climbs_out_is_refused() {
        let root = std::path::Path::new(".");
        for path in [
            "../secret.rs:x",
            "labs/../../x.rs",
            "/etc/passwd",
            "book/en/index.md",
        ] {
            assert!(
                matches!(cut(root, path), Err(ListingError::Outside(_))),
                "{path}"
            );
        }
    }
}
