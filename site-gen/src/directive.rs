//! What is a directive in a chapter, and where does it stand?
//!
//! The form is mdBook's own, `{{#name argument}}`, so that authors know it. In code it is text, and so is one that is
//! escaped as `\{{#…}}`.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// A directive with its place in the Markdown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    /// `exchange`, `listing`, …
    pub name: String,
    /// What stands after the name, trimmed.
    pub argument: String,
    /// The bytes from `{{` to `}}`.
    pub span: Range<usize>,
}

/// The names that are known, in the order in which hints give them.
pub const KNOWN: [&str; 7] = [
    "listing",
    "exchange",
    "lab",
    "questions",
    "quiz",
    "goals",
    "chapters",
];

/// The extensions of Markdown that mdBook turns on; every reading of a chapter uses the same.
pub fn markdown_options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_DEFINITION_LIST
        | Options::ENABLE_GFM
}

/// The directives of a chapter, in order.
pub fn directives(markdown: &str) -> Vec<Directive> {
    let code = code_ranges(markdown);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = markdown[at..].find("{{#").map(|offset| at + offset) {
        at = start + 3;
        if markdown[..start].ends_with('\\') || code.iter().any(|range| range.contains(&start)) {
            continue;
        }
        // A directive stands on one line; see `strays` for one that does not.
        let line = markdown[at..].lines().next().unwrap_or_default();
        let Some(length) = line.find("}}") else {
            continue;
        };
        let inner = line[..length].trim();
        let (name, argument) = inner.split_once(char::is_whitespace).unwrap_or((inner, ""));
        found.push(Directive {
            name: name.to_owned(),
            argument: argument.trim().to_owned(),
            span: start..at + length + 2,
        });
        at += length + 2;
    }
    found
}

/// Braces that look like a directive and are none: not closed on their line, without a name, or not escaped.
pub fn strays(markdown: &str) -> Vec<Range<usize>> {
    let code = code_ranges(markdown);
    let known: Vec<Range<usize>> = directives(markdown)
        .into_iter()
        .map(|directive| directive.span)
        .collect();
    markdown
        .match_indices("{{")
        .map(|(at, _)| at)
        .filter(|at| !markdown[..*at].ends_with('\\'))
        .filter(|at| !code.iter().chain(&known).any(|range| range.contains(at)))
        .map(|at| at..at + 2)
        .collect()
}

/// Whether nothing else stands on the lines of a directive.
pub fn stands_alone(markdown: &str, span: &Range<usize>) -> bool {
    let before = markdown[..span.start].rsplit('\n').next();
    let after = markdown[span.end..].lines().next();
    [before, after]
        .into_iter()
        .all(|part| part.unwrap_or_default().trim().is_empty())
}

/// Where code stands: fenced, indented and inline.
pub fn code_ranges(markdown: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut block: Option<usize> = None;
    for (event, range) in Parser::new_ext(markdown, markdown_options()).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(_)) => block = Some(range.start),
            Event::End(TagEnd::CodeBlock) => {
                if let Some(start) = block.take() {
                    ranges.push(start..range.end);
                }
            }
            Event::Code(_) => ranges.push(range),
            _ => {}
        }
    }
    ranges
}

/// Replaces every directive, and takes the backslash from escaped braces, in code too, as mdBook does.
pub fn replace<E>(
    markdown: &str,
    mut with: impl FnMut(&Directive) -> Result<String, E>,
) -> Result<String, E> {
    let mut out = String::with_capacity(markdown.len() * 2);
    let mut at = 0;
    for directive in directives(markdown) {
        out.push_str(&markdown[at..directive.span.start].replace("\\{{", "{{"));
        out.push_str(&with(&directive)?);
        at = directive.span.end;
    }
    out.push_str(&markdown[at..].replace("\\{{", "{{"));
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::{directives, replace, stands_alone, strays};

    #[test]
    fn a_directive_is_found_with_its_argument_and_place() {
        let found = directives("Look:\n\n{{#exchange wire-list}}\n");
        assert_eq!(found.len(), 1);
        assert_eq!(
            (found[0].name.as_str(), found[0].argument.as_str()),
            ("exchange", "wire-list")
        );
        assert_eq!(found[0].span, 7..30);
    }

    #[test]
    fn in_code_and_behind_a_backslash_it_is_text() {
        for text in ["`{{#goals}}`", "```\n{{#goals}}\n```\n", "\\{{#goals}}"] {
            assert!(directives(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn braces_that_are_no_directive_are_strays() {
        assert!(strays("a {{#goals}} `{{ b }}` \\{{ c }}").is_empty());
        assert_eq!(strays("a {{ b }} {{#goals\n}}"), [2..4, 10..12]);
    }

    #[test]
    fn a_directive_stands_alone_or_in_a_line() {
        for (text, alone) in [("x\n  {{#lab a}} \ny", true), ("x {{#lab a}}", false)] {
            let span = directives(text)[0].span.clone();
            assert_eq!(stands_alone(text, &span), alone, "{text}");
        }
    }

    #[test]
    fn in_a_fence_the_backslash_goes_too() {
        let out: Result<String, ()> =
            replace("```text\n\\{{#goals}}\n```\n", |_| Ok("X".to_owned()));
        assert_eq!(out, Ok("```text\n{{#goals}}\n```\n".to_owned()));
    }

    #[test]
    fn the_backslash_goes_and_the_rest_stays() {
        let out: Result<String, ()> =
            replace("a \\{{#goals}} b {{#goals}} c", |_| Ok("X".to_owned()));
        assert_eq!(out, Ok("a {{#goals}} b X c".to_owned()));
    }
}
