//! The minimal MCP client: one trait for transports, both eras.
