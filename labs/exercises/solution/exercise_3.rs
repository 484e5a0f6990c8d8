//! Exercise 3: how is a tool called, and what of its answer can a model read?

use lab_client::{Client, ClientError, Transport};
use lab_protocol::{CallToolResult, ContentBlock, Object};

/// A `tools/call` over whatever connects this client to its server.
///
/// # Errors
/// When the call does not come to a result: an unknown tool, a broken connection, a time limit.
pub async fn call_tool<T: Transport>(
    client: &Client<T>,
    name: &str,
    arguments: Object,
) -> Result<CallToolResult, ClientError> {
    client.call_tool(name, arguments).await
}

/// The text blocks of a result, one a line. A block that is no text is named, so that the model knows of it.
pub fn flatten(result: &CallToolResult) -> String {
    result
        .content
        .iter()
        .map(|block| match block {
            ContentBlock::Text(text) => text.text.as_str(),
            _ => "[content that is no text was left out]",
        })
        .collect::<Vec<_>>()
        .join("\n")
}
