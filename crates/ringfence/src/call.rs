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
    /// Runs a command line in a shell.
    pub fn bash(line: impl Into<String>) -> Call {
        Call::of(Action::Line { line: line.into(), shell: None })
    }

    /// Runs a program with arguments, without a shell.
    pub fn argv<S: Into<String>>(words: impl IntoIterator<Item = S>) -> Call {
        let argv = words.into_iter().map(Into::into).collect();
        Call::of(Action::Argv { argv, env: Vec::new() })
    }

    /// Reads a file.
    pub fn read(path: impl Into<String>) -> Call {
        Call::tool("read_file", json!({ "path": path.into() }))
    }

    /// Writes a file.
    pub fn write(path: impl Into<String>) -> Call {
        Call::tool("write_file", json!({ "path": path.into() }))
    }

    /// Deletes a file.
    pub fn delete(path: impl Into<String>) -> Call {
        Call::tool("delete_file", json!({ "path": path.into() }))
    }

    /// Fetches a URL.
    pub fn fetch(url: impl Into<String>) -> Call {
        Call::tool("web_fetch", json!({ "url": url.into() }))
    }

    /// Calls one of the agent's own tools by name.
    pub fn tool(name: impl Into<String>, input: Value) -> Call {
        Call::of(Action::Tool { name: name.into(), input })
    }

    /// Calls a tool of an MCP server.
    pub fn mcp(server: impl Into<String>, tool: impl Into<String>, args: Value) -> Call {
        let item = McpAction::Tool { name: tool.into(), args };
        Call::of(Action::Mcp { server: server.into(), item })
    }

    /// Sets the agent that makes the call, as the embedding program knows it. Rules may apply to
    /// one agent only. Never take this name from the agent's own data.
    #[must_use]
    pub fn by(mut self, agent: &str) -> Call {
        self.0.agent = Some(agent.into());
        self
    }

    /// Sets the directory of the call. The default is the guard's directory.
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
