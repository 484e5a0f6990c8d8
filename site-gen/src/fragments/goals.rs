//! What does a list of goals look like? Boxes to tick; a script keeps them.

use crate::fragments::markdown;
use crate::fragments::words::words;
use crate::highlight::escape;
use crate::model::{Goal, Lang};

/// The goals of a chapter.
pub fn goals(chapter: &str, goals: &[Goal], lang: Lang) -> String {
    let title = words(lang).goals;
    let mut out = format!(
        "<section class=\"goals\" aria-label=\"{title}\">\n<p class=\"goals-title\">{title}</p>\n<ul>\n"
    );
    for goal in goals {
        out.push_str(&format!(
            "<li><label><input type=\"checkbox\" data-goal=\"{}/{}\"> <span>{}</span></label></li>\n",
            escape(chapter),
            escape(&goal.id),
            markdown::inline(&goal.text)
        ));
    }
    out.push_str("</ul>\n</section>\n");
    out
}
