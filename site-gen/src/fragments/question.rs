//! What does a question look like without scripts? It unfolds twice: first the question's own part, then the answer.

use std::collections::BTreeSet;

use quiz::question::{Form, Question};

use crate::fragments::markdown;
use crate::fragments::words::{label, words};
use crate::highlight::escape;
use crate::model::Lang;
use crate::select::name;

/// Where questions stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionLayout {
    /// In a chapter.
    Chapter,
    /// On the page of the bank, with filters.
    Bank,
}

/// A list of questions.
pub fn questions(questions: &[&Question], lang: Lang, layout: QuestionLayout) -> String {
    let mut out = String::new();
    match layout {
        QuestionLayout::Chapter => out.push_str("<div class=\"questions\">\n"),
        QuestionLayout::Bank => {
            out.push_str("<question-filter>\n");
            out.push_str(&filters(questions, lang));
            out.push_str("<div class=\"questions\">\n");
        }
    }
    for question in questions {
        out.push_str(&one(question, lang));
    }
    out.push_str("</div>\n");
    if layout == QuestionLayout::Bank {
        out.push_str("</question-filter>\n");
    }
    out
}

/// The filters; hidden until the script is there that makes them work.
fn filters(questions: &[&Question], lang: Lang) -> String {
    let w = words(lang);
    let topics: BTreeSet<&str> = questions
        .iter()
        .flat_map(|question| question.topics.iter().map(String::as_str))
        .collect();
    let select = |key: &str, title: &str, values: &[&str]| {
        let options: String = values
            .iter()
            .map(|value| {
                format!(
                    "<option value=\"{value}\">{}</option>",
                    escape(&label(value, lang))
                )
            })
            .collect();
        format!(
            "<label><span>{title}</span> <select name=\"{key}\"><option value=\"\">{}</option>{options}</select></label>\n",
            w.all
        )
    };
    format!(
        "<form class=\"question-filters\" hidden>\n{}{}{}{}<p class=\"question-count\" role=\"status\"><span data-count>{}</span> {}</p>\n</form>\n",
        select("use", lang.pick("Use", "用途"), &["interview", "retrieval"]),
        select("level", w.level, &["basic", "intermediate", "deep"]),
        select("market", w.market, &["china", "overseas"]),
        select("topic", w.topic, &topics.into_iter().collect::<Vec<_>>()),
        questions.len(),
        w.shown,
    )
}

fn one(question: &Question, lang: Lang) -> String {
    let w = words(lang);
    let text = lang.pick(&question.en, &question.zh);
    let (level, market, purpose) = (
        name(question.level),
        name(question.market),
        name(question.purpose),
    );
    let mut body = String::new();
    if question.form == Form::Choose {
        body.push_str("<ol class=\"options\">\n");
        for option in &question.options {
            body.push_str(&format!(
                "<li>{}</li>\n",
                markdown::inline(&lang.pick(&option.en, &option.zh).text)
            ));
        }
        body.push_str("</ol>\n");
        if question
            .options
            .iter()
            .filter(|option| option.right)
            .count()
            > 1
        {
            body.push_str(&format!("<p class=\"hint\">{}</p>\n", w.choose_several));
        }
    }
    if !text.thinking.is_empty() {
        body.push_str(&format!(
            "<p class=\"label\">{}</p>\n{}",
            w.thinking,
            markdown::block(&text.thinking)
        ));
    }
    body.push_str(&format!(
        "<details class=\"answer\"><summary>{}</summary>\n",
        w.answer
    ));
    if question.form == Form::Choose {
        body.push_str("<ol class=\"options verdicts\">\n");
        for option in &question.options {
            let words = lang.pick(&option.en, &option.zh);
            let (class, verdict) = if option.right {
                ("right", w.right)
            } else {
                ("wrong", w.not_right)
            };
            body.push_str(&format!(
                "<li class=\"{class}\"><strong>{verdict}</strong> {}</li>\n",
                markdown::inline(&words.why)
            ));
        }
        body.push_str("</ol>\n");
    }
    body.push_str(&markdown::block(&text.answer));
    body.push_str(&list(w.points, "points", &text.points));
    if !text.wrong.is_empty() {
        body.push_str(&format!(
            "<p class=\"label\">{}</p>\n{}",
            w.wrong,
            markdown::block(&text.wrong)
        ));
    }
    body.push_str(&list(w.followups, "followups", &text.followups));
    body.push_str(&format!(
        "<p class=\"question-links\">{} {}",
        w.holds_for,
        escape(&question.revisions.join(lang.pick(", ", "、")))
    ));
    body.push_str(&format!(
        " · {} <a href=\"{chapter}.html\">{chapter}</a>",
        w.read_more,
        chapter = escape(&question.chapter)
    ));
    for link in &question.spec {
        body.push_str(&format!(
            " · <a href=\"https://modelcontextprotocol.io/specification/{0}\">{0}</a>",
            escape(link)
        ));
    }
    body.push_str("</p>\n</details>\n");
    format!(
        "<details class=\"question\" id=\"q-{id}\" data-use=\"{purpose}\" data-level=\"{level}\" data-market=\"{market}\" data-topics=\"{topics}\">\n\
         <summary><span class=\"question-text\">{title}</span> <span class=\"question-facts\">{level_label} · {market_label}</span></summary>\n\
         <div data-question=\"{id}\">\n{body}</div>\n</details>\n",
        id = escape(&question.id),
        topics = escape(&question.topics.join(" ")),
        title = markdown::inline(&text.question),
        level_label = label(&level, lang),
        market_label = label(&market, lang),
    )
}

fn list(title: &str, class: &str, items: &[String]) -> String {
    if items.is_empty() {
        return String::new();
    }
    let items: String = items
        .iter()
        .map(|item| format!("<li>{}</li>\n", markdown::inline(item)))
        .collect();
    format!("<p class=\"label\">{title}</p>\n<ul class=\"{class}\">\n{items}</ul>\n")
}
