//! What can go wrong, in words that name the server, what happened, and what to do?

use std::time::Duration;

use lab_protocol::{Era, ErrorObject};
use serde_json::value::RawValue;

/// Why a message did not reach a server, or its answer did not come back.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TransportError {
    /// The command of a stdio server could not be started.
    #[error(
        "{server}: the command {command:?} could not be started: {reason}. Check its spelling, and that the program is installed and on the PATH"
    )]
    CannotStart {
        /// Which server.
        server: String,
        /// The program.
        command: String,
        /// What the system said.
        reason: String,
    },
    /// The server's process is gone.
    #[error(
        "{server}: the server {how}, so that no answer can come. Run its command in a terminal to see why. {}",
        last_words(.stderr)
    )]
    Ended {
        /// Which server.
        server: String,
        /// How it ended: `ended with exit status 1`.
        how: String,
        /// The last lines that it wrote to stderr.
        stderr: String,
    },
    /// Nobody answers at the URL.
    #[error(
        "{server}: the server cannot be reached: {reason}. Check the URL, and that the server runs"
    )]
    Unreachable {
        /// Which server.
        server: String,
        /// What the system said.
        reason: String,
    },
    /// An HTTP status that is no success, without a JSON-RPC error.
    #[error("{server}: the server answered with HTTP status {status}: {advice}. {}", said(.body))]
    Refused {
        /// Which server.
        server: String,
        /// The status.
        status: u16,
        /// What it usually means and what to do.
        advice: &'static str,
        /// The body, shortened.
        body: String,
    },
    /// The session was ended by the server (2025-11-25, Transports, Session Management, 4).
    #[error("{server}: the server has ended the session (HTTP status 404); open a new one")]
    SessionGone {
        /// Which server.
        server: String,
    },
    /// The answer is no message.
    #[error(
        "{server}: the answer is no MCP message: {reason}. Is this the address of an MCP endpoint?"
    )]
    NotAMessage {
        /// Which server.
        server: String,
        /// What it is instead.
        reason: String,
    },
    /// The answer is larger than this client accepts.
    #[error("{server}: the answer is larger than {limit} bytes and was given up; ask for less")]
    TooLarge {
        /// Which server.
        server: String,
        /// The limit.
        limit: usize,
    },
    /// The server closed the answer's stream without an answer.
    #[error("{server}: the server closed the stream before it answered; try again")]
    NoAnswer {
        /// Which server.
        server: String,
    },
    /// The connection was closed by this side.
    #[error("{server}: the connection was closed by this client; connect again")]
    Closed {
        /// Which server.
        server: String,
    },
}

fn last_words(stderr: &str) -> String {
    if stderr.is_empty() {
        "It wrote nothing to stderr".to_owned()
    } else {
        format!("Its last words on stderr:\n{stderr}")
    }
}

fn said(body: &str) -> String {
    if body.is_empty() {
        "It said nothing more".to_owned()
    } else {
        format!("It said: {body}")
    }
}

/// Why a client could not do what it was asked.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ClientError {
    /// The message or its answer did not get through.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// The server answered with a JSON-RPC error.
    #[error("{server}: {method} was refused: {error}")]
    Rejected {
        /// Which server.
        server: String,
        /// What was asked.
        method: String,
        /// Its answer.
        error: Box<ErrorObject>,
    },
    /// The server did not answer in time.
    #[error(
        "{server}: no answer to {method} within {} ms; the request was given up. Is the server busy or stuck?",
        .after.as_millis()
    )]
    TimedOut {
        /// Which server.
        server: String,
        /// What was asked.
        method: String,
        /// How long was waited.
        after: Duration,
    },
    /// The result is not what the method promises.
    #[error("{server}: the result of {method} is not what the specification promises: {reason}")]
    UnexpectedResult {
        /// Which server.
        server: String,
        /// What was asked.
        method: String,
        /// What does not fit.
        reason: String,
    },
    /// A `resultType` that this client does not know, which makes the result invalid (2026-07-28, ResultType).
    #[error(
        "{server}: the result of {method} has the unknown resultType {result_type}; perhaps it belongs to an extension that this client did not declare"
    )]
    UnknownResultType {
        /// Which server.
        server: String,
        /// What was asked.
        method: String,
        /// The value, as JSON.
        result_type: String,
    },
    /// The server needs something before it can finish (2026-07-28, Multi Round-Trip Requests).
    #[error(
        "{server}: {method} needs input before it can finish: {}. Ask again with inputResponses",
        .asked.join(", ")
    )]
    InputRequired {
        /// Which server.
        server: String,
        /// What was asked of the server.
        method: String,
        /// What the server asks in return, by its keys: `size (elicitation/create)`.
        asked: Vec<String>,
        /// Its whole result; see [`lab_protocol::input::InputRequiredResult`].
        result: Box<RawValue>,
    },
    /// Both speak MCP, and no revision is common to them.
    #[error(
        "{server}: no common revision in this era: the server speaks {theirs}, this client {ours}. Update the older of the two, or choose the other era"
    )]
    NoCommonRevision {
        /// Which server.
        server: String,
        /// What this client offered.
        ours: String,
        /// What the server speaks.
        theirs: String,
    },
    /// The stateless era was demanded of a server of the session era.
    #[error(
        "{server}: the server does not speak the stateless era: {reason}. Choose the session era or let the client find out"
    )]
    NotStateless {
        /// Which server.
        server: String,
        /// What it did instead.
        reason: String,
    },
    /// The options demand a revision of one era and the other era.
    #[error(
        "the revision {revision} does not belong to the {era} era; drop one of the two options"
    )]
    Contradiction {
        /// The revision.
        revision: &'static str,
        /// The era.
        era: Era,
    },
    /// The method does not exist in the era of this connection.
    #[error("{server}: {method} does not exist in the {era} era")]
    NotInThisEra {
        /// Which server.
        server: String,
        /// The method.
        method: &'static str,
        /// The era of the connection.
        era: Era,
    },
    /// A list whose pages do not end.
    #[error(
        "{server}: {method} does not end: {reason}. The server's pagination is broken; reading was stopped"
    )]
    EndlessList {
        /// Which server.
        server: String,
        /// Which list.
        method: String,
        /// How that was noticed.
        reason: String,
    },
    /// The parameters cannot be written as JSON.
    #[error("the parameters of {method} cannot be written as JSON: {reason}")]
    Unwritable {
        /// Which method.
        method: String,
        /// Why.
        reason: String,
    },
}

impl ClientError {
    /// Whether the server understood and said no, as opposed to a connection that does not work.
    pub fn is_refusal(&self) -> bool {
        matches!(
            self,
            Self::Rejected { .. } | Self::InputRequired { .. } | Self::NotInThisEra { .. }
        )
    }
}
