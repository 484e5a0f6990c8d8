//! What does a listing look like? One block a programming language; tabs are added by script where there are several.

use crate::highlight::escape;
use crate::model::{Lang, Listing};

/// Code from a compiled file, with its place.
pub fn listing(listing: &Listing, lang: Lang) -> String {
    let mut out = format!(
        "<figure class=\"listing\" data-listing=\"{}\"{}>\n",
        escape(&listing.name),
        if listing.codes.len() > 1 {
            " data-tabs"
        } else {
            ""
        },
    );
    for code in &listing.codes {
        let place = format!("{}:{}", code.path, code.first_line);
        let label = lang.pick(format!("Code: {place}"), format!("代码：{place}"));
        out.push_str(&format!(
            "<div data-code=\"{language}\"><p class=\"listing-place\">{place}</p>\n\
             <pre tabindex=\"0\" role=\"group\" aria-label=\"{label}\"><code class=\"language-{language}\">{html}</code></pre></div>\n",
            language = escape(&code.language),
            place = escape(&place),
            label = escape(&label),
            html = code.html,
        ));
    }
    out.push_str("</figure>\n");
    out
}
