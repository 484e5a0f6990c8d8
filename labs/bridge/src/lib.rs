//! MCP tools to function-calling tools, and results back to words a model reads.
