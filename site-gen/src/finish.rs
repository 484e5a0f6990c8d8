//! How do chapters become pages, and what else does the site hold?

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use quiz::should_use_mcp;
use serde_json::{Value, json};

use crate::expand::{Expanded, marker};
use crate::highlight::Highlighter;
use crate::model::{Course, Lang, Transcript};
use crate::outline;
use crate::shell::{PageContext, Shell, ShellError};

/// Why the site could not be written.
#[derive(Debug, thiserror::Error)]
pub enum FinishError {
    /// A page.
    #[error(transparent)]
    Shell(#[from] ShellError),
    /// A file.
    #[error("{path} cannot be written: {reason}")]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: std::io::Error,
    },
    /// Markdown swallowed a fragment.
    #[error(
        "{path}: fragment {number} did not come through mdBook; give its directive a line of its own"
    )]
    Lost {
        /// The page.
        path: PathBuf,
        /// The number of its directive, counted from 1.
        number: usize,
    },
    /// The theme.
    #[error("{path} cannot be read: {reason}")]
    Theme {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        reason: std::io::Error,
    },
}

/// What `finish` puts together.
#[derive(Debug)]
pub struct Parts<'a> {
    /// The course.
    pub course: &'a Course,
    /// For each language of [`Lang::ALL`], the expanded pages by stem.
    pub expanded: &'a [BTreeMap<String, Expanded>; 2],
    /// For each language, what mdBook made of them.
    pub rendered: &'a [BTreeMap<String, String>; 2],
    /// What was recorded.
    pub transcripts: &'a BTreeMap<String, Transcript>,
    /// For fenced code.
    pub highlighter: &'a Highlighter,
    /// Where the published site stands.
    pub site: Option<&'a str>,
    /// Whether pages reload themselves.
    pub live: bool,
}

/// Writes pages, data and assets into a folder.
///
/// # Errors
/// When a template is wrong or a file cannot be written.
pub fn finish(parts: &Parts<'_>, out: &Path) -> Result<(), FinishError> {
    let course = parts.course;
    let theme = course.root.join("book/theme");
    let shell = Shell::load(&theme)?;
    for lang in Lang::ALL {
        let book = &course.books[lang as usize];
        for page in book.pages() {
            let Some(html) = parts.rendered[lang as usize].get(&page.stem) else {
                continue;
            };
            let fragments = parts.expanded[lang as usize]
                .get(&page.stem)
                .map(|expanded| expanded.fragments.as_slice())
                .unwrap_or_default();
            let html = tables(&colour_fences(html, parts.highlighter));
            let content = fill(&html, fragments).map_err(|number| FinishError::Lost {
                path: page.path.clone(),
                number,
            })?;
            let headings = outline::headings(&page.markdown);
            let around = PageContext {
                lang,
                page,
                book,
                config: &course.config,
                content: &content,
                headings: &headings,
                site: parts.site,
                live: parts.live,
            };
            write(
                &out.join(lang.folder()).join(format!("{}.html", page.stem)),
                shell.page(&around)?.as_bytes(),
            )?;
        }
    }
    write(
        &out.join("index.html"),
        shell.language_choice(&course.config)?.as_bytes(),
    )?;
    write(
        &out.join("404.html"),
        shell.not_found(&course.config)?.as_bytes(),
    )?;
    for folder in ["css", "js"] {
        copy(&theme.join(folder), &out.join(folder))?;
    }
    write_json(
        &out.join("questions.json"),
        &Value::Array(course.questions.iter().map(question).collect()),
    )?;
    write_json(
        &out.join("scenarios.json"),
        &Value::Array(course.scenarios.iter().map(scenario).collect()),
    )?;
    for (name, transcript) in parts.transcripts {
        write_json(
            &out.join("exchanges").join(format!("{name}.json")),
            &json!(transcript),
        )?;
    }
    Ok(())
}

fn question(question: &quiz::question::Question) -> Value {
    json!(question)
}

fn scenario(scenario: &quiz::scenario::Scenario) -> Value {
    let criteria = scenario.criteria;
    json!({
        "id": scenario.id,
        "criteria": [criteria.several_hosts, criteria.other_maintainer, criteria.changes_without_release],
        "verdict": should_use_mcp(criteria).use_mcp,
        "en": scenario.en,
        "zh": scenario.zh,
    })
}

