//! Which questions does a filter choose?

use quiz::question::{Market, Question};
use serde::Serialize;

/// The keys of a filter.
pub const KEYS: [&str; 7] = ["id", "use", "chapter", "level", "market", "topic", "form"];

/// What is wrong with a filter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FilterError {
    /// A word is no `key=value`.
    #[error("{0:?} is no key=value")]
    NoPair(String),
    /// The key is not known.
    #[error("there is no key {0:?}; known: {known}", known = KEYS.join(", "))]
    UnknownKey(String),
    /// Nothing is left.
    #[error("no question fits this filter")]
    Nothing,
}

/// The questions that fit every `key=value` of a filter; all of them for an empty one.
pub fn select<'a>(
    questions: &'a [Question],
    filter: &str,
) -> Result<Vec<&'a Question>, FilterError> {
    let mut pairs = Vec::new();
    for word in filter.split_whitespace() {
        let (key, value) = word
            .split_once('=')
            .ok_or_else(|| FilterError::NoPair(word.to_owned()))?;
        if !KEYS.contains(&key) {
            return Err(FilterError::UnknownKey(key.to_owned()));
        }
        pairs.push((key, value));
    }
    let chosen: Vec<&Question> = questions
        .iter()
        .filter(|question| pairs.iter().all(|(key, value)| fits(question, key, value)))
        .collect();
    if chosen.is_empty() {
        Err(FilterError::Nothing)
    } else {
        Ok(chosen)
    }
}

fn fits(question: &Question, key: &str, value: &str) -> bool {
    match key {
        "id" => question.id == value,
        "use" => name(question.purpose) == value,
        "chapter" => question.chapter == value,
        "level" => name(question.level) == value,
        "market" => name(question.market) == value || question.market == Market::Both,
        "topic" => question.topics.iter().any(|topic| topic == value),
        "form" => name(question.form) == value,
        _ => false,
    }
}

/// The name that an enum without data has in the files.
pub fn name(value: impl Serialize) -> String {
    serde_json::to_value(value)
        .ok()
        .and_then(|value| value.as_str().map(str::to_owned))
        .unwrap_or_default()
}
