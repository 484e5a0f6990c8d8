//! Are the words those of the glossary, and the marks those of the language?

use std::ops::Range;
use std::path::PathBuf;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use crate::check::Checker;
use crate::directive::markdown_options;
use crate::model::{Lang, Term};
use crate::tables::{self, Words};

/// Something in a text, at its bytes.
#[derive(Debug, PartialEq, Eq)]
pub struct Slip {
    span: Range<usize>,
    message: String,
    hint: String,
}

impl Checker<'_> {
    /// Every text that readers see: chapters, their front matter, the bank, scenarios, exchanges, titles.
    pub(super) fn prose(&mut self) {
        let course = self.course;
        for book in &course.books {
            for page in book.pages() {
                for slip in slips(&page.markdown, book.lang, &course.glossary) {
                    self.fault(page, slip.span, slip.message, slip.hint);
                }
                let source = self.source(&page.path);
                let front = &source[..source.len() - page.markdown.len()];
                if let Some(toml) = front
                    .strip_prefix("+++\n")
                    .and_then(|rest| rest.strip_suffix("+++\n"))
                {
                    let words = tables::strings_named(toml, &["text", "next"], book.lang);
                    self.words(&page.path, "+++\n".len(), words);
                }
            }
        }
        let tables: Vec<&PathBuf> = course
            .sources
            .keys()
            .filter(|path| path.extension().is_some_and(|kind| kind == "toml"))
            // A glossary has to name the words that it forbids.
            .filter(|path| !path.ends_with("glossary.toml"))
            .collect();
        for path in tables {
            self.words(path, 0, tables::words(self.source(path)));
        }
    }

    /// Slips in the strings of a table that begins at a byte of a file.
    fn words(&mut self, path: &std::path::Path, offset: usize, words: Vec<Words>) {
        for words in words {
            let exact = words.span.len() == words.text.len();
            for slip in slips(&words.text, words.lang, &self.course.glossary) {
                let span = if exact {
                    words.span.start + slip.span.start..words.span.start + slip.span.end
                } else {
                    words.span.clone()
                };
                self.fault_in_file(
                    path,
                    span.start + offset..span.end + offset,
                    slip.message,
                    slip.hint,
                );
            }
        }
    }
}

/// What is wrong in a Markdown text, code aside.
pub fn slips(markdown: &str, lang: Lang, glossary: &[Term]) -> Vec<Slip> {
    let mut found = Vec::new();
    for span in texts(markdown) {
        let text = &markdown[span.clone()];
        let mut slip = |at: Range<usize>, message: String, hint: String| {
            found.push(Slip {
                span: span.start + at.start..span.start + at.end,
                message,
                hint,
            });
        };
        if let Some(at) = text.find("**") {
            slip(
                at..at + 2,
                "this emphasis is not closed as Markdown sees it".to_owned(),
                "Between a full-width mark and a letter ** does not count: put the mark outside, **词**。"
                    .to_owned(),
            );
        }
        if lang == Lang::Zh {
            for at in half_width(text) {
                slip(
                    at..at + 1,
                    "half-width punctuation between Chinese characters".to_owned(),
                    "Use ，。：；？！（） in Chinese.".to_owned(),
                );
            }
        }
        for term in glossary {
            for word in lang.pick(&term.en_avoid, &term.zh_avoid) {
                for at in whole_words(text, word) {
                    slip(
                        at..at + word.len(),
                        format!("the glossary does not say {word:?}"),
                        format!("Write {:?}.", lang.pick(&term.en, &term.zh)),
                    );
                }
            }
        }
    }
    found
}

/// The stretches of plain text. The parser cuts at every mark that might have meant something; what touches is one.
fn texts(markdown: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut in_code = false;
    for (event, range) in Parser::new_ext(markdown, markdown_options()).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::End(TagEnd::CodeBlock) => in_code = false,
            Event::Text(_) if !in_code => match found.last_mut() {
                Some(last) if last.end == range.start => last.end = range.end,
                _ => found.push(range),
            },
            _ => {}
        }
    }
    found
}

fn is_han(character: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&character)
}

