//! How does a line become a message?
//!
//! JSON-RPC 2.0 has three kinds, and the members that are present tell them apart: a request has a method and an
//! id, a notification has a method alone, a response has an id and a result or an error. Parameters and results
//! stay raw text here; whoever knows the method reads them into its own type.

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::error::{ErrorObject, code};
use crate::request_id::RequestId;

// ANCHOR: message
/// One JSON-RPC 2.0 message.
#[derive(Clone, Debug)]
pub enum Message {
    /// Wants an answer.
    Request(Request),
    /// Wants none, and must not get one.
    Notification(Notification),
    /// Is an answer.
    Response(Response),
}

/// A message that wants an answer.
#[derive(Clone, Debug)]
pub struct Request {
    /// Ties the answer to this request.
    pub id: RequestId,
    /// What is asked: `tools/call`.
    pub method: String,
    /// By name, as an object; its type depends on the method.
    pub params: Option<Box<RawValue>>,
}

/// A message that wants no answer.
#[derive(Clone, Debug)]
pub struct Notification {
    /// What happened: `notifications/tools/list_changed`.
    pub method: String,
    /// By name, as an object.
    pub params: Option<Box<RawValue>>,
}

/// The answer to a request: a result or an error, never both.
#[derive(Clone, Debug)]
pub struct Response {
    /// The id of the request; absent only where the request could not be read so far.
    pub id: Option<RequestId>,
    /// What came of it.
    pub outcome: Result<Box<RawValue>, ErrorObject>,
}
// ANCHOR_END: message

/// Why a text is no message, and what the sender should be told.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{explanation}")]
pub struct MessageFault {
    /// Whether it is no JSON or no message.
    pub kind: FaultKind,
    /// The id, where it could be read.
    pub id: Option<RequestId>,
    /// What is wrong, in a sentence.
    pub explanation: String,
}

/// The two ways in which a text fails to be a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// No JSON: -32700.
    Parse,
    /// JSON, but no request, notification or response: -32600.
    Invalid,
}

impl MessageFault {
    fn invalid(id: Option<RequestId>, explanation: impl Into<String>) -> Self {
        Self {
            kind: FaultKind::Invalid,
            id,
            explanation: explanation.into(),
        }
    }

    /// The error response that JSON-RPC wants for it. It bears the id where that could be read.
    #[must_use]
    pub fn response(&self) -> Response {
        let (code, title) = match self.kind {
            FaultKind::Parse => (code::PARSE_ERROR, "Parse error"),
            FaultKind::Invalid => (code::INVALID_REQUEST, "Invalid request"),
        };
        Response {
            id: self.id.clone(),
            outcome: Err(ErrorObject::new(
                code,
                format!("{title}: {}", self.explanation),
            )),
        }
    }
}

/// The members of every kind of message. A member that is `null` is present, which for an id is a fault.
#[derive(Deserialize)]
struct Members<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    jsonrpc: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    method: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    params: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    result: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    error: Option<&'a RawValue>,
}

fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

impl Message {
    // ANCHOR: parse
    /// Reads one message.
    ///
    /// # Errors
    /// [`FaultKind::Parse`] when the bytes are no UTF-8 or no JSON; [`FaultKind::Invalid`] when they are JSON but
    /// no single message. An array is invalid: batches were taken out with 2025-06-18 (changelog).
    pub fn parse(bytes: &[u8]) -> Result<Self, MessageFault> {
        let parse_fault = |explanation: String| MessageFault {
            kind: FaultKind::Parse,
            id: None,
            explanation,
        };
        let text = std::str::from_utf8(bytes).map_err(|error| parse_fault(error.to_string()))?;
        // Asked first, because serde would also read an array into the members, one by one.
        if text.trim_start().starts_with('[') {
            return Err(match serde_json::from_str::<IgnoredAny>(text) {
                Ok(_) => MessageFault::invalid(
                    None,
                    "an array is no message; MCP has had no batches since 2025-06-18",
                ),
                Err(error) => parse_fault(error.to_string()),
            });
        }
        let members: Members<'_> = match serde_json::from_str(text) {
            Ok(members) => members,
            Err(error) if error.is_data() => {
                return Err(MessageFault::invalid(None, error.to_string()));
            }
            Err(error) => return Err(parse_fault(error.to_string())),
        };

