//! What crosses the wire when a client does what an exchange says?
//!
//! The real servers run while the course is built: over stdio as a child process, over HTTP on a free port of this machine.
//! Every message is kept as it crossed. Nothing in a transcript depends on the time or on the port, so that two builds
//! give the same bytes.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::future::join_all;
use lab_client::http::HttpTransport;
use lab_client::options::EraChoice;
use lab_client::process::ServerCommand;
use lab_client::stdio::StdioTransport;
use lab_client::transport::{Hooks, Observer, Transport};
use lab_client::{Client, ClientError, Options, TransportError};
use lab_protocol::{ClientCapabilities, Implementation, Object, Request, RequestMeta, Revision};
use serde_json::Value;

use crate::children::this_program;
use crate::model::{
    Direction, EraName, ExchangeSpec, Step, Transcript, TranscriptMessage, TransportName,
};

/// The address that transcripts show in the place of the real one.
const SHOWN_AUTHORITY: &str = "127.0.0.1:3000";
/// How long one answer may take.
const TIME_LIMIT: Duration = Duration::from_secs(10);

/// Why an exchange could not be recorded.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The exchange names something that does not exist.
    #[error("book/exchanges/{name}.toml: {reason}")]
    Spec {
        /// The exchange.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Client and server did not get on.
    #[error("book/exchanges/{name}.toml: recording failed: {reason}")]
    Failed {
        /// The exchange.
        name: String,
        /// What happened.
        reason: String,
    },
    /// More than one exchange could not be recorded.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Several(Vec<RecordError>),
    /// The recorder itself cannot run.
    #[error("the recorder cannot run: {0}")]
    Recorder(#[from] std::io::Error),
}

/// How a server is started over stdio; `--set` and the set's name are added.
#[derive(Clone, Debug)]
pub struct ServerProgram {
    /// The program.
    pub program: String,
    /// Its first arguments.
    pub args: Vec<String>,
}

impl ServerProgram {
    /// This program itself, which is also the servers.
    ///
    /// # Errors
    /// When the system does not say where this program stands.
    pub fn this_program() -> std::io::Result<Self> {
        Ok(Self {
            program: this_program()?.to_string_lossy().into_owned(),
            args: vec!["lab-server".to_owned(), "stdio".to_owned()],
        })
    }
}

/// Records every exchange.
///
/// # Errors
/// When a server does not start, a step fails without an answer, or a note points at no message.
pub fn record_all(
    specs: &BTreeMap<String, ExchangeSpec>,
    program: &ServerProgram,
) -> Result<BTreeMap<String, Transcript>, RecordError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let mut transcripts = BTreeMap::new();
        let mut errors = Vec::new();
        // No exchange knows of another, so none waits for another; each keeps its own messages in their order.
        let recorded = join_all(specs.values().map(|spec| record(spec, program))).await;
        for ((name, spec), outcome) in specs.iter().zip(recorded) {
            match outcome {
                Ok(transcript) => {
                    errors.extend(misplaced_notes(name, spec, &transcript));
                    transcripts.insert(name.clone(), transcript);
                }
                Err(reason) => errors.push(RecordError::Failed {
                    name: name.clone(),
                    reason,
                }),
            }
        }
        match errors.len() {
            0 => Ok(transcripts),
            1 => Err(errors.remove(0)),
            _ => Err(RecordError::Several(errors)),
        }
    })
}

/// The notes of an exchange that stand at no message.
fn misplaced_notes(name: &str, spec: &ExchangeSpec, transcript: &Transcript) -> Vec<RecordError> {
    let messages = transcript.messages.len();
    spec.notes
        .iter()
        .filter(|note| note.message == 0 || note.message > messages)
        .map(|note| RecordError::Spec {
            name: name.to_owned(),
            reason: format!(
                "a note stands at message {}, but there are {messages}",
                note.message
            ),
        })
        .collect()
}

