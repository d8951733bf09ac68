//! Patterns: one syntax tree for all notations.
//!
//! A pattern is symbolic: `~`, `@root` and `${VAR}` stay as written, so that two patterns can be
//! compared without knowing where the project lies. The judge expands them when it compiles a
//! policy. Nothing here decides anything.

mod brace;
mod command;
mod error;
mod glob;
mod name;
mod net;
mod parse;
mod path;

pub use brace::expand as expand_braces;
pub use command::{CommandAlternative, CommandPattern, Ending, Token};
pub use error::PatternError;
pub use glob::{CharClass, Glob, GlobPart};
pub use name::NamePattern;
pub use net::{NetPattern, NetTarget, REGISTRIES};
pub use parse::{NAMED_SOCKETS, has_control};
pub use path::{Base, Component, PathAlternative, PathPattern};

use std::fmt;
use std::sync::Arc;

use crate::class::Class;

/// The longest pattern that is parsed, in bytes.
pub const MAX_PATTERN_BYTES: usize = 4096;
/// The largest number of wildcards in one alternative of a pattern.
pub const MAX_WILDCARDS: usize = 32;
/// The largest number of alternatives that braces may expand to.
pub const MAX_ALTERNATIVES: usize = 256;

/// A pattern of a rule: the accesses that the rule matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pattern {
    /// `cmd:git:push:*`: commands.
    Command(CommandPattern),
    /// `sh`: a shell that is started as a program.
    Shell,
    /// `fs:r:@root/**`: files, with the rights on them.
    File(Rights, PathPattern),
    /// `net:*.github.com:443`: hosts.
    Net(NetPattern),
    /// `listen:8080`: a listening port; `None` is any port.
    Listen(Option<u16>),
    /// `sock:/run/x.sock`: unix sockets.
    Socket(SocketPattern),
    /// `env:AWS_*`: environment variables.
    Env(NamePattern),
    /// `tool:web_*`: tools by wire name.
    Tool(NamePattern),
    /// `mcp:github/get_*`: items of MCP servers.
    Mcp(McpPattern),
    /// `keychain:shop/*`: keychain entries; `@keychain` is any entry.
    Keychain(NamePattern),
}

impl Pattern {
    /// Returns the class of the accesses that this pattern can match.
    pub fn class(&self) -> Class {
        match self {
            Pattern::Command(_) | Pattern::Shell => Class::Exec,
            Pattern::File(..) => Class::Files,
            Pattern::Net(_) | Pattern::Listen(_) => Class::Net,
            Pattern::Socket(_) => Class::Socket,
            Pattern::Env(_) => Class::Env,
            Pattern::Tool(_) | Pattern::Mcp(_) => Class::Tool,
            Pattern::Keychain(_) => Class::Keychain,
        }
    }
}

/// The rights of a file pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Rights {
    /// Reading.
    pub read: bool,
    /// Writing, creating, renaming and deleting.
    pub write: bool,
    /// Deleting or renaming away only.
    pub delete: bool,
}

impl Rights {
    /// The right to read, `fs:r`.
    pub const READ: Rights = Rights { read: true, write: false, delete: false };
    /// The right to write, `fs:w`.
    pub const WRITE: Rights = Rights { read: false, write: true, delete: false };
    /// The right to delete, `fs:d`.
    pub const DELETE: Rights = Rights { read: false, write: false, delete: true };
    /// The rights to read and write, `fs:rw`.
    pub const READ_WRITE: Rights = Rights { read: true, write: true, delete: false };

    pub(crate) fn from_letters(letters: &str) -> Option<Rights> {
        match letters {
            "r" => Some(Rights::READ),
            "w" => Some(Rights::WRITE),
            "d" => Some(Rights::DELETE),
            "rw" => Some(Rights::READ_WRITE),
            _ => None,
        }
    }

    fn letters(self) -> &'static str {
        match self {
            Rights::READ => "r",
            Rights::WRITE => "w",
            Rights::DELETE => "d",
            _ => "rw",
        }
    }
}

/// A unix socket, by path or by the name of the service that listens on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SocketPattern {
    /// A socket by its path, such as `sock:/run/x.sock`.
    Path(PathPattern),
    /// A socket by the name of its service, such as `sock:@ssh-agent`.
    Named(Arc<str>),
}

/// A pattern for items of MCP servers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpPattern {
    /// The servers.
    pub server: NamePattern,
    /// The kind of item.
    pub sort: McpItemKind,
    /// The names or URIs of the items.
    pub item: NamePattern,
}

/// The kind of an MCP item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum McpItemKind {
    /// A tool: `mcp:S/T`.
    Tool,
    /// A resource: `mcp:S/resource:URI`.
    Resource,
    /// A prompt: `mcp:S/prompt:N`.
    Prompt,
    /// A method: `mcp:S/method:M`.
    Method,
}

impl McpItemKind {
    /// Every kind.
    pub const ALL: [McpItemKind; 4] =
        [McpItemKind::Tool, McpItemKind::Resource, McpItemKind::Prompt, McpItemKind::Method];

    fn prefix(self) -> &'static str {
        match self {
            McpItemKind::Tool => "",
            McpItemKind::Resource => "resource:",
            McpItemKind::Prompt => "prompt:",
            McpItemKind::Method => "method:",
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pattern::Command(command) => write!(f, "cmd:{command}"),
            Pattern::Shell => f.write_str("sh"),
            Pattern::File(rights, path) => write!(f, "fs:{}:{path}", rights.letters()),
            Pattern::Net(net) => write!(f, "net:{net}"),
            Pattern::Listen(Some(port)) => write!(f, "listen:{port}"),
            Pattern::Listen(None) => f.write_str("listen:*"),
            Pattern::Socket(SocketPattern::Path(path)) => write!(f, "sock:{path}"),
            Pattern::Socket(SocketPattern::Named(name)) => write!(f, "sock:@{name}"),
            Pattern::Env(name) => write!(f, "env:{name}"),
            Pattern::Tool(name) => write!(f, "tool:{name}"),
            Pattern::Mcp(mcp) => {
                write!(f, "mcp:{}/{}{}", mcp.server, mcp.sort.prefix(), mcp.item)
            }
            Pattern::Keychain(name) if name.is_any() => f.write_str("@keychain"),
            Pattern::Keychain(name) => write!(f, "keychain:{name}"),
        }
    }
}

#[cfg(test)]
#[path = "pattern_tests.rs"]
mod tests;
