//! What the quiz pages call, as WebAssembly.
//!
//! One function, no state: three answers in, the verdict out as JSON. It does not know a page, a language or a
//! scenario; the words stand in the page.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

use quiz::Criteria;
use wasm_bindgen::prelude::wasm_bindgen;

/// Asks [`quiz::should_use_mcp`]; gives `{"use_mcp":true,"reasons":["several_hosts",…]}`.
#[wasm_bindgen]
#[must_use]
pub fn should_use_mcp(
    several_hosts: bool,
    other_maintainer: bool,
    changes_without_release: bool,
) -> String {
    let verdict = quiz::should_use_mcp(Criteria {
        several_hosts,
        other_maintainer,
        changes_without_release,
    });
    // Written by hand: a serialiser would double what the reader downloads. The names are plain words.
    let mut json = format!("{{\"use_mcp\":{},\"reasons\":[", verdict.use_mcp);
    for (index, reason) in verdict.reasons.iter().enumerate() {
        if index > 0 {
            json.push(',');
        }
        json.push('"');
        json.push_str(reason.name());
        json.push('"');
    }
    json.push_str("]}");
    json
}

#[cfg(test)]
mod tests {
    use quiz::Criteria;

    use super::should_use_mcp;

    #[test]
    fn the_page_gets_what_a_serialiser_would_have_written() {
        for bits in 0..8 {
            let [several_hosts, other_maintainer, changes_without_release] =
                [bits & 1 != 0, bits & 2 != 0, bits & 4 != 0];
            let verdict = quiz::should_use_mcp(Criteria {
                several_hosts,
                other_maintainer,
                changes_without_release,
            });
            assert_eq!(
                should_use_mcp(several_hosts, other_maintainer, changes_without_release),
                serde_json::to_string(&verdict).expect("a verdict serialises")
            );
        }
    }

    #[test]
    fn the_reasons_come_in_the_order_of_the_criteria() {
        assert_eq!(
            should_use_mcp(true, false, true),
            r#"{"use_mcp":true,"reasons":["several_hosts","changes_without_release"]}"#
        );
    }
}