/// Records one exchange.
async fn record(spec: &ExchangeSpec, program: &ServerProgram) -> Result<Transcript, String> {
    let kept = Kept::default();
    match spec.transport {
        TransportName::Stdio => {
            let mut args = program.args.clone();
            args.extend(["--set".to_owned(), spec.set.clone()]);
            let command = ServerCommand {
                program: program.program.clone(),
                args,
                ..ServerCommand::default()
            };
            let transport =
                StdioTransport::start(&spec.set, &command).map_err(|error| error.to_string())?;
            follow(spec, transport, kept.observer(None)).await?;
        }
        TransportName::Http => {
            let dispatcher =
                lab_server::sets::dispatcher(&spec.set).map_err(|error| error.to_string())?;
            let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
                .await
                .map_err(|error| error.to_string())?;
            let authority = listener
                .local_addr()
                .map_err(|error| error.to_string())?
                .to_string();
            let path = format!("/mcp/{}", spec.set);
            let router = lab_server::http::router(&path, dispatcher);
            let server = tokio::spawn(async move { axum::serve(listener, router).await });
            let transport = HttpTransport::new(&format!("http://{authority}{path}"))
                .map_err(|error| error.to_string())?;
            let outcome = follow(spec, transport, kept.observer(Some(authority))).await;
            server.abort();
            outcome?;
        }
    }
    Ok(Transcript {
        era: spec.era,
        transport: spec.transport,
        set: spec.set.clone(),
        messages: kept.messages(),
    })
}

/// Does what the exchange says, step by step.
async fn follow<T: Transport>(
    spec: &ExchangeSpec,
    mut transport: T,
    observer: Observer,
) -> Result<(), String> {
    let era = match spec.era {
        EraName::Session => EraChoice::Session,
        EraName::Stateless => EraChoice::Stateless,
    };
    let revision = match &spec.revision {
        None => None,
        Some(name) => Some(
            Revision::parse(name).ok_or_else(|| format!("revision {name:?} is not spoken here"))?,
        ),
    };
    let connects = matches!(spec.steps.first(), Some(Step::Connect { .. }));
    if connects {
        let options = Options {
            era,
            revision,
            timeout: TIME_LIMIT,
            info: client_info(),
            observer: Some(observer),
            ..Options::default()
        };
        let client = Client::connect(transport, options)
            .await
            .map_err(|error| error.to_string())?;
        let mut outcome = Ok(());
        for step in &spec.steps[1..] {
            outcome = step_with(&client, step).await;
            if outcome.is_err() {
                break;
            }
        }
        client.close().await;
        return outcome;
    }
    // Without a first connection the messages are written here, with the ids and the `_meta` that our client gives.
    transport.attach(Hooks {
        observer: Some(observer),
        ..Hooks::default()
    });
    let mut outcome = Ok(());
    for (number, step) in (1..).zip(&spec.steps) {
        let text = match step {
            Step::Raw { raw } => raw.clone(),
            Step::Request { method, params } => bare_request(spec, number, method, params)?,
            Step::Connect { .. } => return Err("`connect` can only be the first step".to_owned()),
        };
        outcome = transport
            .send_raw(&text)
            .await
            .map_err(|error| error.to_string());
        if outcome.is_err() {
            break;
        }
    }
    transport.close().await;
    outcome
}

async fn step_with<T: Transport>(client: &Client<T>, step: &Step) -> Result<(), String> {
    let outcome = match step {
        Step::Raw { raw } => client.send_raw(raw).await.map(drop),
        Step::Request { method, params } => client.request(method, object(params)?).await.map(drop),
        Step::Connect { .. } => return Err("`connect` can only be the first step".to_owned()),
    };
    match outcome {
        Ok(()) => Ok(()),
        // An error response is an answer, and often what the exchange is to show.
        Err(error) if answered(&error) => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}

fn answered(error: &ClientError) -> bool {
    matches!(
        error,
        ClientError::Rejected { .. } | ClientError::Transport(TransportError::Refused { .. })
    )
}

fn client_info() -> Implementation {
    Implementation::new("lab-client", env!("CARGO_PKG_VERSION"))
}

fn bare_request(
    spec: &ExchangeSpec,
    number: i64,
    method: &str,
    params: &toml::Table,
) -> Result<String, String> {
    let mut params = object(params)?;
    if spec.era == EraName::Stateless {
        let meta = RequestMeta {
            protocol_version: Some(Revision::V2026_07_28.as_str().to_owned()),
            client_info: Some(client_info()),
            client_capabilities: Some(ClientCapabilities::default()),
            ..RequestMeta::default()
        };
        params.insert(
            "_meta".to_owned(),
            serde_json::to_value(meta).map_err(|error| error.to_string())?,
        );
    }
    let request = Request::new(number, method, &params).map_err(|error| error.to_string())?;
    Ok(lab_protocol::Message::from(request).to_line())
}

fn object(params: &toml::Table) -> Result<Object, String> {
    match serde_json::to_value(params) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Ok(Object::new()),
        Err(error) => Err(error.to_string()),
    }
}

/// What was seen so far.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<TranscriptMessage>>>);

