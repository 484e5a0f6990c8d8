//! What does the decision quiz look like without scripts? Each scenario, and its verdict to unfold.

use quiz::scenario::Scenario;
use quiz::should_use_mcp;

use crate::fragments::markdown;
use crate::fragments::words::words;
use crate::highlight::escape;
use crate::model::Lang;

/// The scenarios of `should_use_mcp`.
pub fn quiz(scenarios: &[Scenario], lang: Lang) -> String {
    let w = words(lang);
    let mut out = String::from("<decision-quiz>\n");
    for scenario in scenarios {
        let text = lang.pick(&scenario.en, &scenario.zh);
        let criteria = scenario.criteria;
        let bits: String = [
            criteria.several_hosts,
            criteria.other_maintainer,
            criteria.changes_without_release,
        ]
        .map(|holds| if holds { '1' } else { '0' })
        .iter()
        .collect();
        let verdict = should_use_mcp(criteria).use_mcp;
        out.push_str(&format!(
            "<article class=\"scenario\" data-scenario=\"{id}\" data-criteria=\"{bits}\">\n\
             <p class=\"scenario-title\">{title}</p>\n<div class=\"scenario-story\">{story}</div>\n\
             <details><summary>{show}</summary>\n<p class=\"scenario-verdict\">{verdict}</p>\n\
             <div class=\"scenario-reasons\">{reasons}</div>\n<p class=\"label\">{costs_label}</p>\n<div class=\"scenario-costs\">{costs}</div></details>\n</article>\n",
            id = escape(&scenario.id),
            title = markdown::inline(&text.title),
            story = markdown::block(&text.story),
            show = w.show_verdict,
            verdict = if verdict { w.verdict_yes } else { w.verdict_no },
            reasons = markdown::block(&text.reasons),
            costs_label = w.costs,
            costs = markdown::block(&text.costs),
        ));
    }
    out.push_str("</decision-quiz>\n");
    out
}
