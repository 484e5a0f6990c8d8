//! Exercise 4: what does the model read after a call that failed?
//!
//! Only success is handled below. After a failure of either kind the model reads an empty text, and a model that
//! reads nothing calls the same tool again, with the same arguments, until the host has had enough.

use lab_client::ClientError;
use lab_protocol::CallToolResult;

use super::exercise_3::flatten;

/// The words that the model reads after a call, whichever way it ended.
pub fn words_for_model(outcome: &Result<CallToolResult, ClientError>) -> String {
    match outcome {
        Ok(result) if result.is_error != Some(true) => flatten(result),
        // Two kinds of failure arrive here: `Ok` with `isError`, and `Err`.
        _ => String::new(),
    }
}
