//! The host: everything the judge may ask about the world.
//!
//! The guard answers for the real machine, [`MemoryHost`] for a described one. Both are pure
//! queries; nothing here may change the world, and one call's answers must not depend on the
//! order of the questions.

mod asked;
mod entry;
mod memory;
mod names;
mod registry;
mod tree;

pub use asked::{Answers, Asked};
pub use entry::Entry;
pub use memory::MemoryHost;
pub use registry::default_registry_hosts;

use std::net::IpAddr;

use crate::net::HostName;
use crate::path::{AbsPath, PathRules};

/// What the judge may ask about the world.
pub trait Host: Send + Sync {
    /// What lies at exactly this path, without following a link at its end.
    ///
    /// The directories on the way have been resolved before.
    fn entry(&self, path: &AbsPath) -> Entry;

    /// What lies at a path, where it can be told at once that no link lies on the way to it; what
    /// lies there may be one. `None` where the way has to be gone step by step.
    fn straight(&self, path: &AbsPath) -> Option<Entry> {
        let _ = path;
        None
    }

    /// The names in a directory, in no particular order; `None` where it is none or cannot be
    /// read.
    fn list(&self, directory: &AbsPath) -> Option<Vec<Box<str>>>;

    /// The names in a directory, each with whether it is a link, where one look tells both.
    fn list_links(&self, directory: &AbsPath) -> Option<Vec<(Box<str>, bool)>> {
        let _ = directory;
        None
    }

    /// The content of a regular file; an error, in words for a message, where it cannot be read
    /// or is longer than `limit` bytes.
    fn read(&self, path: &AbsPath, limit: usize) -> Result<Vec<u8>, String>;

    /// The value of a variable in the environment that the agent's tools have.
    fn env(&self, name: &str) -> Option<String>;

    /// The home directory of a user, from the user database.
    fn home_of(&self, user: &str) -> Option<AbsPath>;

    /// The addresses of a name; `None` where it was not looked up, none at all where it was and
    /// has no address.
    fn addresses(&self, name: &HostName) -> Option<Vec<IpAddr>>;

    /// The file that the door's own `PATH` gives for a program's name.
    fn find_program(&self, name: &str) -> Option<AbsPath>;

    /// How this host reads and compares paths.
    fn path_rules(&self) -> PathRules;

    /// The hosts of a package registry (`npm`, `pypi`, `crates`, `go`, `maven`, `debian`) as its
    /// tools are configured here, mirrors included; none for a name that is no registry.
    fn registry_hosts(&self, registry: &str) -> Vec<Box<str>>;

    /// Whether this user may create and replace files in a directory.
    ///
    /// Programs in such a directory are not known by their name alone: anyone could have put
    /// them there.
    fn may_write(&self, directory: &AbsPath) -> bool;
}
