//! Exercise 4: what does the model read after a call that failed?

use lab_client::ClientError;
use lab_protocol::CallToolResult;

use super::exercise_3::flatten;

/// A tool that failed explains itself in its content, so a failed result is flattened like any other. A call that
/// failed has no content; its error has words.
pub fn words_for_model(outcome: &Result<CallToolResult, ClientError>) -> String {
    match outcome {
        Ok(result) => flatten(result),
        Err(error) => format!("The call failed before the tool ran: {error}"),
    }
}