impl Kept {
    fn observer(&self, authority: Option<String>) -> Observer {
        let kept = self.clone();
        Arc::new(move |traced| {
            let direction = match traced.direction {
                lab_client::transport::Direction::ToServer => Direction::ToServer,
                lab_client::transport::Direction::ToClient => Direction::ToClient,
                lab_client::transport::Direction::Stderr => Direction::Stderr,
            };
            let http = traced
                .http
                .iter()
                .map(|line| match &authority {
                    Some(authority) => line.replace(authority, SHOWN_AUTHORITY),
                    None => line.clone(),
                })
                .map(|line| shown_session(&line))
                .collect();
            kept.lock().push(TranscriptMessage {
                direction,
                raw: traced.raw.to_owned(),
                http,
            });
        })
    }

    fn messages(&self) -> Vec<TranscriptMessage> {
        self.lock().clone()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<TranscriptMessage>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A session id is random; every transcript shows the same one.
fn shown_session(line: &str) -> String {
    let lower = line.to_ascii_lowercase();
    match lower.find("mcp-session-id: ") {
        Some(at) => format!(
            "{}{}",
            &line[..at + "mcp-session-id: ".len()],
            "3f2a9c51e0b84d76a1c05be7d9f86342"
        ),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(transport: &str, era: &str, rest: &str) -> ExchangeSpec {
        toml::from_str(&format!(
            "set = \"shop\"\nera = \"{era}\"\ntransport = \"{transport}\"\ncaption = {{ en = \"a\", zh = \"甲\" }}\n{rest}"
        ))
        .expect("an exchange")
    }

    /// A program that there is not; only stdio would start it.
    fn nowhere() -> ServerProgram {
        ServerProgram {
            program: "/no/such/program".to_owned(),
            args: Vec::new(),
        }
    }

    const STEPS: &str = "[[step]]\nconnect = true\n[[step]]\nmethod = \"tools/list\"\n";

    #[test]
    fn two_recordings_are_the_same_and_name_no_real_port_or_session() {
        for era in ["session", "stateless"] {
            let specs = BTreeMap::from([("x".to_owned(), spec("http", era, STEPS))]);
            let first = record_all(&specs, &nowhere()).expect("it is recorded");
            let second = record_all(&specs, &nowhere()).expect("it is recorded");
            assert_eq!(first, second, "{era}");
            let lines: Vec<&String> = first["x"]
                .messages
                .iter()
                .flat_map(|message| &message.http)
                .collect();
            assert!(!lines.is_empty(), "{era}");
            for line in lines.iter().filter(|line| line.contains("127.0.0.1")) {
                assert!(line.contains(SHOWN_AUTHORITY), "{line}");
            }
        }
    }

    #[test]
    fn messages_stand_in_the_order_of_the_wire_and_none_is_missing() {
        let specs = BTreeMap::from([("x".to_owned(), spec("http", "session", STEPS))]);
        let transcript = &record_all(&specs, &nowhere()).expect("it is recorded")["x"];
        let said: Vec<String> = transcript
            .messages
            .iter()
            .map(|message| {
                let value: Value = serde_json::from_str(&message.raw).expect("JSON");
                value["method"].as_str().unwrap_or("result").to_owned()
            })
            .collect();
        assert_eq!(
            said,
            [
                "initialize",
                "result",
                "notifications/initialized",
                "tools/list",
                "result"
            ]
        );
    }

    #[test]
    fn an_error_response_is_part_of_the_exchange_and_stops_nothing() {
        let steps = "[[step]]\nmethod = \"no/such\"\n[[step]]\nmethod = \"tools/list\"\n";
        let specs = BTreeMap::from([("x".to_owned(), spec("http", "stateless", steps))]);
        let transcript = &record_all(&specs, &nowhere()).expect("it is recorded")["x"];
        assert_eq!(transcript.messages.len(), 4);
        assert!(transcript.messages[1].raw.contains("-32601"));
    }

    #[test]
    fn every_exchange_that_fails_is_told() {
        let note = "[[note]]\nmessage = 9\nen = \"a\"\nzh = \"甲\"\n";
        let specs = BTreeMap::from([
            ("one".to_owned(), spec("stdio", "session", STEPS)),
            ("two".to_owned(), spec("stdio", "stateless", STEPS)),
            (
                "three".to_owned(),
                spec("http", "stateless", &format!("{STEPS}{note}")),
            ),
        ]);
        let words = record_all(&specs, &nowhere())
            .expect_err("none can be recorded")
            .to_string();
        for part in ["one.toml", "two.toml", "three.toml", "message 9"] {
            assert!(words.contains(part), "{part} in {words}");
        }
    }
}
