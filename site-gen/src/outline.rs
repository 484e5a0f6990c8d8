//! What headings does a chapter have, and under which ids are they reached?

use std::collections::HashMap;
use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, Parser, Tag, TagEnd};

use crate::directive::markdown_options;

/// A heading of a chapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// From 1 to 6.
    pub level: u8,
    /// The id, without `#`.
    pub id: String,
    /// Whether the author wrote the id.
    pub explicit: bool,
    /// The words.
    pub text: String,
    /// Its bytes in the Markdown.
    pub span: Range<usize>,
}

/// The headings of a chapter in order, with the ids that mdBook gives them.
pub fn headings(markdown: &str) -> Vec<Heading> {
    let mut found = Vec::new();
    let mut used: HashMap<String, usize> = HashMap::new();
    let mut open: Option<(HeadingLevel, Option<String>, String, Range<usize>)> = None;
    for (event, range) in Parser::new_ext(markdown, markdown_options()).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, id, .. }) => {
                open = Some((level, id.map(|id| id.to_string()), String::new(), range));
            }
            Event::Text(text) | Event::Code(text) => {
                if let Some((_, _, words, _)) = &mut open {
                    words.push_str(&text);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                let Some((level, explicit, text, span)) = open.take() else {
                    continue;
                };
                let wanted = explicit.clone().unwrap_or_else(|| id_of(&text));
                found.push(Heading {
                    level: level as u8,
                    id: unique(&wanted, &mut used),
                    explicit: explicit.is_some(),
                    text,
                    span,
                });
            }
            _ => {}
        }
    }
    found
}

/// mdBook's rule: lower case, blanks become hyphens, of the rest only letters, digits, `_` and `-` stay.
fn id_of(text: &str) -> String {
    text.trim()
        .to_lowercase()
        .chars()
        .filter_map(|character| match character {
            '_' | '-' => Some(character),
            _ if character.is_alphanumeric() => Some(character),
            _ if character.is_whitespace() => Some('-'),
            _ => None,
        })
        .collect()
}

fn unique(wanted: &str, used: &mut HashMap<String, usize>) -> String {
    let count = used.entry(wanted.to_owned()).or_insert(0);
    *count += 1;
    if *count == 1 {
        wanted.to_owned()
    } else {
        format!("{wanted}-{}", *count - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::headings;

    #[test]
    fn ids_are_those_of_mdbook() {
        let found = headings("# `tools/list` & more\n\n## 小结 {#summary}\n\n## Same\n\n## Same\n");
        let ids: Vec<&str> = found.iter().map(|heading| heading.id.as_str()).collect();
        assert_eq!(ids, ["toolslist--more", "summary", "same", "same-1"]);
    }
}
