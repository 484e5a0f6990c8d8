//! What is a question of the bank?
//!
//! One entry of a file in `book/questions/`. Both languages stand in one entry, so that neither is forgotten;
//! everything that is no prose (form, level, which option is right) stands once.

use serde::{Deserialize, Serialize};

/// A file of the bank: `[[question]]` tables.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct QuestionFile {
    /// The entries in the order of the file.
    #[serde(rename = "question", default)]
    pub questions: Vec<Question>,
}

/// One question in both languages.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// Stable name, lower-case words joined by hyphens; progress and links hang on it.
    pub id: String,
    /// Where it is used.
    #[serde(rename = "use")]
    pub purpose: Purpose,
    /// How it is answered.
    pub form: Form,
    /// How deep it goes.
    pub level: Level,
    /// Where it is asked.
    pub market: Market,
    /// Areas, such as `wire` or `bridge`.
    pub topics: Vec<String>,
    /// The protocol revisions that the answer holds for.
    pub revisions: Vec<String>,
    /// The chapter that teaches it: a file stem such as `09-bridge`.
    pub chapter: String,
    /// Pages of the specification as `REVISION/page#fragment`, below `https://modelcontextprotocol.io/specification/`.
    #[serde(default)]
    pub spec: Vec<String>,
    /// Form `choose`: what can be chosen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<Choice>,
    /// English text.
    pub en: Text,
    /// Chinese text.
    pub zh: Text,
}

impl Question {
    /// How many options are right; a page offers radio buttons for one and checkboxes for several.
    pub fn right_options(&self) -> usize {
        self.options.iter().filter(|option| option.right).count()
    }
}

/// Where a question is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    /// In the interview bank.
    Interview,
    /// At the end of a chapter.
    Retrieval,
}

/// How a question is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// In one's own words, then key points to tick.
    Explain,
    /// By choosing one or several options.
    Choose,
}

/// How deep a question goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Everyone is asked this.
    Basic,
    /// Asked of those who say they have built with it.
    Intermediate,
    /// Asked to find where knowledge ends.
    Deep,
}

/// Where a question is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Market {
    /// Mostly by employers in China.
    China,
    /// Mostly abroad.
    Overseas,
    /// By both.
    Both,
}

/// The prose of a question in one language; Markdown.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Text {
    /// What is asked.
    pub question: String,
    /// How to think about it before answering.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub thinking: String,
    /// The model answer.
    pub answer: String,
    /// Key points that can be ticked; as many in both languages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<String>,
    /// The usual wrong answer, and why it fails.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub wrong: String,
    /// What an interviewer asks next; as many in both languages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub followups: Vec<String>,
}

/// One option of a `choose` question.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// Whether choosing it is right.
    pub right: bool,
    /// English.
    pub en: ChoiceText,
    /// Chinese.
    pub zh: ChoiceText,
}

/// An option's words in one language; Markdown.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ChoiceText {
    /// The option.
    pub text: String,
    /// Why it is right, or what misunderstanding it comes from.
    pub why: String,
}

#[cfg(test)]
mod tests {
    use super::{Form, Level, Market, Purpose, Question, QuestionFile};

    const FILE: &str = r#"
[[question]]
id = "who-answers"
use = "retrieval"
form = "choose"
level = "basic"
market = "both"
topics = ["wire"]
revisions = ["2026-07-28"]
chapter = "03-wire"
spec = ["2026-07-28/basic/index#notifications"]

[[question.options]]
right = true
en = { text = "Nobody.", why = "It has no id." }
zh = { text = "没有人。", why = "它没有 id。" }

[[question.options]]
right = false
en = { text = "The server.", why = "It must not." }
zh = { text = "服务器。", why = "不允许。" }

[question.en]
question = "Who answers a notification?"
answer = "Nobody."

[question.zh]
question = "谁来回通知？"
answer = "没有人。"
"#;

    fn question() -> Question {
        let mut file: QuestionFile = toml::from_str(FILE).expect("a question file");
        file.questions.remove(0)
    }

    #[test]
    fn a_question_survives_writing_and_reading() {
        let file: QuestionFile = toml::from_str(FILE).expect("a question file");
        let written = toml::to_string(&file).expect("a question file serialises");
        let read: QuestionFile = toml::from_str(&written).expect("what was written can be read");
        assert_eq!(read, file);
        let json = serde_json::to_string(&file).expect("a question file serialises");
        assert_eq!(
            serde_json::from_str::<QuestionFile>(&json).expect("and is read"),
            file
        );
    }

    #[test]
    fn the_words_of_the_file_are_the_words_of_the_pages() {
        let question = question();
        assert_eq!(question.purpose, Purpose::Retrieval);
        assert_eq!(question.form, Form::Choose);
        assert_eq!(question.level, Level::Basic);
        assert_eq!(question.market, Market::Both);
        let json = serde_json::to_value(&question).expect("a question serialises");
        assert_eq!(json["use"], "retrieval");
        assert_eq!(json["form"], "choose");
        assert!(json["en"].get("points").is_none());
    }

    #[test]
    fn an_unknown_field_is_an_error_at_every_depth() {
        for (from, to) in [
            ("level =", "hint = \"x\"\nlevel ="),
            ("answer = \"Nobody.\"", "answer = \"Nobody.\"\nhint = \"x\""),
            ("right = true", "right = true\nhint = \"x\""),
            (
                "why = \"It must not.\"",
                "why = \"It must not.\", hint = \"x\"",
            ),
        ] {
            let text = FILE.replacen(from, to, 1);
            let error = toml::from_str::<QuestionFile>(&text).expect_err(to);
            assert!(error.to_string().contains("hint"), "{error}");
        }
    }

    #[test]
    fn a_value_outside_its_list_is_an_error() {
        let text = FILE.replace("level = \"basic\"", "level = \"easy\"");
        let error = toml::from_str::<QuestionFile>(&text).expect_err("an unknown level");
        assert!(error.to_string().contains("easy"), "{error}");
    }
}
