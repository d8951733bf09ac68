//! Tool names that join the names of an MCP server and its tool.
//!
//! `github__evil__do_it` is the tool `evil__do_it` of `github`, or `do_it` of `github__evil`; the
//! name alone does not tell. A name must never match a grant only because its server is unknown.

/// An MCP tool under the joined name that its agent uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JoinedName {
    text: String,
    separator: &'static str,
    /// The known servers, spelled as in joined names.
    servers: KnownServers,
}

/// The known MCP servers of an agent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KnownServers {
    /// Servers that the agent certainly has, according to the agent itself or a person.
    pub certain: Vec<String>,
    /// Servers named in files that the confined agent may have written. The agent may have them.
    pub possible: Vec<String>,
}

/// One way to split a joined name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NameReading<'n> {
    /// The server's name.
    pub server: &'n str,
    /// The tool's name.
    pub tool: &'n str,
}

impl JoinedName {
    /// Creates a joined name, or returns `None` if `text` cannot be split at `separator`.
    pub fn new(text: &str, separator: &'static str) -> Option<JoinedName> {
        let servers = KnownServers::default();
        let name = JoinedName { text: text.to_owned(), separator, servers };
        let has_parts = name.readings().next().is_some();
        has_parts.then_some(name)
    }

    /// Parses a name of the form `mcp__SERVER__TOOL`.
    pub fn parse_mcp(name: &str) -> Option<JoinedName> {
        JoinedName::new(name.strip_prefix("mcp__")?, "__")
    }

    /// Adds known servers.
    #[must_use]
    pub fn with_servers(mut self, servers: KnownServers) -> JoinedName {
        self.servers.certain.extend(servers.certain);
        self.servers.possible.extend(servers.possible);
        self
    }

    /// Returns every way to split the name, the shortest server first.
    pub fn readings(&self) -> impl Iterator<Item = NameReading<'_>> {
        let splits = self.text.char_indices().filter_map(|(at, _)| {
            let (server, rest) = self.text.split_at_checked(at)?;
            Some(NameReading { server, tool: rest.strip_prefix(self.separator)? })
        });
        splits.filter(|own| !own.server.is_empty() && !own.tool.is_empty())
    }

    /// Returns whether the name can be split in several ways and no certain server is known.
    pub fn is_ambiguous(&self) -> bool {
        self.servers.certain.is_empty() && self.readings().nth(1).is_some()
    }

    /// Returns the first reading.
    pub(crate) fn first(&self) -> NameReading<'_> {
        self.readings().next().unwrap_or(NameReading { server: "", tool: &self.text })
    }

    pub(crate) fn separator(&self) -> &'static str {
        self.separator
    }

    pub(crate) fn servers(&self) -> &KnownServers {
        &self.servers
    }
}

#[cfg(test)]
#[path = "joined_name_tests.rs"]
mod tests;
