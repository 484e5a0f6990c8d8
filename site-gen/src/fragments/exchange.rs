//! What does a recorded exchange look like?
//!
//! Two lanes; a card on its sender's side; the title says what it is, the card's body holds the message. The live labs
//! build the same markup in `book/theme/js/exchange-view.js`; who changes one changes both.

use lab_protocol::Message;

use crate::fragments::markdown;
use crate::fragments::pretty::pretty;
use crate::fragments::words::words;
use crate::highlight::escape;
use crate::model::{
    Direction, EraName, ExchangeSpec, Lang, Transcript, TranscriptMessage, TransportName,
};

/// A recorded exchange.
pub fn exchange(name: &str, spec: &ExchangeSpec, transcript: &Transcript, lang: Lang) -> String {
    let w = words(lang);
    let era = match transcript.era {
        EraName::Session => "session",
        EraName::Stateless => "stateless",
    };
    let revision = spec.revision.as_deref().unwrap_or(match transcript.era {
        EraName::Session => "2025-11-25",
        EraName::Stateless => "2026-07-28",
    });
    let transport = match transcript.transport {
        TransportName::Stdio => "stdio",
        TransportName::Http => "Streamable HTTP",
    };
    let mut out = format!(
        "<figure class=\"exchange\" data-exchange=\"{name}\" data-era=\"{era}\">\n\
         <figcaption><span class=\"exchange-caption\">{caption}</span>\n\
         <span class=\"exchange-facts\">{recorded} · {revision} · {transport}</span></figcaption>\n\
         <div class=\"lanes\" aria-hidden=\"true\"><span class=\"lane-client\">{client}</span><span class=\"lane-server\">{server}</span></div>\n\
         <ol class=\"messages\">\n",
        name = escape(name),
        caption = markdown::inline(spec.caption.get(lang)),
        recorded = w.recorded,
        client = w.client,
        server = w.server,
    );
    for (number, message) in (1..).zip(&transcript.messages) {
        let notes: Vec<_> = spec
            .notes
            .iter()
            .filter(|note| note.message == number)
            .collect();
        let fault = notes.iter().any(|note| note.fault);
        let notes: String = notes
            .iter()
            .map(|note| {
                format!(
                    "<p class=\"message-note\">{}</p>\n",
                    markdown::inline(lang.pick(&note.en, &note.zh))
                )
            })
            .collect();
        out.push_str(&card(message, fault, &notes, lang));
    }
    out.push_str("</ol>\n</figure>\n");
    out
}

fn card(message: &TranscriptMessage, fault: bool, notes: &str, lang: Lang) -> String {
    let w = words(lang);
    let (direction, label, arrow) = match message.direction {
        Direction::ToServer => ("to-server", w.to_server, "→"),
        Direction::ToClient => ("to-client", w.to_client, "←"),
        Direction::Stderr => ("stderr", w.stderr, "·"),
    };
    let (title, id, kind) = title(message, lang);
    let tag = id.as_ref().map_or_else(String::new, |id| {
        format!(" <span class=\"message-id\">id {}</span>", escape(id))
    });
    let pair = id.map_or_else(String::new, |id| format!(" data-pair=\"{}\"", escape(&id)));
    let http: String = message
        .http
        .iter()
        .map(|line| format!("{}\n", escape(line)))
        .collect();
    let http = if http.is_empty() {
        String::new()
    } else {
        format!("<pre class=\"message-http\">{http}</pre>\n")
    };
    let fault = if fault || kind == "error" {
        " message-fault"
    } else {
        ""
    };
    format!(
        "<li class=\"message{fault}\" data-message data-direction=\"{direction}\" data-kind=\"{kind}\"{pair}>\n\
         <details><summary><span class=\"message-arrow\" aria-hidden=\"true\">{arrow}</span> \
         <span class=\"visually-hidden\">{label}: </span><span class=\"message-title\">{title}</span>{tag}</summary>\n\
         {http}<pre class=\"message-body\" tabindex=\"0\" role=\"group\" aria-label=\"{text}\"><code>{body}</code></pre></details>\n\
         {notes}</li>\n",
        title = escape(&title),
        text = w.message_text,
        body = colour(&pretty(&message.raw)),
    )
}

