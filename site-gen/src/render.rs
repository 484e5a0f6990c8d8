//! How does Markdown become HTML? mdBook does it, one book a language.
//!
//! Our theme for mdBook is one line, so that its pages hold the chapter and nothing else; `finish` puts the page around
//! it. mdBook's own scripts, fonts and styles are written to a scratch folder and left there.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use mdbook_driver::MDBook;
use mdbook_driver::book::BookItem;
use mdbook_driver::config::{Config, HtmlConfig, Search};
use mdbook_html::HtmlHandlebars;

use crate::expand::Expanded;
use crate::model::Book;

/// Why mdBook gave no page.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// mdBook says why.
    #[error("mdBook could not render {lang}: {reason}")]
    MdBook {
        /// The language.
        lang: &'static str,
        /// What it said.
        reason: String,
    },
    /// A page is missing in what it wrote.
    #[error("mdBook wrote no {0}")]
    Missing(PathBuf),
    /// The scratch folder failed.
    #[error("the scratch folder failed: {0}")]
    Scratch(#[from] std::io::Error),
}

/// Renders the pages of one language; the result is by stem.
///
/// # Errors
/// When mdBook fails or the scratch folder cannot be written.
pub fn render(
    root: &Path,
    book: &Book,
    expanded: &BTreeMap<String, Expanded>,
) -> Result<BTreeMap<String, String>, RenderError> {
    let lang = book.lang.folder();
    let failed = |reason: String| RenderError::MdBook { lang, reason };
    let scratch = tempfile::tempdir()?;
    let theme = scratch.path().join("theme");
    fs::create_dir(&theme)?;
    // `content` is the chapter; three braces keep its HTML.
    fs::write(theme.join("index.hbs"), "{{{content}}}")?;

    let mut config = Config::default();
    config.book.src = PathBuf::from(".");
    config.book.language = Some(book.lang.tag().to_owned());
    config.build.build_dir = scratch.path().join("html");
    config.build.create_missing = false;
    config.build.use_default_preprocessors = false;
    let mut html = HtmlConfig::default();
    html.theme = Some(theme);
    html.smart_punctuation = false;
    html.playground.runnable = false;
    html.playground.copyable = false;
    html.print.enable = false;
    let mut no_search = Search::default();
    no_search.enable = false;
    html.search = Some(no_search);
    html.hash_files = false;
    config
        .set("output.html", html)
        .map_err(|error| failed(format!("{error:#}")))?;

    let mut driver = MDBook::load_with_config(root.join("book").join(lang), config)
        .map_err(|error| failed(format!("{error:#}")))?;
    driver.book.for_each_mut(|item| {
        if let BookItem::Chapter(chapter) = item
            && let Some(stem) = chapter.path.as_deref().and_then(Path::file_stem)
            && let Some(page) = expanded.get(stem.to_string_lossy().as_ref())
        {
            chapter.content.clone_from(&page.markdown);
        }
    });
    driver
        .execute_build_process(&HtmlHandlebars::new())
        .map_err(|error| failed(format!("{error:#}")))?;

    let mut pages = BTreeMap::new();
    for page in book.pages() {
        let path = scratch
            .path()
            .join("html")
            .join(format!("{}.html", page.stem));
        let html = fs::read_to_string(&path).map_err(|_| RenderError::Missing(path))?;
        pages.insert(page.stem.clone(), html);
    }
    Ok(pages)
}
