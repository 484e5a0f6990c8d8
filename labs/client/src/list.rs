//! How is a list read to its end?
//!
//! Lists come in pages; each page says where the next one begins (server/utilities/pagination). The end is a missing
//! cursor. An empty string is a cursor like any other (2026-07-28), and a server may be broken: a list that does not end
//! is given up.

use std::collections::BTreeMap;

use lab_protocol::{Object, Tool};
use serde::Deserialize;
use serde_json::Value;

use crate::client::{Client, lock};
use crate::error::ClientError;
use crate::param_header::{ParamHeader, find, for_call};
use crate::transport::{Channel, Header, Transport};
use crate::warning::Warning;

/// More pages than this are no list.
const MOST_PAGES: usize = 1000;

/// Which arguments of which tool go into headers.
pub(crate) type ToolHeaders = BTreeMap<String, Vec<ParamHeader>>;

impl<T: Transport> Client<T> {
    /// All tools.
    pub async fn list_tools(&self) -> Result<Vec<Tool>, ClientError> {
        let tools = self.list("tools/list", "tools").await?;
        let mut typed = Vec::with_capacity(tools.len());
        for tool in tools {
            typed.push(
                Tool::deserialize(tool).map_err(|error| ClientError::UnexpectedResult {
                    server: self.server().to_owned(),
                    method: "tools/list".to_owned(),
                    reason: error.to_string(),
                })?,
            );
        }
        Ok(typed)
    }

    // ANCHOR: list
    /// All entries of a list, as they came: `list("resources/list", "resources")`.
    pub async fn list(&self, method: &str, member: &str) -> Result<Vec<Value>, ClientError> {
        let mut entries = Vec::new();
        let mut seen: Vec<String> = Vec::new();
        let mut params = Object::new();
        for _ in 0..MOST_PAGES {
            let result = self.request(method, params).await?;
            let mut page: Object = self.read(method, &result)?;
            match page.remove(member) {
                Some(Value::Array(more)) => entries.extend(more),
                _ => return Err(self.unexpected(method, format!("it has no list of {member}"))),
            }
            let cursor = match page.remove("nextCursor") {
                None | Some(Value::Null) => return Ok(self.without_broken_tools(method, entries)),
                Some(Value::String(cursor)) => cursor,
                Some(other) => {
                    return Err(self.unexpected(method, format!("its nextCursor is {other}")));
                }
            };
            if seen.contains(&cursor) {
                return Err(self.endless(method, format!("the cursor {cursor:?} came twice")));
            }
            params = Object::from_iter([("cursor".to_owned(), cursor.clone().into())]);
            seen.push(cursor);
        }
        Err(self.endless(method, format!("more than {MOST_PAGES} pages")))
    }
    // ANCHOR_END: list

    /// Over HTTP a tool whose header marks break the rules is left out, with a warning, so that one broken tool
    /// does not take the others with it. The marks of the others are kept for their calls.
    fn without_broken_tools(&self, method: &str, entries: Vec<Value>) -> Vec<Value> {
        if method != "tools/list" || self.transport().channel() != Channel::Http {
            return entries;
        }
        let mut headers = ToolHeaders::new();
        let kept = entries
            .into_iter()
            .filter(|tool| {
                let name = tool["name"].as_str().unwrap_or_default();
                let Some(schema) = tool["inputSchema"].as_object() else {
                    return true;
                };
                match find(schema) {
                    Ok(marks) => {
                        headers.insert(name.to_owned(), marks);
                        true
                    }
                    Err(reason) => {
                        self.hooks.report(&Warning::ToolLeftOut {
                            server: self.server().to_owned(),
                            tool: name.to_owned(),
                            reason,
                        });
                        false
                    }
                }
            })
            .collect();
        *lock(&self.tool_headers) = headers;
        kept
    }

    /// The headers that repeat arguments of a call; none before the list was read.
    pub(crate) fn headers_of_call(&self, name: &str, arguments: &Object) -> Vec<Header> {
        lock(&self.tool_headers)
            .get(name)
            .map(|marks| for_call(marks, arguments))
            .unwrap_or_default()
    }

    fn unexpected(&self, method: &str, reason: String) -> ClientError {
        ClientError::UnexpectedResult {
            server: self.server().to_owned(),
            method: method.to_owned(),
            reason,
        }
    }

    fn endless(&self, method: &str, reason: String) -> ClientError {
        ClientError::EndlessList {
            server: self.server().to_owned(),
            method: method.to_owned(),
            reason,
        }
    }
}
