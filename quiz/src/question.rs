//! What is a question of the bank?
//!
//! One entry of a file in `book/questions/`. Both languages stand in one entry, so that neither is forgotten;
//! everything that is no prose (form, level, which option is right) stands once.

use serde::{Deserialize, Serialize};

/// A file of the bank: `[[question]]` tables.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct QuestionFile {
    /// The entries in the order of the file.
    #[serde(rename = "question", default)]
    pub questions: Vec<Question>,
}

/// One question in both languages.
#[derive(Clone, Debug, Deserialize, Serialize)]
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
#[derive(Clone, Debug, Deserialize, Serialize)]
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
#[derive(Clone, Debug, Deserialize, Serialize)]
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
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ChoiceText {
    /// The option.
    pub text: String,
    /// Why it is right, or what misunderstanding it comes from.
    pub why: String,
}
