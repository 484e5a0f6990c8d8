//! A model without a network: what would a model do that sees the conversation and the tools, and nothing else?
//!
//! It is a stand-in for labs and tests, and it is honest: a tool that is not in its list is not called, a schema
//! without properties leaves it guessing, and a failure of which it reads no words leaves it turning in circles.

use lab_protocol::Object;
use serde_json::{Value, json};

use crate::model::{Model, ModelError};

/// Answers questions about orders, in English or Chinese, whichever the question is in.
#[derive(Clone, Debug, Default)]
pub struct ScriptedModel {
    calls: usize,
}

impl Model for ScriptedModel {
    async fn respond(
        &mut self,
        conversation: &[Value],
        tools: &[Value],
    ) -> Result<Value, ModelError> {
        let question = conversation
            .iter()
            .rev()
            .find(|message| message["role"] == "user")
            .and_then(|message| message["content"].as_str())
            .unwrap_or_default();
        let language = Language::of(question);
        let replies: Vec<&str> = conversation
            .iter()
            .filter(|message| message["role"] == "tool")
            .filter_map(|message| message["content"].as_str())
            .collect();
        let tried: Vec<String> = conversation.iter().flat_map(called_with).collect();

        let wanted = match replies.last() {
            // Nothing was called yet: the number in the question is all there is.
            None => order_numbers(question).into_iter().next(),
            // Words that are no data: a failure. A number in them that was not tried yet is worth a try.
            Some(words) if data(words).is_none() => order_numbers(words)
                .into_iter()
                .find(|number| !tried.contains(number)),
            Some(_) => None,
        };
        let tool = pick_tool(question, tools);
        // A failure without words says nothing about what to do, so the same is tried again.
        let silent = replies.last().is_some_and(|words| words.trim().is_empty());
        match (tool, wanted) {
            (Some(tool), Some(number)) => Ok(self.call(tool, &number)),
            (Some(tool), None) if silent => {
                let number = tried.last().cloned().unwrap_or_default();
                Ok(self.call(tool, &number))
            }
            _ => Ok(json!({
                "role": "assistant",
                "content": replies.last().map_or_else(
                    || language.pick("I have no tool that could answer this.", "我手上没有能回答这个问题的工具。").to_owned(),
                    |words| answer(words, language),
                ),
            })),
        }
    }
}

impl ScriptedModel {
    /// Fills in the arguments that the schema names. A hollow schema names none, so none are given.
    fn call(&mut self, tool: &Value, number: &str) -> Value {
        self.calls += 1;
        let mut arguments = Object::new();
        if let Some(properties) = tool["function"]["parameters"]["properties"].as_object()
            && let Some(name) = properties.keys().find(|name| name.contains("order"))
        {
            arguments.insert(name.clone(), number.into());
        }
        json!({
            "role": "assistant",
            "content": null,
            "tool_calls": [{
                "id": format!("call_{}", self.calls),
                "type": "function",
                "function": {
                    "name": tool["function"]["name"],
                    "arguments": Value::Object(arguments).to_string(),
                }
            }]
        })
    }
}

/// The order numbers that an earlier message called a tool with.
fn called_with(message: &Value) -> Vec<String> {
    message["tool_calls"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|call| call["function"]["arguments"].as_str())
        .flat_map(order_numbers)
        .collect()
}

/// Where a parcel is asks for tracking; everything else about an order asks for the order.
fn pick_tool<'a>(question: &str, tools: &'a [Value]) -> Option<&'a Value> {
    let question = question.to_lowercase();
    let about_the_way = ["where", "track", "parcel", "到哪", "物流", "快递"]
        .iter()
        .any(|word| question.contains(word));
    let wanted = if about_the_way { "track" } else { "order" };
    let named = |part: &str| {
        tools.iter().find(|tool| {
            tool["function"]["name"]
                .as_str()
                .is_some_and(|name| name.contains(part))
        })
    };
    named(wanted).or_else(|| named("order"))
}

/// The order numbers in a text: `SO` and eight digits.
fn order_numbers(text: &str) -> Vec<String> {
    text.match_indices("SO")
        .filter_map(|(start, _)| text.get(start..start + 10))
        .filter(|number| number[2..].bytes().all(|byte| byte.is_ascii_digit()))
        .map(str::to_owned)
        .collect()
}

