//! What came back for one POST?
//!
//! Either one JSON message, or an event stream of messages that ends with the answer, or a bare status. Both HTTP
//! transports, the native one and the browser's, feed the bytes in here as they come.

use lab_protocol::{ErrorObject, Message, RequestId, Response};
use serde::Deserialize;

use crate::error::TransportError;
use crate::sse::SseParser;
use crate::transport::{Answer, Direction, Hooks};
use crate::warning::{StrayCause, Warning, shortened};

/// No answer may be larger than this.
pub const LARGEST_ANSWER: usize = 16 * 1024 * 1024;

/// Reads what comes back for one POST.
#[derive(Debug)]
pub struct HttpReply<'a> {
    server: &'a str,
    hooks: &'a Hooks,
    /// The request that is to be answered; `None` for whatever else was posted.
    awaited: Option<&'a RequestId>,
    status: u16,
    content_type: String,
    /// The status line and the content type, shown with the first message.
    head: Vec<String>,
    events: Option<SseParser>,
    body: Vec<u8>,
    answer: Option<Response>,
}

impl<'a> HttpReply<'a> {
    /// Begins with the status and the content type.
    pub fn new(
        server: &'a str,
        hooks: &'a Hooks,
        awaited: Option<&'a RequestId>,
        status: u16,
        content_type: &str,
        head: Vec<String>,
    ) -> Self {
        let content_type = content_type
            .split(';')
            .next()
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase();
        let events = (content_type == "text/event-stream").then(|| SseParser::new(LARGEST_ANSWER));
        Self {
            server,
            hooks,
            awaited,
            status,
            content_type,
            head,
            events,
            body: Vec::new(),
            answer: None,
        }
    }

    /// Takes the next bytes; gives back what is to be sent in return for requests of the server.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<Response>, TransportError> {
        let too_large = TransportError::TooLarge {
            server: self.server.to_owned(),
            limit: LARGEST_ANSWER,
        };
        let Some(parser) = &mut self.events else {
            if self.body.len() + bytes.len() > LARGEST_ANSWER {
                return Err(too_large);
            }
            self.body.extend_from_slice(bytes);
            return Ok(Vec::new());
        };
        let events = parser.push(bytes).map_err(|_| too_large)?;
        // Events without data only keep the connection open or mark a place.
        let messages = events.into_iter().filter(|event| !event.data.is_empty());
        Ok(messages
            .filter_map(|event| self.take(&event.data))
            .collect())
    }

    /// Whether the answer is here, so that the rest of the stream need not be waited for.
    pub fn is_answered(&self) -> bool {
        self.answer.is_some()
    }

    /// Looks at one message.
    fn take(&mut self, text: &str) -> Option<Response> {
        let head = std::mem::take(&mut self.head);
        self.hooks.observe(Direction::ToClient, text, &head);
        match Message::parse(text.as_bytes()) {
            Ok(Message::Response(response)) => {
                let expected = self.awaited.is_some() && self.awaited == response.id.as_ref();
                if expected && self.answer.is_none() {
                    self.answer = Some(response);
                } else if self.awaited.is_some() {
                    self.hooks.report(&Warning::UnexpectedAnswer {
                        server: self.server.to_owned(),
                        id: response
                            .id
                            .map_or_else(|| "none".to_owned(), |id| id.to_string()),
                    });
                }
                None
            }
            Ok(other) => self.hooks.listen(other),
            Err(_) => {
                self.hooks.report(&Warning::StrayLine {
                    server: self.server.to_owned(),
                    line: 1,
                    cause: StrayCause::of(text.as_bytes()),
                    text: shortened(text),
                });
                None
            }
        }
    }

    /// The end of the body. `None` where nothing was to be answered and the server accepted it.
    pub fn finish(mut self) -> Result<Option<Answer>, TransportError> {
        let status = self.status;
        let body = std::mem::take(&mut self.body);
        let text = String::from_utf8_lossy(&body);
        if let Some(response) = self.answer.take() {
            return Ok(Some(Answer {
                response,
                status: Some(status),
            }));
        }
        if self.events.is_none() && !(text.is_empty() && (200..300).contains(&status)) {
            self.hooks.observe(Direction::ToClient, &text, &self.head);
        }
        if !(200..300).contains(&status) {
            return self.refusal(&text).map(Some);
        }
        let Some(awaited) = self.awaited else {
            return Ok(None);
        };
        if self.events.is_some() || text.is_empty() {
            return Err(TransportError::NoAnswer {
                server: self.server.to_owned(),
            });
        }
        let not_a_message = |reason: String| TransportError::NotAMessage {
            server: self.server.to_owned(),
            reason,
        };
        match Message::parse(&body) {
            Ok(Message::Response(response))
                if response.id.as_ref() == Some(awaited) || response.id.is_none() =>
            {
                Ok(Some(Answer {
                    response,
                    status: Some(status),
                }))
            }
            Ok(_) => Err(not_a_message(format!(
                "no answer to the request {awaited}: {}",
                shortened(&text)
            ))),
            Err(fault) => Err(not_a_message(format!(
                "{} that begins with {:?} ({fault})",
                if self.content_type.is_empty() {
                    "a body without a content type"
                } else {
                    &self.content_type
                },
                shortened(&text)
            ))),
        }
    }

    /// A status that is no success: a JSON-RPC error where the body has one, whatever its id; else words.
    fn refusal(&self, text: &str) -> Result<Answer, TransportError> {
        #[derive(Deserialize)]
        struct ErrorBody {
            error: ErrorObject,
        }
        match serde_json::from_str::<ErrorBody>(text) {
            Ok(ErrorBody { error }) if self.awaited.is_some() => Ok(Answer {
                response: Response::error(self.awaited.cloned(), error),
                status: Some(self.status),
            }),
            _ => Err(TransportError::Refused {
                server: self.server.to_owned(),
                status: self.status,
                advice: advice(self.status),
                body: shortened(text.trim()),
            }),
        }
    }
}