        let id = members
            .id
            .map(|raw| serde_json::from_str::<RequestId>(raw.get()));
        let readable_id = id.as_ref().and_then(|id| id.as_ref().ok()).cloned();
        let fault = |explanation: &str| MessageFault::invalid(readable_id.clone(), explanation);

        if members.jsonrpc.map(RawValue::get) != Some("\"2.0\"") {
            return Err(fault("the member jsonrpc must be \"2.0\""));
        }
        let id = match id {
            Some(Err(_)) => return Err(fault("an id is a string or an integer, never null")),
            Some(Ok(id)) => Some(id),
            None => None,
        };
        if let Some(params) = members.params
            && !params.get().starts_with('{')
        {
            return Err(fault("params must be an object"));
        }

        match (members.method, id, members.result, members.error) {
            (Some(method), id, None, None) => {
                let Ok(method) = serde_json::from_str::<String>(method.get()) else {
                    return Err(fault("the member method must be a string"));
                };
                let params = members.params.map(ToOwned::to_owned);
                Ok(match id {
                    Some(id) => Self::Request(Request { id, method, params }),
                    None => Self::Notification(Notification { method, params }),
                })
            }
            (None, Some(id), Some(result), None) => {
                if !result.get().starts_with('{') {
                    return Err(fault("the member result must be an object"));
                }
                Ok(Self::Response(Response {
                    id: Some(id),
                    outcome: Ok(result.to_owned()),
                }))
            }
            (None, id, None, Some(error)) => match serde_json::from_str(error.get()) {
                Ok(error) => Ok(Self::Response(Response {
                    id,
                    outcome: Err(error),
                })),
                Err(_) => Err(fault(
                    "the member error must hold an integer code and a message",
                )),
            },
            _ => Err(fault(
                "a request or notification has a method; a response has an id and either a result or an error",
            )),
        }
    }
    // ANCHOR_END: parse

    /// The message as one line of JSON, without the line's end.
    #[must_use]
    pub fn to_line(&self) -> String {
        // Every part is a string, a number or JSON text already, so that writing it cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl Request {
    /// A request whose parameters are written from `params`.
    ///
    /// # Errors
    /// When `params` cannot be written as JSON, for instance a map whose keys are no strings.
    pub fn new(
        id: impl Into<RequestId>,
        method: impl Into<String>,
        params: &impl Serialize,
    ) -> Result<Self, serde_json::Error> {
        Ok(Self {
            id: id.into(),
            method: method.into(),
            params: Some(serde_json::value::to_raw_value(params)?),
        })
    }
}

impl Notification {
    /// A notification without parameters.
    pub fn new(method: impl Into<String>) -> Self {
        Self {
            method: method.into(),
            params: None,
        }
    }

    /// A notification whose parameters are written from `params`.
    ///
    /// # Errors
    /// When `params` cannot be written as JSON.
    pub fn with_params(
        method: impl Into<String>,
        params: &impl Serialize,
    ) -> Result<Self, serde_json::Error> {
        Ok(Self {
            method: method.into(),
            params: Some(serde_json::value::to_raw_value(params)?),
        })
    }
}

impl Response {
    /// A result, written from `result`; an internal error where it cannot be written.
    #[must_use]
    pub fn result(id: RequestId, result: &impl Serialize) -> Self {
        Self {
            id: Some(id),
            outcome: serde_json::value::to_raw_value(result)
                .map_err(|error| ErrorObject::internal(error.to_string())),
        }
    }

    /// An error.
    #[must_use]
    pub fn error(id: Option<RequestId>, error: ErrorObject) -> Self {
        Self {
            id,
            outcome: Err(error),
        }
    }
}