/// Puts the fragments in the place of their markers; the number of the first that has none, counted from 1.
pub fn fill(html: &str, fragments: &[String]) -> Result<String, usize> {
    let mut out = String::with_capacity(html.len() * 2);
    let mut rest = html;
    for (number, fragment) in fragments.iter().enumerate() {
        let marker = marker(number);
        let (before, after) = rest.split_once(&marker).ok_or(number + 1)?;
        out.push_str(before);
        out.push_str(fragment);
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

/// Gives fenced code its colours and makes it reachable by keyboard, since it may scroll.
pub fn colour_fences(html: &str, highlighter: &Highlighter) -> String {
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(start) = rest.find("<pre") {
        let Some(open) = rest[start..].find("<code") else {
            break;
        };
        let Some(tag_end) = rest[start + open..]
            .find('>')
            .map(|at| start + open + at + 1)
        else {
            break;
        };
        let Some(end) = rest[tag_end..].find("</code>").map(|at| tag_end + at) else {
            break;
        };
        let tag = &rest[start..tag_end];
        let language = tag.split_once("language-").map_or("", |(_, after)| {
            after.split(['"', ' ']).next().unwrap_or_default()
        });
        let text = without_hidden_lines(&rest[tag_end..end])
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", "\"")
            .replace("&#39;", "'")
            .replace("&#x27;", "'")
            .replace("&amp;", "&");
        out.push_str(&rest[..start]);
        out.push_str(&format!(
            "<pre tabindex=\"0\"><code class=\"language-{language}\">{}",
            highlighter.html(language, &text)
        ));
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

/// mdBook marks the lines of Rust that begin with `#`; they are not for readers.
fn without_hidden_lines(code: &str) -> String {
    const HIDDEN: &str = "<span class=\"boring\">";
    let mut out = String::with_capacity(code.len());
    let mut rest = code;
    while let Some((before, after)) = rest.split_once(HIDDEN) {
        out.push_str(before);
        rest = after.split_once("</span>").map_or("", |(_, rest)| rest);
    }
    out.push_str(rest);
    out
}

/// A table may be wider than a phone; it scrolls inside itself.
fn tables(html: &str) -> String {
    if html.contains("table-wrapper") {
        html.replace(
            "<div class=\"table-wrapper\">",
            "<div class=\"table-wrapper\" tabindex=\"0\">",
        )
    } else {
        html.replace(
            "<table>",
            "<div class=\"table-wrapper\" tabindex=\"0\"><table>",
        )
        .replace("</table>", "</table></div>")
    }
}

/// Writes a file and the folders above it.
///
/// # Errors
/// When the system does not allow it.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), FinishError> {
    let failed = |reason| FinishError::Write {
        path: path.to_owned(),
        reason,
    };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    fs::write(path, bytes).map_err(failed)
}

fn write_json(path: &Path, value: &Value) -> Result<(), FinishError> {
    write(path, format!("{value}\n").as_bytes())
}

fn copy(from: &Path, to: &Path) -> Result<(), FinishError> {
    let unreadable = |reason| FinishError::Theme {
        path: from.to_owned(),
        reason,
    };
    for entry in fs::read_dir(from).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_file() {
            let bytes = fs::read(&path).map_err(|reason| FinishError::Theme {
                path: path.clone(),
                reason,
            })?;
            write(&to.join(path.file_name().unwrap_or_default()), &bytes)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{colour_fences, fill, tables};
    use crate::expand::marker;
    use crate::highlight::Highlighter;

    #[test]
    fn fragments_take_the_places_of_their_markers() {
        let html = format!("a{}b{}c", marker(0), marker(1));
        let fragments = ["<p>1</p>".to_owned(), "<p>2</p>".to_owned()];
        assert_eq!(
            fill(&html, &fragments),
            Ok("a<p>1</p>b<p>2</p>c".to_owned())
        );
    }

    #[test]
    fn a_lost_fragment_is_told_by_its_number() {
        let fragments = ["x".to_owned(), "y".to_owned()];
        assert_eq!(fill(&marker(0), &fragments), Err(2));
    }

    #[test]
    fn fenced_code_gets_colours_and_keeps_its_text() {
        let html = "<pre><code class=\"language-json\">{&quot;a&quot;: &lt;1&gt;}\n</code></pre>";
        let coloured = colour_fences(html, &Highlighter::default());
        assert!(coloured.contains("<span class=\"s-"), "{coloured}");
        assert!(coloured.contains("tabindex=\"0\""), "{coloured}");
        assert!(!coloured.contains("&amp;quot;"), "{coloured}");
    }

    #[test]
    fn hidden_lines_of_rust_are_not_shown() {
        let html = "<pre><code class=\"language-rust\"><span class=\"boring\">use x;\n</span>let a = 1;\n</code></pre>";
        let coloured = colour_fences(html, &Highlighter::default());
        assert!(
            !coloured.contains("boring") && !coloured.contains("use"),
            "{coloured}"
        );
    }

    #[test]
    fn a_table_scrolls_inside_itself() {
        assert!(tables("<table></table>").starts_with("<div class=\"table-wrapper\""));
    }
}
