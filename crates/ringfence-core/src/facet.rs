//! The parts of confinement.

use std::fmt;

/// A part of confinement, as `[sandbox] best_effort` names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Facet {
    /// Reading, writing, deleting.
    Files,
    /// Running programs.
    Exec,
    /// Names, addresses and ports.
    Network,
    /// Unix sockets.
    Sockets,
    /// Variables.
    Environment,
    /// Calls of the kernel that no rule is about.
    Syscalls,
    /// Time, memory, processes, sizes.
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

    /// The word for it in documents, messages and JSON.
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
