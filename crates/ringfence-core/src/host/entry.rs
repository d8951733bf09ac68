//! What lies at a path.

use crate::path::EntryKind;

/// What lies at a path, seen without following a link at its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// Nothing.
    Missing,
    /// A regular file.
    File {
        /// The number of its hard links.
        links: u64,
    },
    /// A directory.
    Dir,
    /// A symbolic link with this target, as the link says it.
    Link(Box<str>),
    /// A device, socket or pipe.
    Other,
    /// Something that cannot be looked at, with the reason; nothing is decided in its favour.
    Unreadable(String),
}

impl Entry {
    /// The kind of what is there; `None` where nothing is or it cannot be told.
    pub fn kind(&self) -> Option<EntryKind> {
        match self {
            Entry::Missing | Entry::Unreadable(_) => None,
            Entry::File { .. } => Some(EntryKind::File),
            Entry::Dir => Some(EntryKind::Dir),
            Entry::Link(_) => Some(EntryKind::Link),
            Entry::Other => Some(EntryKind::Other),
        }
    }

    /// The number of hard links of a file; 0 for everything else, as directories and links
    /// cannot be reached by a second name of their own.
    pub fn links(&self) -> u64 {
        match self {
            Entry::File { links } => *links,
            _ => 0,
        }
    }
}
