//! Calls: what a door received, not yet resolved.

use std::sync::Arc;

use serde_json::Value;

use crate::joined_name::JoinedName;

/// A call that a door received.
#[derive(Debug, Clone)]
pub struct Call {
    /// The agent, as the door knows it. The call's own data never names it.
    pub agent: Option<Arc<str>>,
    /// The directory that the call names; `None` for the door's own directory.
    pub cwd: Option<String>,
    /// What the call asks for.
    pub action: Action,
}

impl Call {
    /// Creates a call in the door's own directory and without an agent.
    pub fn new(action: Action) -> Call {
        Call { agent: None, cwd: None, action }
    }

    /// Returns the command line that the call runs. Spans of accesses and doubts refer to it.
    pub fn line(&self) -> Option<&str> {
        match &self.action {
            Action::Line { line, .. } => Some(line),
            Action::Tool { name, input } if crate::resolve::runs_commands(name) => {
                crate::resolve::line_of(input)
            }
            _ => None,
        }
    }

    /// Returns the name of the called tool, for messages.
    pub fn tool_name(&self) -> String {
        match &self.action {
            Action::Line { .. } => "terminal".to_owned(),
            Action::Argv { .. } => "spawn".to_owned(),
            Action::Tool { name, .. } | Action::Bookkeeping { name } => name.clone(),
            Action::Mcp { server, item: McpAction::Tool { name, .. } } => {
                format!("mcp__{server}__{name}")
            }
            Action::Joined { name, .. } => {
                let first = name.first();
                format!("mcp__{}__{}", first.server, first.tool)
            }
            Action::Mcp { server, .. } | Action::McpConnect { server, .. } => {
                format!("mcp__{server}")
            }
            Action::Connect { .. } => "connect".to_owned(),
            Action::Bind { .. } => "bind".to_owned(),
            Action::Resolve { .. } => "dns".to_owned(),
            Action::SetEnv { .. } => "set_env".to_owned(),
            Action::ReadEnv { .. } => "read_env".to_owned(),
            Action::Access { .. } => "access".to_owned(),
        }
    }
}

/// The action that a call asks for.
#[derive(Debug, Clone)]
pub enum Action {
    /// Runs a command line in a shell.
    Line {
        /// The command line.
        line: String,
        /// The shell, if the call names one.
        shell: Option<String>,
    },
    /// Runs a program without a shell.
    Argv {
        /// The program and its arguments.
        argv: Vec<String>,
        /// Environment variables set for the program.
        env: Vec<(String, String)>,
    },
    /// Calls a tool.
    Tool {
        /// The tool's name.
        name: String,
        /// The tool's arguments.
        input: Value,
    },
    /// Calls an internal tool of the agent: task lists, questions to its user, subagents whose
    /// calls are judged when they come.
    ///
    /// Such a call needs no grant; only rules that object to the tool's name apply. A door uses
    /// this for agents whose tools it knows, never for a name alone.
    Bookkeeping {
        /// The tool's name.
        name: String,
    },
    /// Sends a request to an MCP server.
    Mcp {
        /// The server's name.
        server: String,
        /// The request.
        item: McpAction,
    },
    /// Calls an MCP tool by one name that joins server and tool.
    Joined {
        /// The joined name.
        name: JoinedName,
        /// The tool's arguments.
        args: Value,
    },
    /// Starts an MCP server or connects to one.
    McpConnect {
        /// The server's name.
        server: String,
        /// The command or URL of the server.
        how: Value,
    },
    /// Connects to `host:port`.
    Connect {
        /// The host and port.
        endpoint: String,
        /// The IP address to be dialled, if known.
        ip: Option<String>,
        /// The server name in the TLS handshake (SNI), if known.
        sni: Option<String>,
        /// The host that the request inside the connection names, if known.
        host: Option<String>,
    },
    /// Listens at `address:port`.
    Bind {
        /// The address and port.
        endpoint: String,
    },
    /// Resolves a host name.
    Resolve {
        /// The host name.
        name: String,
    },
    /// Sets an environment variable.
    SetEnv {
        /// The variable's name.
        name: String,
    },
    /// Reads an environment variable.
    ReadEnv {
        /// The variable's name.
        name: String,
    },
    /// Performs a single access, written like a pattern without wildcards.
    Access {
        /// The access.
        text: String,
    },
}

/// A request to an MCP server.
#[derive(Debug, Clone)]
pub enum McpAction {
    /// Calls a tool.
    Tool {
        /// The tool's name.
        name: String,
        /// The tool's arguments.
        args: Value,
    },
    /// Reads the resource with this URI.
    Resource(String),
    /// Gets the prompt with this name.
    Prompt(String),
    /// Calls a protocol method that ringfence does not interpret.
    Method(String),
}
