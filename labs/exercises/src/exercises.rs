//! What is to be written? One method an exercise, with the numbers of the course.

use lab_client::{Client, ClientError, Transport};
use lab_protocol::{CallToolResult, Object, Tool};
use lab_server::Server;
use serde_json::Value;

/// The five exercises. `starter` and `solution` each hand their own functions to the checks through it.
pub trait Exercises {
    /// `starter` or `solution`: the folder with the files, and the argument of the command line.
    const FOLDER: &'static str;

    /// Exercise 1: a server that offers `query_order` and `track_shipment`.
    fn server() -> Result<Server, serde_json::Error>;

    /// Exercise 2: the tool as OpenAI's Chat Completions wants it.
    fn to_function_tool(tool: &Tool) -> Value;

    /// Exercise 3, first half: a real `tools/call`.
    fn call_tool<T: Transport>(
        client: &Client<T>,
        name: &str,
        arguments: Object,
    ) -> impl Future<Output = Result<CallToolResult, ClientError>>;

    /// Exercise 3, second half: the content of a result as one text.
    fn flatten(result: &CallToolResult) -> String;

    /// Exercise 4: the words that the model reads after a call, whichever way it ended.
    fn words_for_model(outcome: &Result<CallToolResult, ClientError>) -> String;

    /// Exercise 5: whether MCP is worth considering.
    fn should_use_mcp(
        several_hosts: bool,
        other_maintainer: bool,
        changes_without_release: bool,
    ) -> bool;
}
