//! The host: the machine facts that the judge may ask for.
//!
//! The guard implements [`Host`] for the real machine, [`MemoryHost`] for a described one. A host
//! never changes anything. Within one call, its answers must not depend on the order of the
//! questions.

mod entry;
mod file_tree;
mod memory;
mod name_service;
mod recorded;
mod registry;

pub use entry::FileEntry;
pub use memory::MemoryHost;
pub use recorded::{HostAnswers, RecordingHost};
pub use registry::default_registry_hosts;

use std::net::IpAddr;

use crate::net::HostName;
use crate::path::{AbsPath, PathRules};

/// The machine facts that the judge may ask for.
pub trait Host: Send + Sync {
    /// Returns the entry at exactly this path. A symbolic link at the end is not followed.
    ///
    /// The caller has resolved all directories in the path.
    fn entry(&self, path: &AbsPath) -> FileEntry;

    /// Returns the entry at a path if the host knows quickly that no parent is a symbolic link. The
    /// entry itself may be a link. `None` means that the caller must resolve the path step by step.
    fn entry_if_link_free(&self, path: &AbsPath) -> Option<FileEntry> {
        let _ = path;
        None
    }

    /// Returns the names in a directory, in any order; `None` if it is no directory or cannot be
    /// read.
    fn list(&self, directory: &AbsPath) -> Option<Vec<Box<str>>>;

    /// Returns the names in a directory, each with whether it is a symbolic link. `None` if the
    /// host cannot list both in one pass.
    fn list_links(&self, directory: &AbsPath) -> Option<Vec<(Box<str>, bool)>> {
        let _ = directory;
        None
    }

    /// Reads a regular file. The error is a message for people; a file over `limit` bytes is an
    /// error.
    fn read(&self, path: &AbsPath, limit: usize) -> Result<Vec<u8>, String>;

    /// Returns the value of a variable in the environment of the agent's tools.
    fn env(&self, name: &str) -> Option<String>;

    /// Returns the home directory of a user, from the user database.
    fn home_of(&self, user: &str) -> Option<AbsPath>;

    /// Returns the addresses of a host name. `None` means that no lookup was made; an empty list
    /// means that the name has no address.
    fn addresses(&self, name: &HostName) -> Option<Vec<IpAddr>>;

    /// Returns the file that the door's own `PATH` finds for a program name.
    fn find_program(&self, name: &str) -> Option<AbsPath>;

    /// Returns the rules by which this host reads and compares paths.
    fn path_rules(&self) -> PathRules;

    /// Returns the hosts of a package registry (`npm`, `pypi`, `crates`, `go`, `maven`, `debian`),
    /// as its tools are configured on this host, mirrors included. Empty for an unknown registry.
    fn registry_hosts(&self, registry: &str) -> Vec<Box<str>>;

    /// Returns whether this user may create and replace files in a directory.
    ///
    /// A program in such a directory is not trusted by its name alone, because the agent could have
    /// put it there.
    fn may_write(&self, directory: &AbsPath) -> bool;
}
