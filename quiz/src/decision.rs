//! When is MCP worth it?

use serde::{Deserialize, Serialize};

/// What holds for an ability that an agent should get.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Criteria {
    /// Several hosts will use the ability.
    pub several_hosts: bool,
    /// Another team or a third party maintains it.
    pub other_maintainer: bool,
    /// Abilities must come and go without a change to the host's code.
    pub changes_without_release: bool,
}

/// One of the three reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Criterion {
    /// See [`Criteria::several_hosts`].
    SeveralHosts,
    /// See [`Criteria::other_maintainer`].
    OtherMaintainer,
    /// See [`Criteria::changes_without_release`].
    ChangesWithoutRelease,
}

impl Criterion {
    /// Its name in scenarios, in JSON and in the pages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Criterion::SeveralHosts => "several_hosts",
            Criterion::OtherMaintainer => "other_maintainer",
            Criterion::ChangesWithoutRelease => "changes_without_release",
        }
    }
}

/// The answer, with the reasons that carry it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Verdict {
    /// Whether MCP is worth considering; otherwise write a local function.
    pub use_mcp: bool,
    /// The criteria that hold, in the order of [`Criteria`].
    pub reasons: Vec<Criterion>,
}

// ANCHOR: should_use_mcp
/// Any one criterion is reason enough to consider MCP. None: write a local function. The default is no.
#[must_use]
pub fn should_use_mcp(criteria: Criteria) -> Verdict {
    let mut reasons = Vec::new();
    if criteria.several_hosts {
        reasons.push(Criterion::SeveralHosts);
    }
    if criteria.other_maintainer {
        reasons.push(Criterion::OtherMaintainer);
    }
    if criteria.changes_without_release {
        reasons.push(Criterion::ChangesWithoutRelease);
    }
    Verdict {
        use_mcp: !reasons.is_empty(),
        reasons,
    }
}
// ANCHOR_END: should_use_mcp

#[cfg(test)]
mod tests {
    use super::{Criteria, Criterion, Verdict, should_use_mcp};

    #[test]
    fn each_of_the_eight_combinations_names_the_criteria_that_hold() {
        use Criterion::{ChangesWithoutRelease as C, OtherMaintainer as B, SeveralHosts as A};
        let cases: [(bool, bool, bool, &[Criterion]); 8] = [
            (false, false, false, &[]),
            (false, false, true, &[C]),
            (false, true, false, &[B]),
            (false, true, true, &[B, C]),
            (true, false, false, &[A]),
            (true, false, true, &[A, C]),
            (true, true, false, &[A, B]),
            (true, true, true, &[A, B, C]),
        ];
        for (several_hosts, other_maintainer, changes_without_release, reasons) in cases {
            let criteria = Criteria {
                several_hosts,
                other_maintainer,
                changes_without_release,
            };
            let expected = Verdict {
                use_mcp: several_hosts || other_maintainer || changes_without_release,
                reasons: reasons.to_vec(),
            };
            assert_eq!(should_use_mcp(criteria), expected, "{criteria:?}");
        }
    }

    #[test]
    fn the_default_is_no() {
        assert!(!should_use_mcp(Criteria::default()).use_mcp);
    }

    #[test]
    fn a_verdict_serialises_as_the_pages_read_it() {
        let verdict = should_use_mcp(Criteria {
            several_hosts: true,
            changes_without_release: true,
            ..Criteria::default()
        });
        assert_eq!(
            serde_json::to_string(&verdict).expect("a verdict serialises"),
            r#"{"use_mcp":true,"reasons":["several_hosts","changes_without_release"]}"#
        );
    }

    #[test]
    fn a_criterion_is_called_what_it_serialises_as() {
        for criterion in [
            Criterion::SeveralHosts,
            Criterion::OtherMaintainer,
            Criterion::ChangesWithoutRelease,
        ] {
            let json = serde_json::to_value(criterion).expect("a criterion serialises");
            assert_eq!(json, criterion.name());
        }
    }

    #[test]
    fn a_criterion_that_nobody_knows_is_an_error() {
        let text = "several_hosts = true\nother_maintainer = false\nchanges_without_release = false\nfashion = true";
        let error = toml::from_str::<Criteria>(text).expect_err("an unknown field");
        assert!(error.to_string().contains("fashion"), "{error}");
    }

    #[test]
    fn a_criterion_left_out_is_an_error_and_not_a_no() {
        let error =
            toml::from_str::<Criteria>("several_hosts = true").expect_err("two are missing");
        assert!(error.to_string().contains("missing field"), "{error}");
    }
}
