//! How does one look at a server from the command line?
//!
//! `lab-client tools -- COMMAND…` starts a server, lists its tools and ends it; `--url` talks to one that runs. Exit status:
//! 0 done, 1 the tool or the server said no, 2 wrong usage, 3 no working connection.

use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, Parser, Subcommand};
use lab_client::{
    Client, ClientError, Direction, EraChoice, HttpTransport, Options, ServerCommand,
    StdioTransport, Traced, Transport, TransportError, Warning,
};
use lab_protocol::content::ContentBlock;
use lab_protocol::{CallToolResult, Object};
use serde_json::Value;

/// A small inspector of MCP servers.
#[derive(Parser)]
#[command(name = "lab-client", version, about)]
struct CommandLine {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// List the tools
    Tools {
        #[command(flatten)]
        way: Way,
    },
    /// Call a tool
    Call {
        /// The tool's name
        name: String,
        /// Its arguments: a JSON object
        #[arg(default_value = "{}", value_parser = object, allow_hyphen_values = true)]
        args: Object,
        #[command(flatten)]
        way: Way,
    },
    /// List the resources
    Resources {
        #[command(flatten)]
        way: Way,
    },
    /// Read a resource
    Read {
        /// Its URI
        uri: String,
        #[command(flatten)]
        way: Way,
    },
    /// List the prompts
    Prompts {
        #[command(flatten)]
        way: Way,
    },
    /// Fill in a prompt
    Prompt {
        /// The prompt's name
        name: String,
        /// Its arguments: a JSON object of strings
        #[arg(default_value = "{}", value_parser = object, allow_hyphen_values = true)]
        args: Object,
        #[command(flatten)]
        way: Way,
    },
}

/// How to reach the server and what to print.
#[derive(Args)]
struct Way {
    /// Print the result alone, as JSON, on stdout
    #[arg(long)]
    json: bool,
    /// Print every message on stderr
    #[arg(long)]
    trace: bool,
    /// Which era to speak: auto, session or stateless
    #[arg(long, default_value = "auto", value_parser = era)]
    era: EraChoice,
    /// The URL of a running server
    #[arg(long, required_unless_present = "command", conflicts_with = "command")]
    url: Option<String>,
    /// The command that starts a server
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

fn object(text: &str) -> Result<Object, String> {
    serde_json::from_str(text).map_err(|error| format!("a JSON object is needed: {error}"))
}

fn era(text: &str) -> Result<EraChoice, String> {
    EraChoice::parse(text).ok_or_else(|| "auto, session or stateless".to_owned())
}

/// What a task came to.
struct Outcome {
    /// As it came over the wire, or put together from its pages.
    json: String,
    /// For people.
    words: String,
    /// Whether the tool failed at its business.
    failed: bool,
}

#[tokio::main]
async fn main() -> ExitCode {
    let task = CommandLine::parse().task;
    let json = task.way().json;
    // When this program is told to end, the connection is dropped, and a server that was started ends with it.
    let outcome = tokio::select! {
        outcome = connect_and_run(&task) => outcome,
        status = told_to_end() => return ExitCode::from(status),
    };
    match outcome {
        Ok(outcome) => {
            let text = if json { outcome.json } else { outcome.words };
            print_line(&text);
            ExitCode::from(u8::from(outcome.failed))
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(if error.is_refusal() { 1 } else { 3 })
        }
    }
}

/// Waits for Ctrl-C or SIGTERM; gives the exit status that a shell expects after it.
async fn told_to_end() -> u8 {
    #[cfg(unix)]
    if let Ok(mut terminate) =
        tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())
    {
        return tokio::select! {
            _ = tokio::signal::ctrl_c() => 130,
            _ = terminate.recv() => 143,
        };
    }
    let _ = tokio::signal::ctrl_c().await;
    130
}

async fn connect_and_run(task: &Task) -> Result<Outcome, ClientError> {
    let way = task.way();
    if let Some(url) = &way.url {
        run(task, HttpTransport::new(url)?).await
    } else {
        let (program, args) = way
            .command
            .split_first()
            .ok_or(TransportError::CannotStart {
                server: "the server".into(),
                command: String::new(),
                reason: "no command was given".into(),
            })?;
        let command = ServerCommand {
            program: program.clone(),
            args: args.to_vec(),
            ..ServerCommand::default()
        };
        run(
            task,
            StdioTransport::start(&way.command.join(" "), &command)?,
        )
        .await
    }
}

