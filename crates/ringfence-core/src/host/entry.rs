//! File system entries, as a host reports them.

use crate::path::EntryKind;

/// The file system entry at a path. A symbolic link at the end of the path is not followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// There is no entry.
    Missing,
    /// A regular file.
    File {
        /// The number of its hard links.
        links: u64,
    },
    /// A directory.
    Dir,
    /// A symbolic link with its unresolved target.
    Link(Box<str>),
    /// A device, socket or pipe.
    Other,
    /// An entry that cannot be inspected, with the reason. Such an entry never leads to a milder
    /// verdict.
    Unreadable(String),
}

impl Entry {
    /// Returns the kind of the entry; `None` if it is missing or unreadable.
    pub fn kind(&self) -> Option<EntryKind> {
        match self {
            Entry::Missing | Entry::Unreadable(_) => None,
            Entry::File { .. } => Some(EntryKind::File),
            Entry::Dir => Some(EntryKind::Dir),
            Entry::Link(_) => Some(EntryKind::Link),
            Entry::Other => Some(EntryKind::Other),
        }
    }

    /// Returns the number of hard links of a regular file. Returns 0 for other entries, because
    /// directories and symbolic links have no second name.
    pub fn links(&self) -> u64 {
        match self {
            Entry::File { links } => *links,
            _ => 0,
        }
    }
}
