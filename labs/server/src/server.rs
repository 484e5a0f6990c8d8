//! What is a server, before anybody speaks to it? A name, instructions, and tools.

use lab_protocol::lifecycle::{
    COMPLETE, CacheScope, Caching, DiscoverResult, InitializeResult, ListCapability,
};
use lab_protocol::meta::ResultMeta;
use lab_protocol::tool::ListToolsResult;
use lab_protocol::{Era, Implementation, Revision, ServerCapabilities, Tool};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::tool_set::RegisteredTool;

/// How long a list may be kept, in milliseconds: the tools of these servers do not change while they run.
const TTL_MS: i64 = 300_000;

/// A server's offer. It is made once and then only read, so that any number of connections share it.
pub struct Server {
    info: Implementation,
    instructions: Option<String>,
    /// Few enough to look at one after the other.
    tools: Vec<RegisteredTool>,
}

impl Server {
    /// A server without tools.
    pub fn new(info: Implementation) -> Self {
        Self {
            info,
            instructions: None,
            tools: Vec::new(),
        }
    }

    /// Adds how to use the server, for the model.
    #[must_use]
    pub fn instructions(mut self, words: &str) -> Self {
        self.instructions = Some(words.to_owned());
        self
    }

    /// Adds a tool. A second tool of the same name takes the first one's place.
    #[must_use]
    pub fn tool(mut self, tool: RegisteredTool) -> Self {
        let name = &tool.definition.name;
        let mut earlier = self.tools.iter_mut();
        match earlier.find(|earlier| earlier.definition.name == *name) {
            Some(earlier) => *earlier = tool,
            None => self.tools.push(tool),
        }
        self
    }

    /// Name and version.
    pub fn info(&self) -> &Implementation {
        &self.info
    }

    /// The tools in the order in which they were added.
    pub fn tools(&self) -> impl Iterator<Item = &Tool> {
        self.tools.iter().map(|tool| &tool.definition)
    }

    pub(crate) fn find(&self, name: &str) -> Option<&RegisteredTool> {
        self.tools.iter().find(|tool| tool.definition.name == name)
    }

    /// Whether the methods of tools exist here; those of a capability that is not declared do not (all revisions).
    pub(crate) fn has_tools(&self) -> bool {
        !self.tools.is_empty()
    }

    pub(crate) fn capabilities(&self) -> ServerCapabilities {
        ServerCapabilities {
            tools: self.has_tools().then(ListCapability::default),
            ..ServerCapabilities::default()
        }
    }

    pub(crate) fn initialize_result(&self, revision: Revision) -> InitializeResult {
        InitializeResult {
            protocol_version: revision.as_str().to_owned(),
            capabilities: self.capabilities(),
            server_info: self.info.clone(),
            instructions: self.instructions.clone(),
        }
    }
}

/// The answers that are the same every time, written once.
pub(crate) struct Prepared {
    pub(crate) discover: Box<RawValue>,
    pub(crate) tools_session: Box<RawValue>,
    pub(crate) tools_stateless: Box<RawValue>,
    pub(crate) meta: Box<RawValue>,
}

impl Prepared {
    pub(crate) fn new(server: &Server) -> Result<Self, serde_json::Error> {
        let meta = ResultMeta {
            server_info: Some(server.info.clone()),
            ..ResultMeta::default()
        };
        let caching = Caching {
            ttl_ms: Some(TTL_MS),
            cache_scope: Some(CacheScope::Public),
        };
        let tools: Vec<Tool> = server.tools().cloned().collect();
        let mut list = ListToolsResult {
            tools,
            ..ListToolsResult::default()
        };
        let tools_session = raw(&list)?;
        // The stateless era adds what a session needs not say.
        list.result_type = Some(COMPLETE.to_owned());
        list.caching = caching;
        list.meta = Some(meta.clone());
        let discover = DiscoverResult {
            result_type: Some(COMPLETE.to_owned()),
            supported_versions: Revision::names_of(Era::Stateless)
                .into_iter()
                .map(str::to_owned)
                .collect(),
            capabilities: server.capabilities(),
            instructions: server.instructions.clone(),
            caching,
            meta: Some(meta.clone()),
        };
        Ok(Self {
            discover: raw(&discover)?,
            tools_session,
            tools_stateless: raw(&list)?,
            meta: raw(&meta)?,
        })
    }
}

fn raw(value: &impl Serialize) -> Result<Box<RawValue>, serde_json::Error> {
    serde_json::value::to_raw_value(value)
}