async fn run<T: Transport>(task: &Task, transport: T) -> Result<Outcome, ClientError> {
    let way = task.way();
    let mut options = Options {
        era: way.era,
        reporter: Some(Arc::new(|warning: &Warning| {
            eprintln!("warning: {warning}");
        })),
        ..Options::default()
    };
    if way.trace {
        options.observer = Some(Arc::new(trace));
    }
    let client = Client::connect(transport, options).await?;
    let outcome = task.run(&client).await;
    client.close().await;
    outcome
}

impl Task {
    fn way(&self) -> &Way {
        match self {
            Self::Tools { way }
            | Self::Call { way, .. }
            | Self::Resources { way }
            | Self::Read { way, .. }
            | Self::Prompts { way }
            | Self::Prompt { way, .. } => way,
        }
    }

    async fn run<T: Transport>(&self, client: &Client<T>) -> Result<Outcome, ClientError> {
        match self {
            Self::Tools { .. } => list(client, "tools/list", "tools").await,
            Self::Resources { .. } => list(client, "resources/list", "resources").await,
            Self::Prompts { .. } => list(client, "prompts/list", "prompts").await,
            Self::Call { name, args, .. } => {
                let result = client.call_tool_raw(name, args.clone()).await?;
                let typed: CallToolResult =
                    serde_json::from_str(result.get()).map_err(|error| {
                        ClientError::UnexpectedResult {
                            server: client.server().to_owned(),
                            method: "tools/call".into(),
                            reason: error.to_string(),
                        }
                    })?;
                let words: Vec<String> = typed.content.iter().map(words_of).collect();
                Ok(Outcome {
                    json: result.get().to_owned(),
                    words: words.join("\n"),
                    failed: typed.is_error == Some(true),
                })
            }
            Self::Read { uri, .. } => {
                let params = Object::from_iter([("uri".to_owned(), uri.clone().into())]);
                whole(client, "resources/read", params).await
            }
            Self::Prompt { name, args, .. } => {
                let params = Object::from_iter([
                    ("name".to_owned(), name.clone().into()),
                    ("arguments".to_owned(), args.clone().into()),
                ]);
                whole(client, "prompts/get", params).await
            }
        }
    }
}

/// A list to its end: one entry a line for people.
async fn list<T: Transport>(
    client: &Client<T>,
    method: &str,
    member: &str,
) -> Result<Outcome, ClientError> {
    let entries = client.list(method, member).await?;
    let text_of = |entry: &Value, key: &str| entry[key].as_str().unwrap_or_default().to_owned();
    let words: Vec<String> = entries
        .iter()
        .map(|entry| {
            let name = match text_of(entry, "uri") {
                uri if uri.is_empty() => text_of(entry, "name"),
                uri => uri,
            };
            let description = text_of(entry, "description");
            if description.is_empty() {
                name
            } else {
                format!("{name}: {description}")
            }
        })
        .collect();
    let list = Object::from_iter([(member.to_owned(), Value::Array(entries))]);
    Ok(Outcome {
        json: Value::Object(list).to_string(),
        words: words.join("\n"),
        failed: false,
    })
}

/// A result that is shown as it is.
async fn whole<T: Transport>(
    client: &Client<T>,
    method: &str,
    params: Object,
) -> Result<Outcome, ClientError> {
    let result = client.request(method, params).await?;
    let value: Value = client_value(result.get());
    Ok(Outcome {
        json: result.get().to_owned(),
        words: format!("{value:#}"),
        failed: false,
    })
}

fn client_value(text: &str) -> Value {
    // It is JSON already; a text that is none would be shown as it is.
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}

fn words_of(block: &ContentBlock) -> String {
    match block {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Image(image) => format!("[image, {}]", image.mime_type),
        ContentBlock::Audio(audio) => format!("[audio, {}]", audio.mime_type),
        ContentBlock::ResourceLink(link) => format!("[resource {}]", link.uri),
        ContentBlock::Resource(embedded) => format!("[resource {}]", embedded.resource.uri),
    }
}

/// Shows one message; over HTTP with the lines that came before it.
fn trace(traced: &Traced<'_>) {
    let arrow = match traced.direction {
        Direction::ToServer => "-->",
        Direction::ToClient => "<--",
        Direction::Stderr => "stderr",
    };
    for line in traced.http {
        eprintln!("{arrow} | {line}");
    }
    eprintln!("{arrow} {}", traced.raw);
}

/// Prints, and minds no reader that has gone away.
fn print_line(text: &str) {
    use std::io::Write;

    let _ = writeln!(std::io::stdout(), "{text}");
}
