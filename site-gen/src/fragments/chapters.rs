//! What does the table of chapters on the start page look like?

use crate::fragments::words::words;
use crate::highlight::escape;
use crate::model::{Book, Lang};

/// Parts and pages with their minutes.
pub fn chapters(book: &Book, lang: Lang) -> String {
    let w = words(lang);
    let mut out = String::from("<div class=\"chapters\">\n");
    for part in book.parts.iter().filter(|part| part.title.is_some()) {
        out.push_str(&format!(
            "<p class=\"chapters-part\">{}</p>\n<ul>\n",
            escape(part.title.as_deref().unwrap_or_default())
        ));
        for page in &part.pages {
            let (minutes, core) = page.front.as_ref().map_or_else(
                || (String::new(), ""),
                |front| {
                    let core = if front.core { w.core } else { "" };
                    (format!("{} {}", front.minutes, w.minutes), core)
                },
            );
            out.push_str(&format!(
                "<li data-chapter=\"{stem}\"><a href=\"{stem}.html\">{title}</a> <span class=\"chapters-facts\">{minutes}{gap}{core}</span></li>\n",
                stem = escape(&page.stem),
                title = escape(&page.title),
                gap = if core.is_empty() || minutes.is_empty() { "" } else { " · " },
            ));
        }
        out.push_str("</ul>\n");
    }
    out.push_str("</div>\n");
    out
}
