//! What is a scenario of the decision quiz?

use serde::{Deserialize, Serialize};

use crate::decision::{Criteria, Verdict, should_use_mcp};

/// The file `book/scenarios.toml`: `[[scenario]]` tables.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ScenarioFile {
    /// The scenarios in the order in which the quiz asks them.
    #[serde(rename = "scenario", default)]
    pub scenarios: Vec<Scenario>,
}

/// A case from practice. Its verdict is not stored: [`crate::should_use_mcp`] gives it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
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

impl Scenario {
    /// What the rule of chapter 12 says about this case.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        should_use_mcp(self.criteria)
    }
}

/// A scenario's words in one language; Markdown.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
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

#[cfg(test)]
mod tests {
    use super::ScenarioFile;

    const FILE: &str = r#"
[[scenario]]
id = "one-formatter"
criteria = { several_hosts = false, other_maintainer = true, changes_without_release = false }
en = { title = "a", story = "b", reasons = "c", costs = "d" }
zh = { title = "甲", story = "乙", reasons = "丙", costs = "丁" }
"#;

    #[test]
    fn a_scenario_survives_writing_and_reading() {
        let file: ScenarioFile = toml::from_str(FILE).expect("a scenario file");
        let written = toml::to_string(&file).expect("a scenario file serialises");
        let read: ScenarioFile = toml::from_str(&written).expect("what was written can be read");
        assert_eq!(read, file);
        assert_eq!(read.scenarios[0].zh.costs, "丁");
    }

    #[test]
    fn a_scenario_has_the_verdict_of_its_criteria() {
        let file: ScenarioFile = toml::from_str(FILE).expect("a scenario file");
        let verdict = file.scenarios[0].verdict();
        assert!(verdict.use_mcp);
        assert_eq!(verdict.reasons.len(), 1);
    }

    #[test]
    fn a_verdict_cannot_be_stored_beside_the_criteria() {
        let text = FILE.replace("[[scenario]]", "[[scenario]]\nverdict = true");
        let error = toml::from_str::<ScenarioFile>(&text).expect_err("an unknown field");
        assert!(error.to_string().contains("verdict"), "{error}");
    }

    #[test]
    fn a_scenario_without_one_language_is_an_error() {
        let text = FILE
            .lines()
            .filter(|line| !line.starts_with("zh"))
            .collect::<Vec<_>>()
            .join("\n");
        let error = toml::from_str::<ScenarioFile>(&text).expect_err("no Chinese");
        assert!(error.to_string().contains("zh"), "{error}");
    }
}
