//! What do the six checks look at?
//!
//! A check runs the exercises and judges what comes out; it never reads their code. The server is a child process,
//! every message is real, and only the model is scripted. Each check has a connection of its own and a time limit,
//! so that one that fails or hangs leaves the others alone; each connection ends its server.

use std::time::Duration;

use lab_bridge::{ModelCall, Reply};
use lab_client::process::ServerCommand;
use lab_client::stdio::StdioTransport;
use lab_client::{Client, ClientError, Options};
use lab_host::{AgentError, ScriptedModel, ToolCaller, Turn, run_turn};
use lab_protocol::Tool;
use serde_json::Value;

use crate::exercises::Exercises;

/// How long one check may take.
const TIME_LIMIT: Duration = Duration::from_secs(10);
/// The rounds that a turn may take before the loop gives up.
const ROUNDS: usize = 4;

/// What came of one check.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// From 1 to 6; the numbers are the same everywhere in the course.
    pub number: usize,
    /// What is looked at.
    pub title: &'static str,
    /// What was seen, or what is missing.
    pub result: Result<String, String>,
    /// Where to work on it: a file of the folder.
    pub file: &'static str,
}

/// Runs all six checks, in order. `server` starts the exercises' own server.
pub async fn run_all<E: Exercises>(server: &ServerCommand) -> Vec<Outcome> {
    let checks = Checks::<E> {
        server: server.clone(),
        exercises: std::marker::PhantomData,
    };
    vec![
        Outcome {
            number: 1,
            title: "the server process starts and the lifecycle completes",
            result: limited(checks.lifecycle()).await,
            file: "exercise_1.rs",
        },
        Outcome {
            number: 2,
            title: "tools/list shows both tools, order_id with its pattern, the host unchanged",
            result: limited(checks.both_tools()).await,
            file: "exercise_1.rs",
        },
        Outcome {
            number: 3,
            title: "the translated parameters equal inputSchema, order_id required",
            result: limited(checks.translation()).await,
            file: "exercise_2.rs",
        },
        Outcome {
            number: 4,
            title: "a question about SO20260901 goes all the way",
            result: limited(checks.question()).await,
            file: "exercise_3.rs (needs exercise 2)",
        },
        Outcome {
            number: 5,
            title: "a failure reaches the model, which corrects itself in the second call",
            result: limited(checks.correction()).await,
            file: "exercise_4.rs (needs exercises 2 and 3)",
        },
        Outcome {
            number: 6,
            title: "should_use_mcp over all eight combinations",
            result: decision::<E>(),
            file: "exercise_5.rs",
        },
    ]
}

async fn limited(check: impl Future<Output = Result<String, String>>) -> Result<String, String> {
    tokio::time::timeout(TIME_LIMIT, check)
        .await
        .unwrap_or_else(|_| Err(format!("no result after {} seconds", TIME_LIMIT.as_secs())))
}

struct Checks<E> {
    server: ServerCommand,
    exercises: std::marker::PhantomData<E>,
}

impl<E: Exercises> Checks<E> {
    async fn connect(&self) -> Result<Client<StdioTransport>, String> {
        let transport =
            StdioTransport::start(E::FOLDER, &self.server).map_err(|error| error.to_string())?;
        Client::connect(transport, Options::default())
            .await
            .map_err(|error| error.to_string())
    }

    async fn tools(&self, client: &Client<StdioTransport>) -> Result<Vec<Tool>, String> {
        client.list_tools().await.map_err(|error| error.to_string())
    }

    async fn lifecycle(&self) -> Result<String, String> {
        let client = self.connect().await?;
        let seen = format!(
            "{} of {}, revision {}",
            client.era(),
            E::FOLDER,
            client.revision()
        );
        client.close().await;
        Ok(seen)
    }

    async fn both_tools(&self) -> Result<String, String> {
        let client = self.connect().await?;
        let tools = self.tools(&client).await;
        client.close().await;
        let tools = tools?;
        for name in ["query_order", "track_shipment"] {
            let Some(tool) = tools.iter().find(|tool| tool.name == name) else {
                let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
                return Err(format!(
                    "{name} is missing; the list has: {}",
                    names.join(", ")
                ));
            };
            let pattern = &tool.input_schema["properties"]["order_id"]["pattern"];
            if pattern != r"^SO\d{8}$" {
                return Err(format!(
                    "{name}: order_id should have the pattern ^SO\\d{{8}}$, but has {pattern}"
                ));
            }
        }
        Ok("query_order and track_shipment, each with its pattern".to_owned())
    }

