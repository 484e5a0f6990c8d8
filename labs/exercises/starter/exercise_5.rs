//! Exercise 5: when is MCP worth it?
//!
//! The function below says yes to everything, which is how a project ends with a process, a handshake and a time
//! limit around a function of ten lines. Chapter 12 names three reasons; without one of them the answer is no.

/// Whether MCP is worth considering for an ability.
pub fn should_use_mcp(
    several_hosts: bool,
    other_maintainer: bool,
    changes_without_release: bool,
) -> bool {
    let _ = (several_hosts, other_maintainer, changes_without_release);
    true
}
