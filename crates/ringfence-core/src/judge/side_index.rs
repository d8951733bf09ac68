//! The index of all patterns of one side: of the rules that grant, or of the rules that deny.

use super::entry::{EntryKind, Side};
use super::exec_index::ExecIndex;
use super::expand::{Expander, PlacedPath, PlacementError};
use crate::access::{Exec, ToolName};
use crate::index::{HostIndex, RuleNumber, Step, TokenTrie};
use crate::net::HostName;
use crate::pattern::{
    Glob, McpItemKind, McpPattern, NamePattern, NetTarget, PathPattern, Pattern, SocketPattern,
};

/// The base names of shells, which the pattern `sh` matches.
const SHELLS: [&str; 37] = [
    "sh",
    "bash",
    "dash",
    "zsh",
    "fish",
    "ksh",
    "mksh",
    "ash",
    "csh",
    "tcsh",
    "rbash",
    "rzsh",
    "nu",
    "pwsh",
    "powershell",
    "elvish",
    "xonsh",
    "yash",
    "sash",
    "rc",
    "es",
    "posh",
    "osh",
    "ysh",
    "oil",
    "ion",
    "murex",
    "scsh",
    "ksh93",
    "rksh",
    "lksh",
    "oksh",
    "loksh",
    "bsd-csh",
    "mrsh",
    "hush",
    "gash",
];

/// All patterns of one side, by class.
#[derive(Debug, Default)]
pub(super) struct SideIndex {
    pub(super) commands: ExecIndex,
    shells: Vec<RuleNumber>,
    pub(super) files: TokenTrie,
    /// The paths that file patterns expand to, for queries about the paths of rules.
    pub(super) file_places: Vec<(RuleNumber, PlacedPath)>,
    pub(super) sockets: TokenTrie,
    /// The paths that socket patterns expand to.
    pub(super) socket_places: Vec<(RuleNumber, PlacedPath)>,
    pub(super) hosts: HostIndex,
    ports: Vec<(Option<u16>, RuleNumber)>,
    pub(super) variables: TokenTrie,
    tools: TokenTrie,
    mcp: TokenTrie,
    pub(super) keychain: TokenTrie,
}

impl SideIndex {
    pub(super) fn insert(
        &mut self,
        pattern: &Pattern,
        (kind, side): (EntryKind, Side),
        entry: RuleNumber,
        expander: &mut Expander<'_>,
    ) -> Result<(), PlacementError> {
        match pattern {
            Pattern::Command(command) => {
                self.commands.insert(command, (kind, side), entry, expander)?;
            }
            Pattern::Shell => self.shells.push(entry),
            Pattern::File(_, path) => {
                let places = expander.places(path, side)?;
                insert_places(&mut self.files, &mut self.file_places, places, entry);
            }
            Pattern::Net(net) => self.insert_host(&net.target, entry, expander),
            Pattern::Listen(port) => self.ports.push((*port, entry)),
            Pattern::Socket(socket) => self.insert_socket(socket, side, entry, expander)?,
            Pattern::Env(name) => insert_name(&mut self.variables, name, entry),
            Pattern::Tool(name) => insert_name(&mut self.tools, name, entry),
            Pattern::Mcp(mcp) => self.insert_mcp(mcp, side, entry),
            Pattern::Keychain(name) => insert_name(&mut self.keychain, name, entry),
        }
        Ok(())
    }

    fn insert_host(&mut self, target: &NetTarget, entry: RuleNumber, expander: &Expander<'_>) {
        match target {
            NetTarget::Any => self.hosts.insert_any(entry),
            NetTarget::Exact(host) => self.hosts.insert_exact(host, entry),
            NetTarget::Under(domain) => self.hosts.insert_under(domain, entry),
            NetTarget::Network(network) => self.hosts.insert_network(network, entry),
            NetTarget::Registry(name) => {
                for host in expander.host().registry_hosts(name) {
                    if let Ok(host) = HostName::parse(&host) {
                        self.hosts.insert_exact(&host, entry);
                    }
                }
            }
        }
    }

    fn insert_socket(
        &mut self,
        socket: &SocketPattern,
        side: Side,
        entry: RuleNumber,
        expander: &mut Expander<'_>,
    ) -> Result<(), PlacementError> {
        match socket {
            SocketPattern::Path(path) => {
                let places = expander.places(path, side)?;
                insert_places(&mut self.sockets, &mut self.socket_places, places, entry);
                Ok(())
            }
            SocketPattern::Named(name) => {
                for path in named_socket(name) {
                    // A socket name that stands for no path on this host matches nothing.
                    let known = PathPattern::parse(path).ok();
                    let places = known.and_then(|path| expander.places(&path, side).ok());
                    let places = places.unwrap_or_default();
                    insert_places(&mut self.sockets, &mut self.socket_places, places, entry);
                }
                Ok(())
            }
        }
    }