    async fn translation(&self) -> Result<String, String> {
        let client = self.connect().await?;
        let tools = self.tools(&client).await;
        client.close().await;
        for tool in tools? {
            let schema = Value::Object(tool.input_schema.clone());
            let parameters = E::to_function_tool(&tool)["function"]["parameters"].clone();
            if parameters != schema {
                return Err(format!(
                    "{}: inputSchema is {schema}, but the model is given {parameters}",
                    tool.name
                ));
            }
            if parameters["required"] != serde_json::json!(["order_id"]) {
                return Err(format!("{}: order_id should be required", tool.name));
            }
        }
        Ok("the model is given what the server said".to_owned())
    }

    async fn turn(&self, question: &str) -> Result<Turn, String> {
        let client = self.connect().await?;
        let tools: Result<Vec<Value>, String> = self
            .tools(&client)
            .await
            .map(|tools| tools.iter().map(E::to_function_tool).collect());
        let caller = Caller::<E> {
            client: &client,
            exercises: std::marker::PhantomData,
        };
        let turn = match tools {
            Ok(tools) => run_turn(
                &mut ScriptedModel::default(),
                &tools,
                &caller,
                question,
                ROUNDS,
            )
            .await
            .map_err(|error| match error {
                AgentError::TooManyRounds { .. } => {
                    format!(
                        "the model turned in circles: {error}. What did it read after the call?"
                    )
                }
                AgentError::Model(_) => error.to_string(),
            }),
            Err(error) => Err(error),
        };
        client.close().await;
        turn
    }

    async fn question(&self) -> Result<String, String> {
        for (question, wanted) in [
            ("Has order SO20260901 shipped?", "shipped"),
            ("订单 SO20260901 发货了吗？", "已发货"),
        ] {
            let turn = self.turn(question).await?;
            if !turn.answer.contains(wanted) || turn.answer.contains("could not") {
                return Err(format!(
                    "asked {question:?}, the answer should say {wanted:?}, but is {:?}",
                    turn.answer
                ));
            }
        }
        Ok("the answer says that it has shipped (已发货)".to_owned())
    }

    async fn correction(&self) -> Result<String, String> {
        // Well formed and unknown: the two last digits stand the wrong way round.
        let turn = self.turn("Has order SO20260910 shipped?").await?;
        let calls: Vec<String> = turn
            .calls
            .iter()
            .map(|made| {
                made.call
                    .arguments
                    .as_ref()
                    .map_or_else(Clone::clone, |arguments| {
                        Value::Object(arguments.clone()).to_string()
                    })
            })
            .collect();
        if calls.len() != 2 {
            let read = turn
                .calls
                .first()
                .map_or("", |made| made.reply.words.as_str());
            return Err(format!(
                "two calls were expected, but there were {}; after the first the model read {read:?}",
                calls.len()
            ));
        }
        if turn.calls[0].reply.words.is_empty() || !turn.answer.contains("SO20260901") {
            return Err(format!(
                "the model did not correct itself; its answer is {:?}",
                turn.answer
            ));
        }
        // The other kind of failure: a tool that does not exist is an error of the protocol, and needs words too.
        let client = self.connect().await?;
        let unknown = E::call_tool(&client, "cancel_order", lab_protocol::Object::new()).await;
        client.close().await;
        if unknown.is_ok() {
            return Err(
                "calling a tool that does not exist should give the error that the server sent"
                    .to_owned(),
            );
        }
        if !E::words_for_model(&unknown).contains("cancel_order") {
            return Err(
                "the words for a call of an unknown tool should say which tool it was".to_owned(),
            );
        }
        Ok(format!("two calls: {}", calls.join(", then ")))
    }
}

/// What the host's loop asks of the exercises.
struct Caller<'a, E> {
    client: &'a Client<StdioTransport>,
    exercises: std::marker::PhantomData<E>,
}

impl<E: Exercises> ToolCaller for Caller<'_, E> {
    async fn call(&self, call: &ModelCall) -> Reply {
        let arguments = match &call.arguments {
            Ok(arguments) => arguments.clone(),
            Err(text) => {
                return Reply {
                    words: format!("These arguments are no JSON object: {text}"),
                    failed: true,
                };
            }
        };
        let outcome: Result<_, ClientError> =
            E::call_tool(self.client, &call.name, arguments).await;
        let failed = outcome
            .as_ref()
            .map_or(true, |result| result.is_error == Some(true));
        Reply {
            words: E::words_for_model(&outcome),
            failed,
        }
    }
}

fn decision<E: Exercises>() -> Result<String, String> {
    for bits in 0..8_u8 {
        let [several_hosts, other_maintainer, changes_without_release] =
            [bits & 1 != 0, bits & 2 != 0, bits & 4 != 0];
        let wanted = bits != 0;
        let given = E::should_use_mcp(several_hosts, other_maintainer, changes_without_release);
        if given != wanted {
            return Err(format!(
                "several hosts: {several_hosts}, another maintainer: {other_maintainer}, changes without a release: \
                 {changes_without_release}: expected {wanted}, but got {given}"
            ));
        }
    }
    Ok("eight of eight".to_owned())
}
