//! In which era does a server live?
//!
//! No message says so. A client of both eras asks `server/discover` first and judges by what comes back. The rules
//! stand with each transport: 2026-07-28, stdio, Backward Compatibility, and Streamable HTTP, Backward
//! Compatibility; Versioning sums them up in a table. The era belongs to the server, not to a request: it is found out
//! once and kept for as long as the transport lives.

use lab_protocol::lifecycle::DiscoverResult;
use lab_protocol::{ErrorObject, code};
use serde_json::Value;

use crate::error::TransportError;
use crate::transport::{Answer, Channel};

/// What came of the probe.
#[derive(Debug)]
pub enum Probe {
    /// An answer.
    Answered(Answer),
    /// None within the time for it.
    Silent,
    /// The message or its answer did not get through.
    Failed(TransportError),
}

/// What that says about the server.
#[derive(Debug)]
pub enum Verdict {
    /// Stateless, and it said all about itself.
    Stateless(Box<DiscoverResult>),
    /// Stateless, but it does not know this revision; it named others.
    OtherRevisions(Vec<String>),
    /// Stateless, but it says nothing about itself.
    Undescribed,
    /// Stateless, and it found fault with the probe.
    Refused(ErrorObject),
    /// Session era; the reason is for people.
    Session(String),
    /// Nothing can be said: there is no working connection.
    Failed(TransportError),
}

// ANCHOR: detect_era
/// Judges the era by what came back for `server/discover`.
pub fn judge(channel: Channel, probe: Probe) -> Verdict {
    let answer = match probe {
        Probe::Answered(answer) => answer,
        // Some servers of the session era do not answer what they do not know.
        Probe::Silent => return Verdict::Session("it did not answer server/discover".into()),
        // HTTP: a refusal without a modern error in it comes from a server that wants `initialize`.
        Probe::Failed(TransportError::Refused {
            status: status @ 400..500,
            ..
        }) => {
            return Verdict::Session(format!(
                "it refused server/discover with HTTP status {status}"
            ));
        }
        Probe::Failed(error) => return Verdict::Failed(error),
    };
    match answer.response.outcome {
        Ok(result) => match serde_json::from_str(result.get()) {
            Ok(discovered) => Verdict::Stateless(discovered),
            Err(_) => Verdict::Session("its answer to server/discover describes no server".into()),
        },
        Err(error) if error.code == code::UNSUPPORTED_PROTOCOL_VERSION => {
            Verdict::OtherRevisions(supported(&error))
        }
        Err(error) if error.is_modern() => Verdict::Refused(error),
        // Over HTTP this pair means "no such method here", said by a server that read the headers.
        Err(error)
            if channel == Channel::Http
                && answer.status == Some(404)
                && error.code == code::METHOD_NOT_FOUND =>
        {
            Verdict::Undescribed
        }
        // Any other code: servers of the session era answer with whatever they use for the unknown.
        Err(error) => Verdict::Session(format!("it answered server/discover with: {error}")),
    }
}
// ANCHOR_END: detect_era

/// The revisions in an UnsupportedProtocolVersionError.
fn supported(error: &ErrorObject) -> Vec<String> {
    let list = error.data.as_ref().and_then(|data| data.get("supported"));
    list.and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(ToOwned::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use lab_protocol::{ErrorObject, Response};
    use serde_json::{Value, json};

    use super::{Probe, Verdict, judge};
    use crate::error::TransportError;
    use crate::transport::{Answer, Channel};

    fn verdict(
        channel: Channel,
        status: Option<u16>,
        outcome: Result<Value, ErrorObject>,
    ) -> Verdict {
        let response = match outcome {
            Ok(result) => Response::result(1.into(), &result),
            Err(error) => Response::error(Some(1.into()), error),
        };
        judge(channel, Probe::Answered(Answer { response, status }))
    }

    fn refused(status: u16) -> Verdict {
        let error = TransportError::Refused {
            server: "shop".into(),
            status,
            advice: "",
            body: String::new(),
        };
        judge(Channel::Http, Probe::Failed(error))
    }

    #[test]
    fn a_server_that_describes_itself_is_stateless() {
        let result = json!({ "resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {} });
        assert!(matches!(
            verdict(Channel::Pipe, None, Ok(result)),
            Verdict::Stateless(_)
        ));
    }

    #[test]
    fn a_modern_error_never_leads_to_initialize() {
        let unsupported = ErrorObject::unsupported_version("2026-07-28", &["2027-01-01"]);
        let Verdict::OtherRevisions(named) = verdict(Channel::Pipe, None, Err(unsupported)) else {
            panic!("a modern server");
        };
        assert_eq!(named, ["2027-01-01"]);
        for error in [
            ErrorObject::header_mismatch("h"),
            ErrorObject::missing_capability("c", &json!({})),
        ] {
            assert!(matches!(
                verdict(Channel::Http, Some(400), Err(error)),
                Verdict::Refused(_)
            ));
        }
    }

    #[test]
    fn any_other_error_and_silence_lead_to_initialize() {
        for code in [-32601, -32602, -32600, -32000, -32001, 0] {
            let error = ErrorObject::new(code, "?");
            assert!(
                matches!(
                    verdict(Channel::Pipe, None, Err(error)),
                    Verdict::Session(_)
                ),
                "{code}"
            );
        }
        assert!(matches!(
            judge(Channel::Pipe, Probe::Silent),
            Verdict::Session(_)
        ));
        assert!(matches!(
            verdict(Channel::Pipe, None, Ok(json!({}))),
            Verdict::Session(_)
        ));
    }

    #[test]
    fn an_http_refusal_without_a_modern_error_leads_to_initialize() {
        for status in [400, 404, 405, 406, 415] {
            assert!(matches!(refused(status), Verdict::Session(_)), "{status}");
        }
        assert!(matches!(refused(503), Verdict::Failed(_)));
        let legacy = ErrorObject::new(-32000, "No valid session id");
        assert!(matches!(
            verdict(Channel::Http, Some(400), Err(legacy)),
            Verdict::Session(_)
        ));
    }

    #[test]
    fn method_not_found_means_modern_over_http_with_404_alone() {
        let error = || Err(ErrorObject::method_not_found("server/discover"));
        assert!(matches!(
            verdict(Channel::Http, Some(404), error()),
            Verdict::Undescribed
        ));
        assert!(matches!(
            verdict(Channel::Http, Some(200), error()),
            Verdict::Session(_)
        ));
        assert!(matches!(
            verdict(Channel::Pipe, None, error()),
            Verdict::Session(_)
        ));
    }
}
