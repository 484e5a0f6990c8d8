//! How does code get its colours, without a highlighter in the page?
//!
//! At build time, with syntect, into spans whose classes begin with `s-`; the theme gives them colours.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use syntect::html::{ClassStyle, ClassedHTMLGenerator};
use syntect::parsing::SyntaxSet;
use syntect::util::LinesWithEndings;

/// Knows the languages of the course.
#[derive(Debug)]
pub struct Highlighter {
    syntaxes: SyntaxSet,
    /// What was coloured before, by language and text: both languages of the course show the same code.
    known: Mutex<HashMap<(String, String), String>>,
}

impl Default for Highlighter {
    fn default() -> Self {
        Self {
            syntaxes: two_face::syntax::extra_newlines(),
            known: Mutex::default(),
        }
    }
}

impl Highlighter {
    /// Code as HTML; plain, escaped text for a language that is not known.
    pub fn html(&self, language: &str, text: &str) -> String {
        let key = (language.to_owned(), text.to_owned());
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(html) = lock().get(&key) {
            return html.clone();
        }
        let html = self.coloured(language, text);
        lock().insert(key, html.clone());
        html
    }

    fn coloured(&self, language: &str, text: &str) -> String {
        let name = match language {
            "javascript" | "js" => "js",
            "rust" => "rs",
            "python" => "py",
            "console" | "bash" | "sh" => "sh",
            other => other,
        };
        let Some(syntax) = self.syntaxes.find_syntax_by_token(name) else {
            return escape(text);
        };
        let style = ClassStyle::SpacedPrefixed { prefix: "s-" };
        let mut generator =
            ClassedHTMLGenerator::new_with_class_style(syntax, &self.syntaxes, style);
        for line in LinesWithEndings::from(text) {
            if generator
                .parse_html_for_line_which_includes_newline(line)
                .is_err()
            {
                return escape(text);
            }
        }
        slim(&generator.finalize())
    }
}

/// The first class of each span is the one that the theme colours; the finer ones would only weigh.
fn slim(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(start) = rest.find("<span class=\"") {
        let from = start + "<span class=\"".len();
        let Some(length) = rest[from..].find('"') else {
            break;
        };
        out.push_str(&rest[..from]);
        let kept: Vec<&str> = rest[from..from + length]
            .split(' ')
            .enumerate()
            .filter(|(place, _)| *place < 2)
            .map(|(_, class)| class)
            .collect();
        out.push_str(&kept.join(" "));
        rest = &rest[from + length..];
    }
    out.push_str(rest);
    out
}

/// Text as HTML.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::Highlighter;

    #[test]
    fn known_languages_get_classes_and_unknown_ones_stay_text() {
        let highlighter = Highlighter::default();
        for language in [
            "rust",
            "javascript",
            "python",
            "java",
            "swift",
            "toml",
            "json",
            "bash",
            "console",
        ] {
            assert!(
                highlighter
                    .html(language, "let x = 1\n")
                    .contains("<span class=\"s-"),
                "{language}"
            );
        }
        assert_eq!(highlighter.html("nothing", "<a>"), "&lt;a&gt;");
    }
}
