//! Inclusion of patterns: whether one pattern matches everything that another pattern matches.
//!
//! Patterns are compared as written, with `~`, `@root` and variables as symbols. So the answer
//! never depends on where a project lies. The comparison is exact up to a cost limit. Beyond the
//! limit it answers `false`, which can make a verdict stricter but never milder.

mod automaton;
mod overlap;
mod pattern_automata;

pub use overlap::overlaps;

use crate::net::HostName;
use crate::pattern::{McpPattern, NamePattern, NetPattern, NetTarget, Pattern, SocketPattern};
use crate::rule::{Scope, ToolScope};
use automaton::Automaton;

/// Returns whether the pattern `two` matches every access that the pattern `one` matches.
///
/// Rights of file patterns are ignored, because rules are compared for one operation at a time.
pub fn includes(two: &Pattern, one: &Pattern) -> bool {
    match (one, two) {
        (Pattern::Shell, Pattern::Shell) => true,
        (Pattern::Command(one), Pattern::Command(two)) => {
            pattern_automata::commands(one).is_within(&pattern_automata::commands(two))
        }
        (Pattern::Shell, Pattern::Command(two)) => {
            pattern_automata::any_command().is_within(&pattern_automata::commands(two))
        }
        (Pattern::File(_, one), Pattern::File(_, two)) => {
            pattern_automata::paths(one).is_within(&pattern_automata::paths(two))
        }
        (Pattern::Net(one), Pattern::Net(two)) => net_within(one, two),
        (Pattern::Listen(one), Pattern::Listen(two)) => two.is_none() || one == two,
        (Pattern::Socket(one), Pattern::Socket(two)) => socket_within(one, two),
        (Pattern::Env(one), Pattern::Env(two))
        | (Pattern::Tool(one), Pattern::Tool(two))
        | (Pattern::Keychain(one), Pattern::Keychain(two)) => name_within(one, two),
        (Pattern::Mcp(one), Pattern::Mcp(two)) => mcp_within(one, two),
        (Pattern::Mcp(one), Pattern::Tool(two)) => mcp_within_tool(one, two),
        _ => false,
    }
}

/// Returns whether every access in the scope `one` is also in the scope `two`.
pub fn scope_includes(two: &Scope, one: &Scope) -> bool {
    let agent = match (&one.agent, &two.agent) {
        (_, None) => true,
        (None, Some(two)) => two.is_any(),
        (Some(one), Some(two)) => name_within(one, two),
    };
    let tool = match (&one.tool, &two.tool) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(ToolScope::Kind(one)), Some(ToolScope::Kind(two))) => one == two,
        (Some(ToolScope::Name(one)), Some(ToolScope::Name(two))) => name_within(one, two),
        (Some(_), Some(_)) => false,
    };
    let command = match (&one.command, &two.command) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(one), Some(two)) => {
            let union = Automaton::union(two.iter().map(pattern_automata::commands));
            one.iter().all(|one| pattern_automata::commands(one).is_within(&union))
        }
    };
    let within = match (&one.within, &two.within) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(one), Some(two)) => {
            let union = Automaton::union(two.iter().map(pattern_automata::paths));
            one.iter().all(|one| pattern_automata::paths(one).is_within(&union))
        }
    };
    let unless = match (&one.unless, &two.unless) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(one), Some(two)) => {
            let union = Automaton::union(one.iter().map(pattern_automata::commands));
            two.iter().all(|two| pattern_automata::commands(two).is_within(&union))
        }
    };
    agent && tool && command && unless && within
}

/// Returns whether the pattern `two` matches every name that the pattern `one` matches.
pub fn name_within(one: &NamePattern, two: &NamePattern) -> bool {
    two.is_any() || pattern_automata::names(one).is_within(&pattern_automata::names(two))
}

fn net_within(one: &NetPattern, two: &NetPattern) -> bool {
    let port = two.port.is_none() || one.port == two.port;
    port && target_within(&one.target, &two.target)
}

fn target_within(one: &NetTarget, two: &NetTarget) -> bool {
    match (one, two) {
        (_, NetTarget::Any) => true,
        (NetTarget::Exact(one), NetTarget::Exact(two)) => one == two,
        (NetTarget::Exact(one) | NetTarget::Under(one), NetTarget::Under(two)) => under(one, two),
        (NetTarget::Exact(one), NetTarget::Network(two)) => {
            one.address().is_some_and(|address| two.contains(address))
        }
        (NetTarget::Network(one), NetTarget::Network(two)) => two.includes(one),
        (NetTarget::Registry(one), NetTarget::Registry(two)) => one == two,
        _ => false,
    }
}

/// Returns whether a host name is the domain itself or lies below it.
fn under(name: &HostName, domain: &HostName) -> bool {
    let mut labels = name.labels();
    let mut own = domain.labels().peekable();
    own.peek().is_some() && own.all(|label| labels.next() == Some(label))
}

fn socket_within(one: &SocketPattern, two: &SocketPattern) -> bool {
    match (one, two) {
        (SocketPattern::Path(one), SocketPattern::Path(two)) => {
            pattern_automata::paths(one).is_within(&pattern_automata::paths(two))
        }
        (one, two) => one == two,
    }
}

fn mcp_within(one: &McpPattern, two: &McpPattern) -> bool {
    one.sort == two.sort
        && name_within(&one.server, &two.server)
        && name_within(&one.item, &two.item)
}

/// Returns whether a pattern on wire names matches every tool that an MCP pattern matches.
fn mcp_within_tool(one: &McpPattern, two: &NamePattern) -> bool {
    one.sort == crate::pattern::McpItemKind::Tool
        && pattern_automata::wire_names(one).is_within(&pattern_automata::names(two))
}

#[cfg(test)]
#[path = "inclusion_tests.rs"]
mod tests;
