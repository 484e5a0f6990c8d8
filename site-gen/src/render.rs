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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::render;
    use crate::expand::{Expanded, Material, expand};
    use crate::finish::{colour_fences, fill};
    use crate::fixture::Fixture;
    use crate::highlight::Highlighter;
    use crate::model::Lang;
    use crate::outline;

    const PAGE: &str = r#"
## The `tools/list` call

[to the end](#完)

| call | meaning |
|---|---|
| `a \| b` | 🧰 and שלום |

```rust
let braces = "\{{#goals}}";
```

{{#quiz should-use-mcp}}
*after*

## 完
"#;

    /// The English start page with `PAGE` in it, as `finish` would have it, and the ids of its outline.
    fn start() -> (String, Vec<String>) {
        let fixture = Fixture::new();
        fixture.append_to_both("index", PAGE);
        // The other page needs transcripts; this is not about it.
        fixture.replace("book/en/03-wire.md", "{{#exchange list}}", "");
        fixture.replace("book/zh/03-wire.md", "{{#exchange list}}", "");
        let checked = fixture.checked();
        let highlighter = Highlighter::default();
        let transcripts = BTreeMap::new();
        let material = Material {
            checked: &checked,
            transcripts: &transcripts,
            highlighter: &highlighter,
        };
        let book = &checked.course().books[0];
        let expanded: BTreeMap<String, Expanded> = book
            .pages()
            .map(|page| {
                let expanded = expand(&material, Lang::En, page).expect("it expands");
                (page.stem.clone(), expanded)
            })
            .collect();
        let mut rendered = render(fixture.root(), book, &expanded).expect("mdBook renders");
        let html = colour_fences(&rendered.remove("index").expect("the page"), &highlighter);
        let html = fill(&html, &expanded["index"].fragments).expect("all fragments are there");
        let page = book.page("index").expect("the page");
        let ids = outline::headings(&page.markdown)
            .into_iter()
            .map(|heading| heading.id)
            .collect();
        (html, ids)
    }

    #[test]
    fn a_page_comes_through_mdbook_as_its_author_meant_it() {
        let (html, ids) = start();
        for part in [
            "<code>tools/list</code>",
            "🧰 and שלום",
            "<code>a | b</code>",
            "{{#goals}}",
            "<decision-quiz",
            "<em>after</em>",
        ] {
            assert!(html.contains(part), "{part} in {html}");
        }
        assert!(!html.contains("\\{{"), "{html}");
        assert!(!html.contains("data-fragment"), "{html}");
        assert!(
            html.contains("href=\"#完\"") || html.contains("href=\"#%E5%AE%8C\""),
            "{html}"
        );
        for id in ids {
            assert!(html.contains(&format!("id=\"{id}\"")), "{id} in {html}");
        }
    }

    #[test]
    fn nothing_of_mdbooks_own_page_stands_around_a_chapter() {
        let (html, _) = start();
        assert!(
            !html.contains("<html") && !html.contains("<script"),
            "{html}"
        );
    }
}
