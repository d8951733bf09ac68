//! Names into which an agent joined those of an MCP server and of its tool.
//!
//! `github__evil__do_it` is the tool `evil__do_it` of `github`, or `do_it` of `github__evil`: the name alone
//! does not say. It must never be taken for what a policy grants because of what nobody knows.

/// A tool of an MCP server, by the one name that its agent has for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JoinedName {
    text: String,
    separator: &'static str,
    /// The servers that are known, as the agent writes them in such names.
    servers: KnownServers,
}

/// The servers of an agent, as far as they are known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KnownServers {
    /// Those of which the agent itself tells, or a person: the agent surely has them.
    pub certain: Vec<String>,
    /// Those that stand where whoever the policy is for may write. The agent may have them too.
    pub possible: Vec<String>,
}

/// One way to read a joined name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading<'n> {
    /// The server's name.
    pub server: &'n str,
    /// The tool's name.
    pub tool: &'n str,
}

impl JoinedName {
    /// A name whose two parts have `separator` between them; none where it has no two parts.
    pub fn new(text: &str, separator: &'static str) -> Option<JoinedName> {
        let servers = KnownServers::default();
        let name = JoinedName { text: text.to_owned(), separator, servers };
        let has_parts = name.readings().next().is_some();
        has_parts.then_some(name)
    }

    /// A name of the form `mcp__SERVER__TOOL`.
    pub fn of_wire(name: &str) -> Option<JoinedName> {
        JoinedName::new(name.strip_prefix("mcp__")?, "__")
    }

    /// Adds servers that are known.
    #[must_use]
    pub fn knowing(mut self, servers: KnownServers) -> JoinedName {
        self.servers.certain.extend(servers.certain);
        self.servers.possible.extend(servers.possible);
        self
    }

    /// Every way to read it, the one with the shortest server first.
    pub fn readings(&self) -> impl Iterator<Item = Reading<'_>> {
        let splits = self.text.char_indices().filter_map(|(at, _)| {
            let (server, rest) = self.text.split_at_checked(at)?;
            Some(Reading { server, tool: rest.strip_prefix(self.separator)? })
        });
        splits.filter(|own| !own.server.is_empty() && !own.tool.is_empty())
    }

    /// Whether it has several readings, and nobody told which servers there are.
    pub fn is_open(&self) -> bool {
        self.servers.certain.is_empty() && self.readings().nth(1).is_some()
    }

    /// The first of the readings.
    pub(crate) fn first(&self) -> Reading<'_> {
        self.readings().next().unwrap_or(Reading { server: "", tool: &self.text })
    }

    pub(crate) fn separator(&self) -> &'static str {
        self.separator
    }

    pub(crate) fn servers(&self) -> &KnownServers {
        &self.servers
    }
}

#[cfg(test)]
#[path = "joined_tests.rs"]
mod tests;
