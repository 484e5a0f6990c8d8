//! What stands in the place of a directive?
//!
//! Each becomes a fragment of HTML. In our own build the fragments travel beside the Markdown, behind numbered markers,
//! so that mdBook's Markdown never touches them; `finish` puts them in. As a preprocessor of stock mdBook the fragments
//! stand in the Markdown itself.

use std::collections::BTreeMap;

use crate::check::{Checked, LAB_FALLBACK};
use crate::directive::{self, Directive};
use crate::fragments::{self, QuestionLayout};
use crate::highlight::Highlighter;
use crate::listing::{self, ListingError};
use crate::model::{Lang, Page, Transcript};
use crate::select::select;

/// A page whose directives are gone.
#[derive(Clone, Debug)]
pub struct Expanded {
    /// The Markdown with a marker for each fragment.
    pub markdown: String,
    /// The fragments by the number of their marker.
    pub fragments: Vec<String>,
}

/// Why a directive could not be replaced. `check` finds these first; they are here for what changed since.
#[derive(Debug, thiserror::Error)]
pub enum ExpandError {
    /// A listing is gone.
    #[error("{page}: {error}")]
    Listing {
        /// The page.
        page: String,
        /// What is wrong.
        error: ListingError,
    },
    /// Something else that a directive names is gone.
    #[error("{page}: {directive} names something that does not exist")]
    Missing {
        /// The page.
        page: String,
        /// The directive.
        directive: String,
    },
}

/// What directives draw from.
#[derive(Debug)]
pub struct Material<'a> {
    /// The course.
    pub checked: &'a Checked,
    /// What was recorded.
    pub transcripts: &'a BTreeMap<String, Transcript>,
    /// For listings.
    pub highlighter: &'a Highlighter,
}

/// The marker in the place of a fragment. An element, so that mdBook takes it for HTML and leaves it alone.
pub fn marker(number: usize) -> String {
    format!("<div data-fragment=\"{number}\"></div>")
}

/// Expands a page, its fragments behind markers.
///
/// # Errors
/// When a directive names something that does not exist.
pub fn expand(material: &Material<'_>, lang: Lang, page: &Page) -> Result<Expanded, ExpandError> {
    let mut fragments = Vec::new();
    let markdown = directive::replace(&page.markdown, |directive| {
        fragments.push(fragment(material, lang, page, directive)?);
        Ok::<_, ExpandError>(block(
            &page.markdown,
            directive,
            marker(fragments.len() - 1),
        ))
    })?;
    Ok(Expanded {
        markdown,
        fragments,
    })
}

/// Expands a page in place, for stock mdBook: blank lines would end an HTML block, so there are none.
///
/// # Errors
/// When a directive names something that does not exist.
pub fn expand_in_place(
    material: &Material<'_>,
    lang: Lang,
    page: &Page,
) -> Result<String, ExpandError> {
    directive::replace(&page.markdown, |directive| {
        let html = fragment(material, lang, page, directive)?;
        Ok(block(
            &page.markdown,
            directive,
            without_blank_lines(html.trim()),
        ))
    })
}

/// Markdown takes the line after HTML for more of it, unless a blank line stands between.
fn block(markdown: &str, directive: &Directive, html: String) -> String {
    if directive::stands_alone(markdown, &directive.span) {
        html + "\n"
    } else {
        html
    }
}

/// HTML that means the same and holds no blank line: each becomes a line that holds the end of a line as an entity.
fn without_blank_lines(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    for line in html.split_inclusive('\n') {
        match line.strip_suffix('\n') {
            Some(blank) if blank.trim().is_empty() => out.push_str(&format!("{blank}&#10;")),
            _ => out.push_str(line),
        }
    }
    out
}

