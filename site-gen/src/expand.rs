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
        Ok::<_, ExpandError>(marker(fragments.len() - 1))
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
        Ok(html.replace("\n\n", "\n&#8203;\n"))
    })
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
