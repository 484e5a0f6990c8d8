//! Exercise 5: when is MCP worth it?

/// Any one reason is enough to consider it; without one, a local function does.
pub fn should_use_mcp(
    several_hosts: bool,
    other_maintainer: bool,
    changes_without_release: bool,
) -> bool {
    several_hosts || other_maintainer || changes_without_release
}
