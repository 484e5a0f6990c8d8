//! The bundled MCP servers: a dispatcher without input or output, and two doors.