    fn insert_mcp(&mut self, mcp: &McpPattern, side: Side, entry: RuleNumber) {
        // A deny rule for every tool of a server also denies the server's resources, prompts and
        // methods.
        let whole_server =
            side == Side::Object && mcp.sort == McpItemKind::Tool && mcp.item.is_any();
        let sorts = if whole_server { McpItemKind::ALL.to_vec() } else { vec![mcp.sort] };
        for server in mcp.server.alternatives() {
            for item in mcp.item.alternatives() {
                for sort in &sorts {
                    for (server, item) in &as_agents_write(server, item, side, *sort) {
                        let sort = Step::Literal(sort_key(*sort));
                        self.mcp.insert([Step::Glob(server), sort, Step::Glob(item)], entry);
                    }
                }
            }
        }
    }

    /// Calls `found` for every pattern that matches the command.
    pub(super) fn each_command(&self, exec: &Exec, side: Side, found: &mut dyn FnMut(RuleNumber)) {
        let is_shell = || match side {
            Side::Grant => {
                let mut names = exec.granted_programs().filter_map(|own| own.known_as.as_deref());
                names.any(|name| SHELLS.contains(&name))
            }
            Side::Object => exec.program.names().any(|name| SHELLS.contains(&name)),
        };
        if !self.shells.is_empty() && is_shell() {
            self.shells.iter().for_each(|entry| found(*entry));
        }
        self.commands.each_match(exec, side, found);
    }

    /// Calls `found` for every pattern that matches the port.
    pub(super) fn each_port(&self, port: u16, mut found: impl FnMut(RuleNumber)) {
        let matching = |own: &&(Option<u16>, RuleNumber)| own.0.is_none_or(|own| own == port);
        self.ports.iter().filter(matching).for_each(|(_, entry)| found(*entry));
    }

    /// Calls `found` for every pattern that matches the tool.
    pub(super) fn each_tool(&self, tool: &ToolName, mut found: impl FnMut(RuleNumber)) {
        self.tools.each_match([&*tool.wire], |entry, _| found(entry));
        if let Some(mcp) = &tool.mcp {
            self.each_mcp(&mcp.server, McpItemKind::Tool, &mcp.item, found);
        }
    }

    /// Calls `found` for every pattern that matches an item of an MCP server.
    pub(super) fn each_mcp(
        &self,
        server: &str,
        sort: McpItemKind,
        item: &str,
        mut found: impl FnMut(RuleNumber),
    ) {
        self.mcp.each_match([server, sort_key(sort), item], |entry, _| found(entry));
    }
}

pub(super) fn insert_places(
    trie: &mut TokenTrie,
    kept: &mut Vec<(RuleNumber, PlacedPath)>,
    places: Vec<PlacedPath>,
    entry: RuleNumber,
) {
    places.iter().for_each(|place| trie.insert(place.steps(), entry));
    kept.extend(places.into_iter().map(|place| (entry, place)));
}

pub(super) fn insert_name(trie: &mut TokenTrie, name: &NamePattern, entry: RuleNumber) {
    for glob in name.alternatives() {
        match glob.as_literal() {
            Some(literal) => trie.insert([Step::Literal(&literal)], entry),
            None => trie.insert([Step::Glob(glob)], entry),
        }
    }
}

/// Returns the spellings of an MCP pattern. For deny and danger rules these include tool names as
/// agents send them: characters that models do not accept become `_`, for some agents `-` as well.
fn as_agents_write(server: &Glob, item: &Glob, side: Side, sort: McpItemKind) -> Vec<(Glob, Glob)> {
    let mut all = vec![(server.clone(), item.clone())];
    if side == Side::Grant || sort != McpItemKind::Tool {
        return all;
    }
    for kept in ["_-", "_"] {
        let plain = |c: char| c.is_ascii_alphanumeric() || kept.contains(c);
        let write = |own: &Glob| own.fold(|c| vec![if plain(c) { c } else { '_' }]);
        let written = (write(server), write(item));
        if !all.contains(&written) {
            all.push(written);
        }
    }
    all
}

fn sort_key(sort: McpItemKind) -> &'static str {
    match sort {
        McpItemKind::Tool => "tool",
        McpItemKind::Resource => "resource",
        McpItemKind::Prompt => "prompt",
        McpItemKind::Method => "method",
    }
}

/// Returns the paths of a well-known socket name.
fn named_socket(name: &str) -> &'static [&'static str] {
    match name {
        "ssh-agent" => &["${SSH_AUTH_SOCK}"],
        "gpg-agent" => &["~/.gnupg/S.gpg-agent*", "/run/user/*/gnupg/**/S.gpg-agent*"],
        "docker" => &["/run/docker.sock", "/var/run/docker.sock", "/run/user/*/docker.sock"],
        _ => &[],
    }
}
