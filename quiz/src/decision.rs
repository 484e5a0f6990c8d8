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
    Verdict { use_mcp: !reasons.is_empty(), reasons }
}
// ANCHOR_END: should_use_mcp