/// What a card is called, the id on it, and its kind.
fn title(message: &TranscriptMessage, lang: Lang) -> (String, Option<String>, &'static str) {
    let w = words(lang);
    if message.direction == Direction::Stderr {
        return (message.raw.chars().take(60).collect(), None, "stderr");
    }
    match Message::parse(message.raw.as_bytes()) {
        Ok(Message::Request(request)) => {
            let name = request
                .params
                .as_deref()
                .and_then(|params| serde_json::from_str::<serde_json::Value>(params.get()).ok())
                .and_then(|params| {
                    params
                        .get("name")
                        .and_then(|name| name.as_str())
                        .map(str::to_owned)
                });
            let title = name.map_or_else(
                || request.method.clone(),
                |name| format!("{} {name}", request.method),
            );
            (title, Some(request.id.to_string()), "request")
        }
        Ok(Message::Notification(notification)) => (notification.method, None, "notification"),
        Ok(Message::Response(response)) => {
            let id = response.id.map(|id| id.to_string());
            let of = id.as_deref().unwrap_or("?");
            match response.outcome {
                Ok(result) if is_error(result.get()) => (
                    lang.pick(
                        format!("result of {of}, isError"),
                        format!("{of} 的结果，isError"),
                    ),
                    id.clone(),
                    "error",
                ),
                Ok(_) => (
                    lang.pick(format!("result of {of}"), format!("{of} 的结果")),
                    id.clone(),
                    "result",
                ),
                Err(error) if id.is_some() => (
                    lang.pick(
                        format!("error of {of}: {}", error.code),
                        format!("{of} 的错误：{}", error.code),
                    ),
                    id.clone(),
                    "error",
                ),
                Err(error) => (
                    lang.pick(
                        format!("error without an id: {}", error.code),
                        format!("不带 id 的错误：{}", error.code),
                    ),
                    None,
                    "error",
                ),
            }
        }
        Err(fault) if fault.kind == lab_protocol::FaultKind::Parse => {
            (w.not_json.to_owned(), None, "broken")
        }
        Err(fault) => {
            let id = fault.id.map(|id| id.to_string());
            (w.no_message.to_owned(), id, "broken")
        }
    }
}

/// Whether a result says that the tool failed.
fn is_error(result: &str) -> bool {
    #[derive(serde::Deserialize)]
    struct Failure {
        #[serde(rename = "isError", default)]
        is_error: bool,
    }
    serde_json::from_str::<Failure>(result).is_ok_and(|result| result.is_error)
}

/// Keys and strings of JSON in their classes; the text itself stays.
fn colour(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    let mut rest = text;
    while let Some(start) = rest.find('"') {
        out.push_str(&escape(&rest[..start]));
        let mut end = None;
        let mut escaped = false;
        for (at, byte) in rest.bytes().enumerate().skip(start + 1) {
            match byte {
                b'"' if !escaped => {
                    end = Some(at + 1);
                    break;
                }
                b'\\' => escaped = !escaped,
                _ => escaped = false,
            }
        }
        let Some(end) = end else {
            rest = &rest[start..];
            break;
        };
        let class = if rest[end..].starts_with(':') {
            "json-key"
        } else {
            "json-string"
        };
        out.push_str(&format!(
            "<span class=\"{class}\">{}</span>",
            escape(&rest[start..end])
        ));
        rest = &rest[end..];
    }
    out.push_str(&escape(rest));
    out
}

#[cfg(test)]
mod tests {
    use super::colour;

    #[test]
    fn colouring_keeps_every_character() {
        let text = "{\n  \"a\\\"b\": \"c\\\\\",\n  \"n\": 1 }";
        let bare = colour(text)
            .replace("<span class=\"json-key\">", "")
            .replace("<span class=\"json-string\">", "")
            .replace("</span>", "")
            .replace("&quot;", "\"");
        assert_eq!(bare, text);
    }

    #[test]
    fn a_text_whose_quotes_do_not_close_stays() {
        assert_eq!(colour("say \"hi"), "say &quot;hi");
    }
}
