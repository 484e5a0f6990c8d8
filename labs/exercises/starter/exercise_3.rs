//! Exercise 3: how is a tool called, and what of its answer can a model read?
//!
//! `call_tool` invents an empty result, and `flatten` throws the content away. Ask the server, and make one text of
//! the blocks that come back.

use lab_client::{Client, ClientError, Transport};
use lab_protocol::{CallToolResult, Object};

/// A `tools/call` over whatever connects this client to its server.
///
/// # Errors
/// When the call does not come to a result.
pub async fn call_tool<T: Transport>(
    client: &Client<T>,
    name: &str,
    arguments: Object,
) -> Result<CallToolResult, ClientError> {
    // Nobody is asked here. `client` can.
    let _ = (client, name, arguments);
    Ok(CallToolResult::default())
}

/// The content of a result as one text.
pub fn flatten(result: &CallToolResult) -> String {
    // `result.content` is a list of blocks; the model reads text.
    let _ = result;
    String::new()
}
