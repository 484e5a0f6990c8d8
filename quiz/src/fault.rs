//! What is wrong with a question although its file can be read?
//!
//! All faults of a question are given, not the first. Chapters, links and the glossary are the check's business:
//! they need the rest of the course, which nothing here knows.

use thiserror::Error;

use crate::question::{Form, Question};

/// What is wrong with a question although its file can be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum QuestionFault {
    /// A text that must be there is empty.
    #[error("`{language}.{field}` is empty: write it")]
    Empty {
        /// `en` or `zh`.
        language: &'static str,
        /// The member.
        field: &'static str,
    },
    /// The two languages have lists of different length.
    #[error("`en.{field}` has {en} entries and `zh.{field}` has {zh}: give both the same")]
    Uneven {
        /// The member.
        field: &'static str,
        /// How many in English.
        en: usize,
        /// How many in Chinese.
        zh: usize,
    },
    /// A `choose` question without a right option.
    #[error("no option is right: set `right = true` on at least one")]
    NoneRight,
    /// A `choose` question in which every option is right, or that has none.
    #[error("no option is wrong: add one that a misunderstanding would choose")]
    NoneWrong,
    /// An `explain` question with options, which nobody would see.
    #[error("form `explain` shows no options: remove them, or use form `choose`")]
    OptionsUnused,
    /// An `explain` question without key points to tick.
    #[error("form `explain` needs key points to tick: add `points` in both languages")]
    NoPoints,
}

impl Question {
    /// What the types let pass and a reader would stumble over; empty for a sound question.
    pub fn faults(&self) -> Vec<QuestionFault> {
        let mut faults = Vec::new();
        for (language, text) in [("en", &self.en), ("zh", &self.zh)] {
            for (field, words) in [("question", &text.question), ("answer", &text.answer)] {
                if words.trim().is_empty() {
                    faults.push(QuestionFault::Empty { language, field });
                }
            }
        }
        for (field, en, zh) in [
            ("points", self.en.points.len(), self.zh.points.len()),
            (
                "followups",
                self.en.followups.len(),
                self.zh.followups.len(),
            ),
        ] {
            if en != zh {
                faults.push(QuestionFault::Uneven { field, en, zh });
            }
        }
        match self.form {
            Form::Choose => {
                let right = self.right_options();
                if right == 0 {
                    faults.push(QuestionFault::NoneRight);
                }
                if right == self.options.len() {
                    faults.push(QuestionFault::NoneWrong);
                }
            }
            Form::Explain => {
                if !self.options.is_empty() {
                    faults.push(QuestionFault::OptionsUnused);
                }
                if self.en.points.is_empty() {
                    faults.push(QuestionFault::NoPoints);
                }
            }
        }
        faults
    }
}

#[cfg(test)]
mod tests {
    use super::QuestionFault;
    use crate::question::{Choice, ChoiceText, Form, Level, Market, Purpose, Question, Text};

    fn text(word: &str) -> Text {
        Text {
            question: word.to_owned(),
            thinking: String::new(),
            answer: word.to_owned(),
            points: Vec::new(),
            wrong: String::new(),
            followups: Vec::new(),
        }
    }

    fn option(right: bool) -> Choice {
        let words = ChoiceText {
            text: "x".to_owned(),
            why: "y".to_owned(),
        };
        Choice {
            right,
            en: words.clone(),
            zh: words,
        }
    }

    fn question() -> Question {
        Question {
            id: "who-answers".to_owned(),
            purpose: Purpose::Retrieval,
            form: Form::Choose,
            level: Level::Basic,
            market: Market::Both,
            topics: vec!["wire".to_owned()],
            revisions: vec!["2026-07-28".to_owned()],
            chapter: "03-wire".to_owned(),
            spec: Vec::new(),
            options: vec![option(true), option(false)],
            en: text("Nobody."),
            zh: text("没有人。"),
        }
    }

    #[test]
    fn a_sound_question_has_no_faults() {
        assert_eq!(question().faults(), []);
    }

    #[test]
    fn an_empty_text_is_a_fault() {
        let mut question = question();
        question.zh.answer = " ".to_owned();
        assert_eq!(
            question.faults(),
            [QuestionFault::Empty {
                language: "zh",
                field: "answer"
            }]
        );
    }

    #[test]
    fn lists_of_different_length_are_a_fault() {
        let mut question = question();
        question.en.followups = vec!["And then?".to_owned()];
        assert_eq!(
            question.faults(),
            [QuestionFault::Uneven {
                field: "followups",
                en: 1,
                zh: 0
            }]
        );
    }

    #[test]
    fn a_choice_needs_a_right_and_a_wrong_option() {
        let mut question = question();
        question.options[0].right = false;
        assert_eq!(question.faults(), [QuestionFault::NoneRight]);
        question.options.truncate(1);
        question.options[0].right = true;
        assert_eq!(question.faults(), [QuestionFault::NoneWrong]);
    }

    #[test]
    fn an_explanation_has_points_and_no_options() {
        let mut question = question();
        question.form = Form::Explain;
        assert_eq!(
            question.faults(),
            [QuestionFault::OptionsUnused, QuestionFault::NoPoints]
        );
    }
}
