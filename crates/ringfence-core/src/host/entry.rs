//! File system entries, as a host reports them.

use crate::path::EntryKind;

/// The file system entry at a path. A symbolic link at the end of the path is not followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileEntry {
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

impl FileEntry {
    /// Returns the kind of the entry; `None` if it is missing or unreadable.
    pub fn kind(&self) -> Option<EntryKind> {
        match self {
            FileEntry::Missing | FileEntry::Unreadable(_) => None,
            FileEntry::File { .. } => Some(EntryKind::File),
            FileEntry::Dir => Some(EntryKind::Dir),
            FileEntry::Link(_) => Some(EntryKind::Link),
            FileEntry::Other => Some(EntryKind::Other),
        }
    }

    /// Returns the number of hard links of a regular file. Returns 0 for other entries, because
    /// directories and symbolic links have no second name.
    pub fn links(&self) -> u64 {
        match self {
            FileEntry::File { links } => *links,
            _ => 0,
        }
    }
}
