//! How does the Markdown of goals, questions and scenarios become HTML?

use pulldown_cmark::{Parser, html};

use crate::directive::markdown_options;

/// Paragraphs, lists and code. HTML in the text stays text.
pub fn block(text: &str) -> String {
    let mut out = String::new();
    let events = Parser::new_ext(text, markdown_options()).map(|event| match event {
        pulldown_cmark::Event::Html(html) | pulldown_cmark::Event::InlineHtml(html) => {
            pulldown_cmark::Event::Text(html)
        }
        other => other,
    });
    html::push_html(&mut out, events);
    out
}

/// The same for one line: without the paragraph around it.
pub fn inline(text: &str) -> String {
    let html = block(text);
    let html = html.trim();
    html.strip_prefix("<p>")
        .and_then(|html| html.strip_suffix("</p>"))
        .unwrap_or(html)
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::{block, inline};

    #[test]
    fn one_line_has_no_paragraph_and_html_stays_text() {
        assert_eq!(inline("the `id`"), "the <code>id</code>");
        assert_eq!(block("<b>x</b>").trim(), "<p>&lt;b&gt;x&lt;/b&gt;</p>");
    }
}