/// Writes the members in the order in which people read them.
#[derive(Serialize)]
struct Written<'a> {
    jsonrpc: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a RequestId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    params: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a ErrorObject>,
}

impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Request(request) => request.serialize(serializer),
            Self::Notification(notification) => notification.serialize(serializer),
            Self::Response(response) => response.serialize(serializer),
        }
    }
}

impl Serialize for Request {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Written {
            jsonrpc: "2.0",
            id: Some(&self.id),
            method: Some(&self.method),
            params: self.params.as_deref(),
            result: None,
            error: None,
        }
        .serialize(serializer)
    }
}

impl Serialize for Notification {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Written {
            jsonrpc: "2.0",
            id: None,
            method: Some(&self.method),
            params: self.params.as_deref(),
            result: None,
            error: None,
        }
        .serialize(serializer)
    }
}

impl Serialize for Response {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Written {
            jsonrpc: "2.0",
            id: self.id.as_ref(),
            method: None,
            params: None,
            result: self.outcome.as_deref().ok(),
            error: self.outcome.as_ref().err(),
        }
        .serialize(serializer)
    }
}

impl From<Request> for Message {
    fn from(request: Request) -> Self {
        Self::Request(request)
    }
}

impl From<Notification> for Message {
    fn from(notification: Notification) -> Self {
        Self::Notification(notification)
    }
}

impl From<Response> for Message {
    fn from(response: Response) -> Self {
        Self::Response(response)
    }
}

#[cfg(test)]
mod tests {
    use super::{FaultKind, Message};
    use crate::request_id::RequestId;

    fn fault(text: &str) -> super::MessageFault {
        Message::parse(text.as_bytes()).expect_err(text)
    }

    #[test]
    fn a_message_that_is_read_and_written_is_the_same_line() {
        for line in [
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","id":"a","result":{"tools":[]}}"#,
            r#"{"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"no"}}"#,
        ] {
            assert_eq!(Message::parse(line.as_bytes()).expect(line).to_line(), line);
        }
    }

    #[test]
    fn text_that_is_no_json_is_a_parse_error_without_an_id() {
        for text in [
            "",
            "got SO20260901",
            "{\"jsonrpc\":\"2.0\",\"id\":1,",
            "{} {}",
        ] {
            assert_eq!(fault(text).kind, FaultKind::Parse, "{text}");
        }
        assert_eq!(
            Message::parse(b"{\"jsonrpc\":\"2.0\",\"method\":\"\xff\"}")
                .unwrap_err()
                .kind,
            FaultKind::Parse
        );
    }

    #[test]
    fn json_that_is_no_message_is_an_invalid_request() {
        for text in [
            "5",
            "null",
            "[]",
            r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
            "{}",
            r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":7}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"m"}}"#,
        ] {
            assert_eq!(fault(text).kind, FaultKind::Invalid, "{text}");
        }
    }

    #[test]
    fn an_array_is_never_read_as_the_members_of_a_message() {
        let request = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        for text in [
            r#"["2.0",1,"ping"]"#.to_owned(),
            format!("[{request},{request}]"),
            format!("[{}]", [request; 9].join(",")),
        ] {
            let fault = fault(&text);
            assert_eq!(fault.kind, FaultKind::Invalid, "{text}");
            assert!(fault.explanation.contains("array"), "{text}");
        }
        assert_eq!(fault("[{},").kind, FaultKind::Parse);
    }

    #[test]
    fn a_fault_bears_the_id_where_it_could_be_read() {
        let fault = fault(r#"{"jsonrpc":"2.0","id":"seven","method":7}"#);
        assert_eq!(fault.id, Some(RequestId::from("seven")));
        assert!(
            Message::from(fault.response())
                .to_line()
                .contains(r#""id":"seven""#)
        );
    }

    #[test]
    fn nesting_of_any_depth_is_answered_and_not_a_crash() {
        let deep = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"a":{}{}}}}}"#,
            "[".repeat(200_000),
            "]".repeat(200_000)
        );
        assert!(Message::parse(deep.as_bytes()).is_ok());
    }
}
