//! The fragments as they stand in pages, reviewed like text: `cargo insta review`, or look at `snapshots/`.

use ::quiz::question::{Question, QuestionFile};
use ::quiz::scenario::ScenarioFile;
use insta::assert_snapshot;

use super::{QuestionLayout, exchange, goals, lab, listing, questions, quiz};
use crate::model::{Code, ExchangeSpec, Goal, Lang, Listing, Transcript};

const SPEC: &str = r#"
set = "shop"
era = "stateless"
transport = "http"
caption = { en = "One call that `fails`.", zh = "一次`失败`的调用。" }
[[step]]
method = "tools/list"
[[note]]
message = 2
en = "Red, and <b>one</b> sentence."
zh = "红色，一句话。"
fault = true
"#;

fn transcript() -> Transcript {
    serde_json::from_value(serde_json::json!({
        "era": "stateless", "transport": "http", "set": "shop",
        "messages": [
            { "direction": "to-server", "raw": r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query_order","arguments":{}}}"#,
              "http": ["POST /mcp", "Mcp-Method: tools/call"] },
            { "direction": "to-client", "raw": r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"a <tag> & \"quotes\""}], "isError" : true}}"#, "http": ["200 OK"] },
            { "direction": "stderr", "raw": "got SO20260901" },
            { "direction": "to-server", "raw": r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"# },
            { "direction": "to-client", "raw": "not json <script>" },
            { "direction": "to-client", "raw": r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"no"}}"# },
        ],
    }))
    .expect("a transcript")
}

fn spec() -> ExchangeSpec {
    toml::from_str(SPEC).expect("an exchange")
}

const QUESTIONS: &str = r#"
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
en = { text = "Nobody.", why = "It has no `id`." }
zh = { text = "没有人。", why = "它没有 `id`。" }

[[question.options]]
right = false
en = { text = "The <server>.", why = "It must not." }
zh = { text = "服务器。", why = "不允许。" }

[question.en]
question = "Who answers a notification?"
thinking = "Look for an id."
answer = "Nobody."
points = ["No id, no answer."]
wrong = "The server, with an empty result."
followups = ["And a request without an id?"]

[question.zh]
question = "谁来回通知？"
thinking = "找一找 id。"
answer = "没有人。"
points = ["没有 id，就没有回答。"]
wrong = "服务器，回一个空结果。"
followups = ["那没有 id 的请求呢？"]
"#;

fn bank() -> Vec<Question> {
    toml::from_str::<QuestionFile>(QUESTIONS)
        .expect("questions")
        .questions
}

#[test]
fn an_exchange_is_readable_without_scripts() {
    assert_snapshot!(
        "exchange_en",
        exchange("failing", &spec(), &transcript(), Lang::En)
    );
    assert_snapshot!(
        "exchange_zh",
        exchange("failing", &spec(), &transcript(), Lang::Zh)
    );
}

#[test]
fn each_message_is_in_its_code_as_it_crossed_but_for_blanks() {
    let page = exchange("failing", &spec(), &transcript(), Lang::En);
    let shown: Vec<String> = page
        .split("<code>")
        .skip(1)
        .filter_map(|rest| rest.split("</code>").next())
        .filter(|code| code.contains("json-key"))
        .map(plain)
        .collect();
    let raw: Vec<String> = transcript()
        .messages
        .into_iter()
        .map(|message| message.raw)
        .filter(|raw| raw.starts_with('{'))
        .collect();
    let json = |text: &String| {
        serde_json::from_str::<serde_json::Value>(text).expect("JSON in a page and on the wire")
    };
    assert_eq!(
        shown.iter().map(json).collect::<Vec<_>>(),
        raw.iter().map(json).collect::<Vec<_>>()
    );
}

/// What a reader of the HTML sees.
fn plain(html: &str) -> String {
    let mut text = String::new();
    let mut inside = false;
    for character in html.chars() {
        match character {
            '<' => inside = true,
            '>' => inside = false,
            other if !inside => text.push(other),
            _ => {}
        }
    }
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&")
}

#[test]
fn a_question_unfolds_twice() {
    let bank = bank();
    let bank: Vec<&Question> = bank.iter().collect();
    assert_snapshot!(
        "question_en",
        questions(&bank, Lang::En, QuestionLayout::Chapter)
    );
    assert_snapshot!("bank_zh", questions(&bank, Lang::Zh, QuestionLayout::Bank));
}

#[test]
fn a_scenario_has_its_verdict_to_unfold() {
    let file: ScenarioFile = toml::from_str(
        r#"
[[scenario]]
id = "two-hosts"
criteria = { several_hosts = true, other_maintainer = false, changes_without_release = false }
en = { title = "Two hosts", story = "The `editor` wants it too.", reasons = "- two hosts", costs = "A process." }
zh = { title = "两个宿主", story = "`编辑器`也要用。", reasons = "- 两个宿主", costs = "一个进程。" }
"#,
    )
    .expect("scenarios");
    assert_snapshot!("quiz_en", quiz(&file.scenarios, Lang::En));
}

#[test]
fn goals_are_boxes_and_a_lab_holds_its_fallback() {
    let goal = Goal {
        id: "ids".to_owned(),
        text: "I can match an `id`.".to_owned(),
    };
    assert_snapshot!("goals_zh", goals("03-wire", &[goal], Lang::Zh));
    assert_snapshot!("lab_en", lab("shop", "<p>recorded</p>\n", Lang::En));
}

#[test]
fn only_several_languages_get_tabs() {
    let code = |language: &str| Code {
        language: language.to_owned(),
        path: format!("labs/x/main.{language}"),
        first_line: 7,
        text: "a < b".to_owned(),
        html: "a &lt; b".to_owned(),
    };
    let one = Listing {
        name: "labs/x/main.rust:compare".to_owned(),
        codes: vec![code("rust")],
    };
    let two = Listing {
        codes: vec![code("rust"), code("python")],
        ..one.clone()
    };
    assert!(!listing(&one, Lang::En).contains("data-tabs"));
    assert_snapshot!("listing_zh", listing(&two, Lang::Zh));
}
