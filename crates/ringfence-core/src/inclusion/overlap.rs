//! Overlap of patterns: whether two patterns may match the same access.

use super::automaton::Automaton;
use super::{pattern_automata, under};
use crate::net::HostName;
use crate::pattern::{
    Base, Component, Glob, McpItemKind, McpPattern, NamePattern, NetPattern, NetTarget,
    PathAlternative, PathPattern, Pattern, SocketPattern,
};

/// Returns whether some access may match both patterns.
///
/// `false` is certain for every home directory, project root and name resolution, except for links
/// and case-insensitive file systems. Unknown or too costly cases give `true`. Words of commands
/// are compared as written, and rights of file patterns are ignored.
pub fn overlaps(one: &Pattern, two: &Pattern) -> bool {
    match (one, two) {
        (Pattern::Shell, Pattern::Shell | Pattern::Command(_))
        | (Pattern::Command(_), Pattern::Shell) => true,
        (Pattern::Command(one), Pattern::Command(two)) => {
            pattern_automata::commands(one).meets(&pattern_automata::commands(two))
        }
        (Pattern::File(_, one), Pattern::File(_, two)) => paths_meet(one, two),
        (Pattern::Net(one), Pattern::Net(two)) => nets_meet(one, two),
        (Pattern::Listen(one), Pattern::Listen(two)) => {
            one.is_none() || two.is_none() || one == two
        }
        (Pattern::Socket(one), Pattern::Socket(two)) => sockets_meet(one, two),
        (Pattern::Env(one), Pattern::Env(two))
        | (Pattern::Tool(one), Pattern::Tool(two))
        | (Pattern::Keychain(one), Pattern::Keychain(two)) => names_meet(one, two),
        (Pattern::Mcp(one), Pattern::Mcp(two)) => mcp_meet(one, two),
        (Pattern::Mcp(mcp), Pattern::Tool(tool)) | (Pattern::Tool(tool), Pattern::Mcp(mcp)) => {
            mcp.sort == McpItemKind::Tool
                && pattern_automata::wire_names(mcp).meets(&pattern_automata::names(tool))
        }
        _ => false,
    }
}

fn names_meet(one: &NamePattern, two: &NamePattern) -> bool {
    pattern_automata::names(one).meets(&pattern_automata::names(two))
}

/// Returns whether two path patterns overlap. With the same base they are compared as written. With
/// different bases, each base may lie anywhere, also inside the other.
fn paths_meet(one: &PathPattern, two: &PathPattern) -> bool {
    let mut pairs = one
        .alternatives()
        .iter()
        .flat_map(|one| two.alternatives().iter().map(move |two| (one, two)));
    pairs.any(|(one, two)| {
        let same_place = one.base == two.base;
        match (path(one, same_place), path(two, same_place)) {
            (Some(one), Some(two)) => one.meets(&two),
            _ => true,
        }
    })
}

/// Converts one alternative to an automaton, if its components can be written as a pattern.
fn path(alternative: &PathAlternative, same_place: bool) -> Option<Automaton> {
    let anywhere = !same_place && alternative.base != Base::Slash;
    let names = alternative.components.iter().map(|component| match component {
        Component::Literal(name) => Glob::literal(name).to_string(),
        Component::Glob(glob) => glob.to_string(),
        Component::Deep => "**".to_owned(),
    });
    let below: String = names.map(|name| format!("/{name}")).collect();
    let text = match (anywhere, below.as_str()) {
        (true, below) => format!("**{below}"),
        (false, "") => "/".to_owned(),
        (false, below) => below.to_owned(),
    };
    PathPattern::parse(&text).ok().map(|path| pattern_automata::paths(&path))
}

fn nets_meet(one: &NetPattern, two: &NetPattern) -> bool {
    let ports = one.port.is_none() || two.port.is_none() || one.port == two.port;
    ports && targets_meet(&one.target, &two.target)
}

fn targets_meet(one: &NetTarget, two: &NetTarget) -> bool {
    use NetTarget::{Any, Exact, Network, Registry, Under};
    match (one, two) {
        (Any, _) | (_, Any) => true,
        // The hosts of a registry depend on the tools' configuration.
        (Registry(_), _) | (_, Registry(_)) => true,
        (Exact(one), Exact(two)) => one == two || is_name(one) != is_name(two),
        (Exact(name), Under(domain)) | (Under(domain), Exact(name)) => {
            !is_name(name) || under(name, domain)
        }
        (Under(one), Under(two)) => under(one, two) || under(two, one),
        (Network(one), Network(two)) => one.includes(two) || two.includes(one),
        (Network(network), Exact(host)) | (Exact(host), Network(network)) => {
            host.address().is_none_or(|address| network.contains(address))
        }
        // A host name may resolve to any address.
        (Network(_), Under(_)) | (Under(_), Network(_)) => true,
    }
}

fn is_name(host: &HostName) -> bool {
    matches!(host, HostName::Domain(_))
}

fn sockets_meet(one: &SocketPattern, two: &SocketPattern) -> bool {
    match (one, two) {
        (SocketPattern::Path(one), SocketPattern::Path(two)) => paths_meet(one, two),
        (SocketPattern::Named(one), SocketPattern::Named(two)) => one == two,
        // The path of a named socket depends on the host.
        _ => true,
    }
}

fn mcp_meet(one: &McpPattern, two: &McpPattern) -> bool {
    // A deny rule for every tool of a server also denies the server's other items.
    let whole = |mcp: &McpPattern| mcp.sort == McpItemKind::Tool && mcp.item.is_any();
    let items = match one.sort == two.sort {
        true => names_meet(&one.item, &two.item),
        false => whole(one) || whole(two),
    };
    items && names_meet(&one.server, &two.server)
}
