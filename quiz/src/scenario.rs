//! What is a scenario of the decision quiz?

use serde::{Deserialize, Serialize};

use crate::decision::Criteria;

/// The file `book/scenarios.toml`: `[[scenario]]` tables.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ScenarioFile {
    /// The scenarios in the order in which the quiz asks them.
    #[serde(rename = "scenario", default)]
    pub scenarios: Vec<Scenario>,
}

/// A case from practice. Its verdict is not stored: [`crate::should_use_mcp`] gives it.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Stable name, lower-case words joined by hyphens.
    pub id: String,
    /// What holds in this case.
    pub criteria: Criteria,
    /// English text.
    pub en: ScenarioText,
    /// Chinese text.
    pub zh: ScenarioText,
}

/// A scenario's words in one language; Markdown.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ScenarioText {
    /// A few words.
    pub title: String,
    /// The case as a colleague would tell it, without naming the criteria.
    pub story: String,
    /// Why the verdict is what it is.
    pub reasons: String,
    /// What the other choice, or this one, would cost.
    pub costs: String,
}