fn fragment(
    material: &Material<'_>,
    lang: Lang,
    page: &Page,
    directive: &Directive,
) -> Result<String, ExpandError> {
    let course = material.checked.course();
    let argument = directive.argument.as_str();
    let missing = || ExpandError::Missing {
        page: page.path.display().to_string(),
        directive: format!("{{{{#{} {argument}}}}}", directive.name),
    };
    let exchange = |name: &str| -> Result<String, ExpandError> {
        let spec = course.exchanges.get(name).ok_or_else(missing)?;
        let transcript = material.transcripts.get(name).ok_or_else(missing)?;
        Ok(fragments::exchange(name, spec, transcript, lang))
    };
    match directive.name.as_str() {
        "exchange" => exchange(argument),
        "listing" => {
            let listing = listing::listing(&course.root, argument, material.highlighter).map_err(
                |error| ExpandError::Listing {
                    page: page.path.display().to_string(),
                    error,
                },
            )?;
            Ok(fragments::listing(&listing, lang))
        }
        "goals" => {
            let front = page.front.as_ref().ok_or_else(missing)?;
            Ok(fragments::goals(&page.stem, &front.goals, lang))
        }
        "questions" => {
            let chosen = select(&course.questions, argument).map_err(|_| missing())?;
            let layout = if argument.is_empty() {
                QuestionLayout::Bank
            } else {
                QuestionLayout::Chapter
            };
            Ok(fragments::questions(&chosen, lang, layout))
        }
        "lab" => Ok(fragments::lab(argument, &exchange(LAB_FALLBACK)?, lang)),
        "quiz" => Ok(fragments::quiz(&course.scenarios, lang)),
        "chapters" => Ok(fragments::chapters(&course.books[lang as usize], lang)),
        _ => Err(missing()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Material, expand, expand_in_place, marker, without_blank_lines};
    use crate::fixture::Fixture;
    use crate::highlight::Highlighter;
    use crate::model::{Direction, EraName, Lang, Transcript, TranscriptMessage, TransportName};

    /// Calls `with` with both expansions of the English page of a fixture.
    fn expanded(fixture: &Fixture, stem: &str) -> (super::Expanded, String) {
        let checked = fixture.checked();
        let transcripts = BTreeMap::from([(
            "list".to_owned(),
            Transcript {
                era: EraName::Stateless,
                transport: TransportName::Stdio,
                set: "shop".to_owned(),
                messages: vec![TranscriptMessage {
                    direction: Direction::ToServer,
                    raw: r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#.to_owned(),
                    http: Vec::new(),
                }],
            },
        )]);
        let highlighter = Highlighter::default();
        let material = Material {
            checked: &checked,
            transcripts: &transcripts,
            highlighter: &highlighter,
        };
        let page = checked.course().books[0].page(stem).expect("the page");
        (
            expand(&material, Lang::En, page).expect("it expands"),
            expand_in_place(&material, Lang::En, page).expect("it expands"),
        )
    }

    #[test]
    fn each_directive_becomes_a_marker_with_its_fragment() {
        let (page, _) = expanded(&Fixture::new(), "03-wire");
        assert_eq!(page.fragments.len(), 4);
        for (number, hook) in [
            "data-goal=\"03-wire/tell\"",
            "data-exchange=\"list\"",
            "data-listing=\"labs/a.rs:f\"",
            "data-question=\"who-answers\"",
        ]
        .iter()
        .enumerate()
        {
            assert!(page.markdown.contains(&marker(number)), "{number}");
            assert!(page.fragments[number].contains(hook), "{hook}");
        }
    }

    #[test]
    fn text_on_the_line_after_a_directive_stays_markdown() {
        let fixture = Fixture::new();
        fixture.append_to_both("03-wire", "{{#goals}}\n*after*\n");
        let (page, _) = expanded(&fixture, "03-wire");
        assert!(page.markdown.contains(&format!("{}\n\n*after*", marker(4))));
    }

    #[test]
    fn in_place_no_fragment_holds_a_blank_line() {
        let (_, markdown) = expanded(&Fixture::new(), "03-wire");
        let fragment = markdown
            .split("\n\n")
            .find(|part| part.contains("data-listing"))
            .expect("the listing is one block");
        assert!(fragment.contains("{{"), "all of it: {fragment}");
        assert!(markdown.contains("data-question"));
    }

    #[test]
    fn blank_lines_go_and_what_is_shown_stays() {
        assert_eq!(
            without_blank_lines("a\n\n\nb\n  \nc"),
            "a\n&#10;&#10;b\n  &#10;c"
        );
    }
}
