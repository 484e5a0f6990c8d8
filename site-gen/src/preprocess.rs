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

#[cfg(test)]
mod tests {
    use mdbook_driver::MDBook;
    use serde_json::{Value, json};

    use super::run;
    use crate::fixture::Fixture;
    use crate::record::ServerProgram;

    #[test]
    fn stock_mdbook_gets_its_book_back_without_directives_and_front_matter() {
        let fixture = Fixture::new();
        for lang in ["en", "zh"] {
            fixture.replace(&format!("book/{lang}/03-wire.md"), "{{#exchange list}}", "");
        }
        std::fs::remove_file(fixture.root().join("book/exchanges/list.toml")).expect("removed");
        fixture.write(
            "book/zh/book.toml",
            "[book]\nlanguage = \"zh-CN\"\nsrc = \".\"\n",
        );
        let book = MDBook::load(fixture.root().join("book/zh")).expect("mdBook loads");
        let input = json!([
            {
                "root": fixture.root(),
                "config": { "book": { "language": "zh-CN", "src": "." } },
                "renderer": "html",
                "mdbook_version": mdbook_preprocessor::MDBOOK_VERSION,
            },
            book.book,
        ]);
        // Nothing is recorded here, so no server is ever started.
        let program = ServerProgram {
            program: String::new(),
            args: Vec::new(),
        };
        let mut output = Vec::new();
        run(
            fixture.root(),
            &program,
            input.to_string().as_bytes(),
            &mut output,
        )
        .expect("it expands");
        let text = String::from_utf8(output).expect("UTF-8");
        serde_json::from_str::<Value>(&text).expect("JSON");
        assert!(
            text.contains("data-goal") && text.contains("我会说。"),
            "{text}"
        );
        assert!(!text.contains("{{#") && !text.contains("+++"), "{text}");
    }
}
