//! The classes of access. A document takes a stance on one class at a time.

use std::fmt;

/// The kind of resource that an access touches.
///
/// A document has a *stance* on a class when it lists an allow or ask rule for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Running programs.
    Exec,
    /// Reading, writing and deleting files.
    Files,
    /// Connecting, listening, resolving names.
    Net,
    /// Unix sockets.
    Socket,
    /// Setting and reading environment variables.
    Env,
    /// Calling tools, MCP tools, resources, prompts and methods.
    Tool,
    /// Keychain entries.
    Keychain,
}

impl Class {
    /// Every class, in the order in which they are shown.
    pub const ALL: [Class; 7] = [
        Class::Exec,
        Class::Files,
        Class::Net,
        Class::Socket,
        Class::Env,
        Class::Tool,
        Class::Keychain,
    ];

    /// Returns the word for this class in messages and JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Class::Exec => "exec",
            Class::Files => "files",
            Class::Net => "net",
            Class::Socket => "socket",
            Class::Env => "env",
            Class::Tool => "tool",
            Class::Keychain => "keychain",
        }
    }

    /// Returns the position of this class in [`Class::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
