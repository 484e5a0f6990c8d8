//! How does stock mdBook build this book? Through this program as its preprocessor.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::Path;

use mdbook_preprocessor::book::BookItem;

use crate::expand::{Material, expand_in_place};
use crate::highlight::Highlighter;
use crate::model::Lang;
use crate::pipeline::checked;
use crate::record::{ServerProgram, record_all};

/// Reads a book from mdBook, expands its directives, and writes it back. `root` is the folder that holds `book/`.
///
/// # Errors
/// When the input is not mdBook's, the content has faults, or recording fails.
pub fn run(
    root: &Path,
    program: &ServerProgram,
    input: impl Read,
    mut output: impl Write,
) -> Result<(), String> {
    let (context, mut book) =
        mdbook_preprocessor::parse_input(input).map_err(|error| format!("{error:#}"))?;
    let lang = match context.config.book.language.as_deref() {
        Some(tag) if tag.starts_with("zh") => Lang::Zh,
        _ => Lang::En,
    };
    let (checked, _) = checked(root).map_err(|error| error.to_string())?;
    let course = checked.course();
    let transcripts = record_all(&course.exchanges, program).map_err(|error| error.to_string())?;
    let highlighter = Highlighter::default();
    let material = Material {
        checked: &checked,
        transcripts: &transcripts,
        highlighter: &highlighter,
    };
    let mut pages = BTreeMap::new();
    for page in course.books[lang as usize].pages() {
        let text = expand_in_place(&material, lang, page).map_err(|error| error.to_string())?;
        pages.insert(page.stem.clone(), text);
    }
    book.for_each_mut(|item| {
        if let BookItem::Chapter(chapter) = item
            && let Some(stem) = chapter.path.as_deref().and_then(Path::file_stem)
            && let Some(text) = pages.get(stem.to_string_lossy().as_ref())
        {
            chapter.content.clone_from(text);
        }
    });
    serde_json::to_writer(&mut output, &book).map_err(|error| error.to_string())?;
    output.flush().map_err(|error| error.to_string())
}