/// The language of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// English.
    English,
    /// Chinese.
    Chinese,
}

impl Language {
    /// Chinese where there is a Chinese character, else English.
    pub fn of(text: &str) -> Self {
        if text
            .chars()
            .any(|character| ('\u{4e00}'..='\u{9fff}').contains(&character))
        {
            Self::Chinese
        } else {
            Self::English
        }
    }

    fn pick(self, english: &'static str, chinese: &'static str) -> &'static str {
        match self {
            Self::English => english,
            Self::Chinese => chinese,
        }
    }
}

/// The object at the head of what a tool said, if it is data and not prose.
fn data(words: &str) -> Option<Object> {
    serde_json::from_str(words).ok()
}

/// The sentence that the model makes of what it read.
pub fn answer(words: &str, language: Language) -> String {
    let Some(object) = data(words) else {
        return match language {
            Language::English => format!("I could not find that out. The tool said: {words}"),
            Language::Chinese => format!("没能查到。工具的说法是：{words}"),
        };
    };
    let order = object
        .get("order_id")
        .and_then(Value::as_str)
        .unwrap_or("?");
    if let Some(status) = object.get("status").and_then(Value::as_str) {
        return match language {
            Language::English => match status {
                "shipped" => format!("Order {order} has shipped."),
                "paid" => format!("Order {order} is paid and waiting to be shipped."),
                "refunded" => format!("Order {order} was refunded."),
                other => format!("The status of order {order} is {other}."),
            },
            Language::Chinese => match status {
                "shipped" => format!("订单 {order} 已发货。"),
                "paid" => format!("订单 {order} 已付款，等待发货。"),
                "refunded" => format!("订单 {order} 已退款。"),
                other => format!("订单 {order} 的状态是 {other}。"),
            },
        };
    }
    if let Some(last) = object
        .get("events")
        .and_then(Value::as_array)
        .and_then(|events| events.last())
    {
        let part = |name: &str| last[name].as_str().unwrap_or("?");
        let (date, place, event) = (part("date"), part("place"), part("event"));
        return match language {
            Language::English => format!("Order {order}, {date}, {place}: {event}."),
            Language::Chinese => format!("订单 {order}，{date}，{place}：{event}。"),
        };
    }
    match language {
        Language::English => format!("This is what I found: {words}"),
        Language::Chinese => format!("查到的是：{words}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Language, ScriptedModel, answer};
    use crate::model::Model;

    fn respond(conversation: &[Value], tools: &[Value]) -> Value {
        let mut future =
            std::pin::pin!(async { ScriptedModel::default().respond(conversation, tools).await });
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        match future.as_mut().poll(&mut context) {
            std::task::Poll::Ready(message) => message.expect("an answer"),
            std::task::Poll::Pending => panic!("the scripted model never waits"),
        }
    }

    fn query_order(parameters: &Value) -> Value {
        json!({ "type": "function", "function": { "name": "query_order", "parameters": parameters } })
    }

    fn asked() -> Vec<Value> {
        vec![json!({ "role": "user", "content": "Has SO20260901 shipped?" })]
    }

    #[test]
    fn it_fills_in_what_the_schema_names() {
        let tool = query_order(&json!({ "type": "object", "properties": { "order_id": {} } }));
        let message = respond(&asked(), &[tool]);
        assert_eq!(
            message["tool_calls"][0]["function"]["arguments"],
            r#"{"order_id":"SO20260901"}"#
        );
    }

    #[test]
    fn a_hollow_schema_leaves_it_without_arguments() {
        let message = respond(&asked(), &[query_order(&json!({}))]);
        assert_eq!(message["tool_calls"][0]["function"]["arguments"], "{}");
    }

    #[test]
    fn without_a_tool_it_says_so() {
        let message = respond(&asked(), &[]);
        assert!(
            message["content"]
                .as_str()
                .expect("words")
                .contains("no tool")
        );
    }

    #[test]
    fn it_answers_in_the_language_of_the_question() {
        let words = r#"{"order_id":"SO20260901","status":"shipped"}"#;
        assert_eq!(
            answer(words, Language::of("发货了吗")),
            "订单 SO20260901 已发货。"
        );
        assert_eq!(
            answer(words, Language::of("shipped?")),
            "Order SO20260901 has shipped."
        );
    }
}