/// The bytes of half-width marks between two Chinese characters.
fn half_width(text: &str) -> Vec<usize> {
    let characters: Vec<(usize, char)> = text.char_indices().collect();
    characters
        .windows(3)
        .filter(|three| {
            is_han(three[0].1)
                && matches!(three[1].1, ',' | '.' | ';' | ':' | '?' | '!' | '(' | ')')
                && is_han(three[2].1)
        })
        .map(|three| three[1].0)
        .collect()
}

/// Where a word stands; one that begins or ends with a Latin letter only where no other letter goes on.
fn whole_words(text: &str, word: &str) -> Vec<usize> {
    let latin = |character: Option<char>| {
        character.is_some_and(|character| character.is_ascii_alphanumeric())
    };
    text.match_indices(word)
        .map(|(at, _)| at)
        .filter(|at| {
            let before = text[..*at].chars().next_back();
            let after = text[at + word.len()..].chars().next();
            let begins_inside = latin(before) && latin(word.chars().next());
            let ends_inside = latin(after) && latin(word.chars().next_back());
            !(begins_inside || ends_inside)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{half_width, whole_words};
    use crate::fixture::Fixture;

    #[test]
    fn a_term_to_avoid_is_a_fault_in_chapters_with_the_right_one() {
        let fixture = Fixture::new();
        fixture.replace(
            "book/zh/index.md",
            "# 开始 {#start}",
            "# 开始 {#start}\n\n这是伺服器。",
        );
        fixture.replace("book/en/index.md", "# Start", "# Start\n\nIt is JSON RPC.");
        fixture.expect("book/zh/index.md:3:3", "Write \"服务器\".");
        fixture.expect("book/en/index.md:3:7", "does not say \"JSON RPC\"");
    }

    #[test]
    fn a_term_to_avoid_is_a_fault_in_bank_front_matter_and_captions() {
        let fixture = Fixture::new();
        fixture.replace("book/questions/wire.toml", "\"没有人。\"", "\"伺服器。\"");
        fixture.replace("book/questions/wire.toml", "\"Nobody.\"", "\"JSON RPC.\"");
        fixture.replace("book/zh/03-wire.md", "'我会说。'", "'我会伺服器。'");
        fixture.replace("book/exchanges/list.toml", "一张清单", "一张伺服器清单");
        fixture.expect("book/questions/wire.toml:19:11", "伺服器");
        fixture.expect("book/questions/wire.toml:14:11", "JSON RPC");
        fixture.expect("book/zh/03-wire.md:7:11", "伺服器");
        fixture.expect("book/exchanges/list.toml:7:9", "伺服器");
    }

    #[test]
    fn code_may_say_anything() {
        let fixture = Fixture::new();
        fixture.append_to_both(
            "index",
            "`伺服器,好` `JSON RPC`\n\n```text\n伺服器,好 JSON RPC\n```\n",
        );
        assert_eq!(fixture.faults(), [""; 0]);
    }

    #[test]
    fn every_half_width_mark_between_chinese_characters_is_a_fault() {
        let fixture = Fixture::new();
        fixture.replace(
            "book/zh/index.md",
            "# 开始 {#start}",
            "# 开始 {#start}\n\n你好,世界!再见。版本 2.0, ok",
        );
        fixture.expect("book/zh/index.md:3:3", "half-width");
        fixture.expect("book/zh/index.md:3:6", "half-width");
        assert_eq!(fixture.faults().len(), 2);
        assert_eq!(half_width("一(二)三"), [3, 7]);
    }

    #[test]
    fn emphasis_that_markdown_does_not_close_is_a_fault() {
        let fixture = Fixture::new();
        fixture.replace(
            "book/zh/index.md",
            "# 开始 {#start}",
            "# 开始 {#start}\n\n这是**重点：**后面",
        );
        fixture.expect("book/zh/index.md:3:3", "emphasis");
    }

    #[test]
    fn a_part_of_a_longer_latin_word_is_not_the_word() {
        assert_eq!(whole_words("hosting a host", "host"), [10]);
        assert_eq!(whole_words("用伺服器好", "伺服器"), [3]);
    }
}
