//! Calls: what an agent wants to do.

use ringfence_guard::{Action, McpAction};
use serde_json::{Value, json};

/// Something that an agent wants to do: run a command, use a file, fetch a page, call a tool.
///
/// ```
/// use ringfence::Call;
/// use serde_json::json;
///
/// let calls = [
///     Call::bash("git log --oneline | head"),
///     Call::argv(["cargo", "test"]),
///     Call::read("src/main.rs"),
///     Call::fetch("https://example.com/"),
///     Call::tool("web_search", json!({ "query": "landlock" })),
///     Call::mcp("github", "create_issue", json!({ "title": "A bug" })).by("reviewer"),
/// ];
/// ```
#[derive(Debug, Clone)]
pub struct Call(ringfence_guard::Call);

impl Call {
    /// A command line for a shell.
    pub fn bash(line: impl Into<String>) -> Call {
        Call::of(Action::Line { line: line.into(), shell: None })
    }

    /// A program with its arguments, without a shell.
    pub fn argv<S: Into<String>>(words: impl IntoIterator<Item = S>) -> Call {
        let argv = words.into_iter().map(Into::into).collect();
        Call::of(Action::Argv { argv, env: Vec::new() })
    }

    /// The reading of a file.
    pub fn read(path: impl Into<String>) -> Call {
        Call::tool("read_file", json!({ "path": path.into() }))
    }

    /// The writing of a file.
    pub fn write(path: impl Into<String>) -> Call {
        Call::tool("write_file", json!({ "path": path.into() }))
    }

    /// The deletion of a file.
    pub fn delete(path: impl Into<String>) -> Call {
        Call::tool("delete_file", json!({ "path": path.into() }))
    }

    /// The fetching of a URL.
    pub fn fetch(url: impl Into<String>) -> Call {
        Call::tool("web_fetch", json!({ "url": url.into() }))
    }

    /// A call of one of the agent's own tools, by its name and its arguments.
    pub fn tool(name: impl Into<String>, input: Value) -> Call {
        Call::of(Action::Tool { name: name.into(), input })
    }

    /// A call of a tool of an MCP server.
    pub fn mcp(server: impl Into<String>, tool: impl Into<String>, args: Value) -> Call {
        let item = McpAction::Tool { name: tool.into(), args };
        Call::of(Action::Mcp { server: server.into(), item })
    }

    /// The same call by an agent of this name, as the program that embeds ringfence knows it. Rules
    /// can be for one agent; never take the name from what the agent itself says.
    #[must_use]
    pub fn by(mut self, agent: &str) -> Call {
        self.0.agent = Some(agent.into());
        self
    }

    /// The same call in this directory. Without one, calls are made in the directory of the guard.
    #[must_use]
    pub fn within(mut self, directory: impl Into<String>) -> Call {
        self.0.cwd = Some(directory.into());
        self
    }

    fn of(action: Action) -> Call {
        Call(ringfence_guard::Call::new(action))
    }

    pub(crate) fn inner(&self) -> &ringfence_guard::Call {
        &self.0
    }
}
