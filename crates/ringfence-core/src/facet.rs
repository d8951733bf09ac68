//! The facets of confinement.

use std::fmt;

/// A part of confinement that the kernel or the proxy enforces. `[sandbox] best_effort` lists
/// facets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Facet {
    /// Reading, writing and deleting files.
    Files,
    /// Starting programs.
    Exec,
    /// Host names, addresses and ports.
    Network,
    /// Unix sockets.
    Sockets,
    /// Environment variables.
    Environment,
    /// System calls that no rule covers.
    Syscalls,
    /// Time, memory, number of processes and sizes.
    Limits,
}

impl Facet {
    /// Every facet, in the order in which they are shown.
    pub const ALL: [Facet; 7] = [
        Facet::Files,
        Facet::Exec,
        Facet::Network,
        Facet::Sockets,
        Facet::Environment,
        Facet::Syscalls,
        Facet::Limits,
    ];

    /// Returns the word for this facet in documents, messages and JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Facet::Files => "files",
            Facet::Exec => "exec",
            Facet::Network => "network",
            Facet::Sockets => "sockets",
            Facet::Environment => "environment",
            Facet::Syscalls => "syscalls",
            Facet::Limits => "limits",
        }
    }
}

impl fmt::Display for Facet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
