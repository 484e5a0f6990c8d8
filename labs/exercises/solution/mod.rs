//! The five exercises, solved.

pub mod exercise_1;
pub mod exercise_2;
pub mod exercise_3;
pub mod exercise_4;
pub mod exercise_5;

use lab_client::{Client, ClientError, Transport};
use lab_protocol::{CallToolResult, Object, Tool};
use lab_server::Server;
use serde_json::Value;

use crate::exercises::Exercises;

/// The solved exercises.
pub struct Solution;

impl Exercises for Solution {
    const FOLDER: &'static str = "solution";

    fn server() -> Result<Server, serde_json::Error> {
        exercise_1::server()
    }

    fn to_function_tool(tool: &Tool) -> Value {
        exercise_2::to_function_tool(tool)
    }

    async fn call_tool<T: Transport>(
        client: &Client<T>,
        name: &str,
        arguments: Object,
    ) -> Result<CallToolResult, ClientError> {
        exercise_3::call_tool(client, name, arguments).await
    }

    fn flatten(result: &CallToolResult) -> String {
        exercise_3::flatten(result)
    }

    fn words_for_model(outcome: &Result<CallToolResult, ClientError>) -> String {
        exercise_4::words_for_model(outcome)
    }

    fn should_use_mcp(
        several_hosts: bool,
        other_maintainer: bool,
        changes_without_release: bool,
    ) -> bool {
        exercise_5::should_use_mcp(several_hosts, other_maintainer, changes_without_release)
    }
}
