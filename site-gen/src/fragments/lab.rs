//! What stands where a lab is? The element, and in it the recorded exchange for those without scripts.

use crate::fragments::words::words;
use crate::highlight::escape;
use crate::model::Lang;

/// A lab; `fallback` is the HTML of a recorded exchange.
pub fn lab(name: &str, fallback: &str, lang: Lang) -> String {
    format!(
        "<mcp-lab name=\"{}\" data-state=\"idle\" data-source=\"browser\">\n<div class=\"lab-fallback\">\n<p class=\"lab-reason\">{}</p>\n{fallback}</div>\n</mcp-lab>\n",
        escape(name),
        words(lang).lab_without_script,
    )
}
