//! Calls: what a door received, before anyone knows what it means.

use std::sync::Arc;

use serde_json::Value;

use crate::joined::JoinedName;

/// What a door received.
#[derive(Debug, Clone)]
pub struct Call {
    /// The agent, as the door knows it; never taken from the call's own words.
    pub agent: Option<Arc<str>>,
    /// The directory that the call names; the door's own where it names none.
    pub cwd: Option<String>,
    /// What is to be done.
    pub action: Action,
}

impl Call {
    /// A call in the door's own directory, by no agent in particular.
    pub fn new(action: Action) -> Call {
        Call { agent: None, cwd: None, action }
    }

    /// The command line that is run, in which the places of accesses and doubts are counted.
    pub fn line(&self) -> Option<&str> {
        match &self.action {
            Action::Line { line, .. } => Some(line),
            Action::Tool { name, input } if crate::resolve::runs_commands(name) => {
                crate::resolve::line_of(input)
            }
            _ => None,
        }
    }

    /// The name of the tool that is called, for messages.
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

/// What a call asks for.
#[derive(Debug, Clone)]
pub enum Action {
    /// Run a command line in a shell.
    Line {
        /// The line.
        line: String,
        /// The shell, where the call names one.
        shell: Option<String>,
    },
    /// Run a program without a shell.
    Argv {
        /// The program and its arguments.
        argv: Vec<String>,
        /// Variables set for it.
        env: Vec<(String, String)>,
    },
    /// Call a tool.
    Tool {
        /// Its name.
        name: String,
        /// Its arguments.
        input: Value,
    },
    /// Call a tool with which an agent keeps its own books: lists of tasks, questions to its user,
    /// other agents whose calls are judged when they come. It needs no grant, and meets only what
    /// objects to its name. Doors say so of the agents they know, never of a name alone.
    Bookkeeping {
        /// Its name.
        name: String,
    },
    /// Ask something of an MCP server.
    Mcp {
        /// The server.
        server: String,
        /// What is asked.
        item: McpAction,
    },
    /// Call a tool of an MCP server by the one name that the agent has for both.
    Joined {
        /// The name.
        name: JoinedName,
        /// Its arguments.
        args: Value,
    },
    /// Start or reach an MCP server.
    McpConnect {
        /// The server.
        server: String,
        /// How it is started or reached.
        how: Value,
    },
    /// Connect to `host:port`.
    Connect {
        /// The host and port.
        endpoint: String,
        /// The address that would be dialled, where it is known.
        ip: Option<String>,
        /// The name that TLS would ask for, where it is known.
        sni: Option<String>,
        /// The host that the request inside would name, where it is known.
        host: Option<String>,
    },
    /// Listen at `address:port`.
    Bind {
        /// The address and port.
        endpoint: String,
    },
    /// Resolve a name.
    Resolve {
        /// The name.
        name: String,
    },
    /// Set a variable.
    SetEnv {
        /// The variable.
        name: String,
    },
    /// Read a variable.
    ReadEnv {
        /// The variable.
        name: String,
    },
    /// Make one access, written like a pattern without wildcards.
    Access {
        /// The access.
        text: String,
    },
}

/// What is asked of an MCP server.
#[derive(Debug, Clone)]
pub enum McpAction {
    /// Call a tool.
    Tool {
        /// Its name.
        name: String,
        /// Its arguments.
        args: Value,
    },
    /// Read a resource.
    Resource(String),
    /// Fetch a prompt.
    Prompt(String),
    /// Call a method that has no meaning of its own here.
    Method(String),
}
