//! What does stock mdBook make of the same Markdown? It is used as its own binary uses it, with all that it has by default.

use std::fs;
use std::path::{Path, PathBuf};

use mdbook_driver::MDBook;
use mdbook_driver::config::Config;

use crate::model::Lang;
use crate::pipeline::Content;

/// Writes each language's Markdown, as our own rendering gets it, into a folder of its own.
///
/// # Errors
/// When a file cannot be written.
pub fn sources(content: &Content, scratch: &Path) -> Result<[PathBuf; 2], String> {
    let course = content.checked.course();
    let folders = Lang::ALL.map(|lang| scratch.join("source").join(lang.folder()));
    for (lang, folder) in Lang::ALL.into_iter().zip(&folders) {
        let copy = || {
            fs::create_dir_all(folder)?;
            let summary = course
                .root
                .join("book")
                .join(lang.folder())
                .join("SUMMARY.md");
            fs::copy(summary, folder.join("SUMMARY.md"))?;
            for (stem, page) in &content.expanded[lang as usize] {
                fs::write(folder.join(format!("{stem}.md")), &page.markdown)?;
            }
            Ok::<_, std::io::Error>(())
        };
        copy().map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    Ok(folders)
}

/// Builds a folder of Markdown with mdBook's own theme, preprocessors and search.
///
/// # Errors
/// When mdBook fails.
pub fn build(source: &Path, out: &Path) -> Result<(), String> {
    let mut config = Config::default();
    config.book.src = PathBuf::from(".");
    out.clone_into(&mut config.build.build_dir);
    MDBook::load_with_config(source, config)
        .and_then(|book| book.build())
        .map_err(|error| format!("stock mdBook failed: {error:#}"))
}
