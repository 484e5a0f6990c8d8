//! Does every link lead somewhere?

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Parser, Tag};

use crate::check::Checker;
use crate::check::nearest::nearest;
use crate::directive::markdown_options;
use crate::model::{Lang, Page};
use crate::outline::headings;

/// The links of a Markdown text that stay on this site, with their places.
pub fn inner_links(markdown: &str) -> Vec<(String, Range<usize>)> {
    let mut found = Vec::new();
    for (event, range) in Parser::new_ext(markdown, markdown_options()).into_offset_iter() {
        let Event::Start(
            Tag::Link {
                link_type,
                dest_url,
                ..
            }
            | Tag::Image {
                link_type,
                dest_url,
                ..
            },
        ) = event
        else {
            continue;
        };
        let outside = matches!(link_type, LinkType::Email)
            || dest_url.contains("://")
            || dest_url.starts_with("mailto:");
        if !outside {
            found.push((dest_url.into_string(), range));
        }
    }
    found
}

impl Checker<'_> {
    pub(super) fn links(&mut self, lang: Lang, page: &Page) {
        let book = &self.course.books[lang as usize];
        for (target, span) in inner_links(&page.markdown) {
            let (file, fragment) = match target.split_once('#') {
                Some((file, fragment)) => (file, Some(fragment)),
                None => (target.as_str(), None),
            };
            let leads_to = if file.is_empty() {
                Some(page)
            } else {
                file.strip_suffix(".md").and_then(|stem| book.page(stem))
            };
            let Some(leads_to) = leads_to else {
                let hint = nearest(
                    file.trim_end_matches(".md"),
                    book.pages().map(|page| page.stem.as_str()),
                );
                self.fault(
                    page,
                    span,
                    format!("the link leads to {file:?}, which is no page of this language"),
                    format!("Link to STEM.md of a page in SUMMARY.md. {hint}"),
                );
                continue;
            };
            let Some(fragment) = fragment.map(decoded) else {
                continue;
            };
            let ids: Vec<String> = headings(&leads_to.markdown)
                .into_iter()
                .map(|heading| heading.id)
                .collect();
            if !ids.contains(&fragment) {
                let hint = nearest(&fragment, ids.iter().map(String::as_str));
                self.fault(
                    page,
                    span,
                    format!("{} has no heading with the id {fragment:?}", leads_to.stem),
                    format!("It has: {}. {hint}", ids.join(", ")),
                );
            }
        }
    }
}

/// A fragment as browsers read it: `%E5%A5%BD` is `好`.
fn decoded(fragment: &str) -> String {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = (first == b'%')
            .then(|| {
                after
                    .get(..2)
                    .and_then(|digits| str::from_utf8(digits).ok())
            })
            .flatten()
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(code.unwrap_or(first));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| fragment.to_owned())
}

#[cfg(test)]
mod tests {
    use super::decoded;
    use crate::fixture::Fixture;

    #[test]
    fn a_link_to_no_page_is_a_fault_with_the_nearest_page() {
        let fixture = Fixture::new();
        fixture.append_to_both("index", "Read [on](03-wires.md).\n");
        fixture.expect("book/en/index.md:3:6", "Did you mean \"03-wire\"?");
        fixture.expect("book/zh/index.md:3:6", "03-wires.md");
    }

    #[test]
    fn a_link_that_climbs_out_of_the_book_is_a_fault() {
        let fixture = Fixture::new();
        fixture.append_to_both("index", "[a](../../labs/a.rs) ![b](/x.png)\n");
        fixture.expect("book/en/index.md:3:1", "../../labs/a.rs");
        fixture.expect("book/en/index.md:3:22", "/x.png");
    }

    #[test]
    fn a_fragment_that_no_heading_has_is_a_fault() {
        let fixture = Fixture::new();
        fixture.append_to_both("index", "[a](03-wire.md#kind) [b](#end)\n");
        fixture.expect("book/en/index.md:3:1", "Did you mean \"kinds\"?");
        fixture.expect("book/en/index.md:3:22", "index has no heading");
    }

    #[test]
    fn links_that_lead_somewhere_are_none() {
        let fixture = Fixture::new();
        fixture.append_to_both(
            "index",
            "[a](03-wire.md#kinds) [b](#start) <https://x.org> [c](mailto:a@b.c) `[d](e.md)`\n",
        );
        assert_eq!(fixture.faults(), [""; 0]);
    }

    #[test]
    fn a_chinese_fragment_is_found_plain_and_encoded() {
        let fixture = Fixture::new();
        fixture.append_to_both("index", "## 好\n\n[a](#好) [b](#%E5%A5%BD)\n");
        assert_eq!(fixture.faults(), [""; 0]);
        assert_eq!(decoded("50%"), "50%");
    }
}