/// What a status usually means at an MCP endpoint, and what to do.
fn advice(status: u16) -> &'static str {
    match status {
        300..400 => "it wants to send this client elsewhere; use the address that it names",
        400 => "it did not understand the request; see what it said",
        401 => "it wants to know who calls, and this client brings no token",
        403 => {
            "it does not allow this; a server on this machine also refuses foreign origins this way"
        }
        404 => "there is no MCP endpoint at this address; check the path of the URL",
        405 => "this address takes no POST; it may belong to the HTTP+SSE transport of 2024-11-05",
        406 => "it cannot answer in JSON or as an event stream",
        413 => "the message is too large for it; send less",
        415 => "it takes no JSON here; check the path of the URL",
        429 => "it gets too many requests; wait, then try again",
        500.. => "it failed inside; try again later or look at its log",
        _ => "it did not accept the message",
    }
}

#[cfg(test)]
mod tests {
    use lab_protocol::RequestId;

    use super::HttpReply;
    use crate::error::TransportError;
    use crate::transport::{Answer, Hooks};

    fn read(
        status: u16,
        content_type: &str,
        pieces: &[&str],
    ) -> Result<Option<Answer>, TransportError> {
        let hooks = Hooks::default();
        let id = RequestId::from(1);
        let mut reply = HttpReply::new("shop", &hooks, Some(&id), status, content_type, vec![]);
        for piece in pieces {
            reply.push(piece.as_bytes())?;
        }
        reply.finish()
    }

    const ANSWER: &str = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;

    #[test]
    fn json_and_an_event_stream_give_the_same_answer() {
        let json = read(
            200,
            "application/json; charset=utf-8",
            &[&ANSWER[..9], &ANSWER[9..]],
        );
        let event = format!(
            ": hi\n\ndata: {{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}}\n\ndata: {ANSWER}\n\n"
        );
        let stream = read(200, "text/event-stream", &[&event]);
        for answer in [json, stream] {
            let answer = answer.expect("an answer").expect("an answer");
            assert!(answer.response.outcome.is_ok());
        }
    }

    #[test]
    fn an_error_in_a_refusal_is_the_answer_even_without_an_id() {
        let body = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32022,"message":"no"}}"#;
        let answer = read(400, "application/json", &[body])
            .expect("an answer")
            .expect("an answer");
        assert_eq!(answer.status, Some(400));
        assert_eq!(answer.response.outcome.expect_err("an error").code, -32022);
    }

    #[test]
    fn a_refusal_without_a_message_is_put_in_words() {
        let error = read(404, "text/plain", &["Not Found"]).expect_err("a refusal");
        let words = error.to_string();
        assert!(
            words.contains("404") && words.contains("Not Found") && words.contains("path"),
            "{words}"
        );
    }

    #[test]
    fn a_page_of_html_is_no_answer() {
        let error = read(200, "text/html", &["<!doctype html>"]).expect_err("no message");
        assert!(error.to_string().contains("text/html"), "{error}");
    }

    #[test]
    fn a_stream_that_ends_without_the_answer_says_so() {
        assert!(matches!(
            read(200, "text/event-stream", &["data: {}\n\n"]),
            Err(TransportError::NoAnswer { .. })
        ));
    }
}
