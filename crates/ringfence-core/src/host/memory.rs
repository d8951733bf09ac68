//! A host described in memory, for tests and cases.
//!
//! It must answer as the real host would on a machine like the described one, so that a case gets
//! the same verdict on both.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::OnceLock;

use super::file_tree::{FileTree, Node};
use super::name_service::NameService;
use super::{FileEntry, Host, default_registry_hosts};
use crate::index::FastMap;
use crate::net::{BadHost, HostName};
use crate::path::{AbsPath, BadPath, EntryKind, Follow, PathRules, resolve_literal};

/// A host described in memory.
///
/// [`MemoryHost::new`] is a Linux machine with the user `u`, whose home is `/home/u` and whose
/// project is `/home/u/proj`. `/bin`, `/sbin`, `/lib` and `/lib64` are links into `/usr`. Every
/// program name is found in `/usr/bin` unless a file in another directory of the `PATH` comes
/// first. Files, links and users may be added in any order.
#[derive(Debug, Clone)]
pub struct MemoryHost {
    tree: FileTree,
    users: BTreeMap<Box<str>, AbsPath>,
    env: BTreeMap<Box<str>, Box<str>>,
    name_service: NameService,
    registries: BTreeMap<Box<str>, Vec<Box<str>>>,
    /// The programs in the directories of the `PATH`; cleared when the tree changes.
    programs: OnceLock<ProgramTable>,
}

/// The result of searching all program directories.
#[derive(Debug, Clone)]
struct ProgramTable {
    directories: Vec<AbsPath>,
    /// The index of the first directory that contains a program, by the case-folded program name.
    first_directory: FastMap<String, usize>,
    /// The directory in which every other program name is found.
    installed: Option<AbsPath>,
}

/// The directories that are searched for programs, in order.
const PROGRAM_DIRECTORIES: [&str; 3] = ["/usr/local/bin", INSTALL_DIRECTORY, "/bin"];

/// The directory that contains every program name.
const INSTALL_DIRECTORY: &str = "/usr/bin";

impl MemoryHost {
    /// Creates the machine that cases start from.
    pub fn new() -> MemoryHost {
        let mut host = MemoryHost::bare();
        for directory in ["/home/u/proj", "/tmp", "/etc", "/usr/local/bin", "/usr/sbin"] {
            host.add_at(directory, MemoryHost::add_dir);
        }
        for name in ["bin", "sbin", "lib", "lib64"] {
            host.add_at(&format!("/usr/{name}"), MemoryHost::add_dir);
            host.add_at(&format!("/{name}"), |host, link| {
                host.add_link(link, &format!("usr/{name}"));
            });
        }
        for device in ["null", "zero", "full", "random", "urandom", "tty"] {
            host.add_at(&format!("/dev/{device}"), MemoryHost::add_other);
        }
        host.add_at("/home/u", |host, home| host.add_user("u", home));
        host.add_at("/root", |host, home| host.add_user("root", home));
        for (name, value) in [
            ("HOME", "/home/u"),
            ("USER", "u"),
            ("LOGNAME", "u"),
            ("SHELL", "/bin/bash"),
            ("PATH", "/usr/local/bin:/usr/bin:/bin"),
            ("PWD", "/home/u/proj"),
        ] {
            host.set_env(name, value);
        }
        host
    }

    /// Creates a machine with an empty root directory, without users and environment variables.
    pub fn bare() -> MemoryHost {
        MemoryHost {
            tree: FileTree::new(),
            users: BTreeMap::new(),
            env: BTreeMap::new(),
            name_service: NameService::default(),
            registries: BTreeMap::new(),
            programs: OnceLock::new(),
        }
    }

    /// Sets the rules for reading and comparing paths.
    pub fn set_rules(&mut self, rules: PathRules) {
        self.programs.take();
        self.tree.set_rules(rules);
    }

    /// Adds a regular file, or replaces the content of an existing one.
    ///
    /// Links in the path are followed, as in all `add_` methods.
    pub fn add_file(&mut self, path: &AbsPath, content: impl Into<Vec<u8>>) {
        let number = self.tree.new_content(content.into());
        self.name_content(path, number);
    }

    /// Adds a directory.
    pub fn add_dir(&mut self, path: &AbsPath) {
        self.put(path, Node::Dir);
    }

    /// Adds a device, socket or pipe.
    pub fn add_other(&mut self, path: &AbsPath) {
        self.put(path, Node::Other);
    }

    /// Adds an entry that cannot be inspected, for the given reason.
    pub fn add_unreadable(&mut self, path: &AbsPath, reason: &str) {
        self.put(path, Node::Unreadable(reason.into()));
    }

    /// Adds a symbolic link. Entries that were added below it move to the link's target.
    pub fn add_link(&mut self, path: &AbsPath, target: &str) {
        let place = self.real_path(path, Follow::Parent);
        if place.is_root() {
            return;
        }
        self.programs.take();
        let moved = self.tree.take_below(&place);
        self.tree.put(&place, Node::Link(target.into()));
        for (path, node) in moved {
            self.put(&path, node);
        }
    }

    /// Adds a second name for a file, and creates the file if it does not exist.
    pub fn add_hard_link(&mut self, path: &AbsPath, other: &AbsPath) {
        let place = self.real_path(other, Follow::Final);
        let number = match self.tree.node(&place) {
            Some(Node::File(number)) => *number,
            _ => {
                let number = self.tree.new_content(Vec::new());
                self.name_content(other, number);
                number
            }
        };
        self.name_content(path, number);
    }

    /// Adds a user with a home directory.
    pub fn add_user(&mut self, name: &str, home: &AbsPath) {
        self.users.insert(name.into(), home.clone());
    }

    /// Sets an environment variable.
    pub fn set_env(&mut self, name: &str, value: &str) {
        self.env.insert(name.into(), value.into());
    }

    /// Removes an environment variable.
    pub fn unset_env(&mut self, name: &str) {
        self.env.remove(name);
    }

    /// Adds a DNS record: an address or another name, optionally after a record type (`CNAME
    /// internal.corp`).
    pub fn add_answer(&mut self, name: &str, answer: &str) -> Result<(), BadHost> {
        self.name_service.add(&HostName::parse(name)?, answer)
    }

    /// Sets the hosts of a package registry.
    pub fn set_registry(&mut self, registry: &str, hosts: Vec<Box<str>>) {
        self.registries.insert(registry.into(), hosts);
    }

    /// Parses a constant path and passes it to `add`.
    fn add_at(&mut self, path: &str, add: impl FnOnce(&mut MemoryHost, &AbsPath)) {
        if let Ok(path) = AbsPath::new(path) {
            add(self, &path);
        }
    }

    fn put(&mut self, path: &AbsPath, node: Node) {
        self.programs.take();
        let follow = match node {
            Node::Link(_) => Follow::Parent,
            _ => Follow::Final,
        };
        let place = self.real_path(path, follow);
        // An existing directory keeps its entries.
        let is_there = matches!((self.tree.node(&place), &node), (Some(Node::Dir), Node::Dir));
        if !is_there && !place.is_root() {
            self.tree.put(&place, node);
        }
    }

    fn name_content(&mut self, path: &AbsPath, number: usize) {
        self.put(path, Node::File(number));
        self.tree.link_content(number);
    }

    /// Returns the program table; builds it first if the tree has changed.
    fn program_table(&self) -> &ProgramTable {
        self.programs.get_or_init(|| {
            let directories = PROGRAM_DIRECTORIES.iter().filter_map(|own| AbsPath::new(own).ok());
            let directories: Vec<AbsPath> = directories.collect();
            let mut first_directory = FastMap::default();
            for (number, directory) in directories.iter().enumerate() {
                let real = self.real_path(directory, Follow::Final);
                let names = self.tree.list(&real).unwrap_or_default();
                for name in names.iter().filter(|name| self.is_program(&real, name)) {
                    let name = self.tree.rules().fold_name(name);
                    first_directory.entry(name).or_insert(number);
                }
            }
            let installed =
                directories.iter().find(|own| own.as_str() == INSTALL_DIRECTORY).cloned();
            ProgramTable { directories, first_directory, installed }
        })
    }

    /// Returns whether a directory entry is a file or a link to a file.
    fn is_program(&self, real: &AbsPath, name: &str) -> bool {
        let Ok(path) = real.child(name) else { return false };
        match self.tree.node(&path) {
            Some(Node::File(_)) => true,
            Some(Node::Link(_)) => {
                let found = resolve_literal(self, path.as_str(), &AbsPath::root(), Follow::Final);
                found.is_ok_and(|found| found.kind == Some(EntryKind::File))
            }
            _ => false,
        }
    }

    /// Returns the path with links resolved, or the path itself if it cannot be resolved.
    fn real_path(&self, path: &AbsPath, follow: Follow) -> AbsPath {
        let resolved = resolve_literal(self, path.as_str(), &AbsPath::root(), follow);
        resolved.map_or_else(|_: BadPath| path.clone(), |file| file.real)
    }
}

impl Default for MemoryHost {
    fn default() -> MemoryHost {
        MemoryHost::new()
    }
}

impl Host for MemoryHost {
    fn entry(&self, path: &AbsPath) -> FileEntry {
        self.tree.entry(path)
    }

    fn entry_if_link_free(&self, path: &AbsPath) -> Option<FileEntry> {
        self.tree.entry_if_link_free(path)
    }

    fn list(&self, directory: &AbsPath) -> Option<Vec<Box<str>>> {
        self.tree.list(directory)
    }

    fn list_links(&self, directory: &AbsPath) -> Option<Vec<(Box<str>, bool)>> {
        let is_link = |name: &str| {
            directory.child(name).is_ok_and(|path| matches!(self.entry(&path), FileEntry::Link(_)))
        };
        let names = self.list(directory)?.into_iter();
        Some(names.map(|name| (name.clone(), is_link(&name))).collect())
    }

    fn read(&self, path: &AbsPath, limit: usize) -> Result<Vec<u8>, String> {
        let bytes = self.tree.bytes(path).ok_or("there is no such file")?;
        if bytes.len() > limit {
            return Err(format!("it is longer than {limit} bytes"));
        }
        Ok(bytes.to_vec())
    }

    fn env(&self, name: &str) -> Option<String> {
        self.env.get(name).map(|value| value.to_string())
    }

    fn home_of(&self, user: &str) -> Option<AbsPath> {
        self.users.get(user).cloned()
    }

    fn addresses(&self, name: &HostName) -> Option<Vec<IpAddr>> {
        match name.address() {
            Some(ip) => Some(vec![ip]),
            None => self.name_service.addresses(name),
        }
    }

    fn find_program(&self, name: &str) -> Option<AbsPath> {
        let found = self.program_table();
        let place = match found.first_directory.is_empty() {
            true => None,
            false => found.first_directory.get(&self.tree.rules().fold_name(name)),
        };
        let directory = place.and_then(|number| found.directories.get(*number));
        directory.or(found.installed.as_ref())?.child(name).ok()
    }

    fn path_rules(&self) -> PathRules {
        self.tree.rules()
    }

    fn may_write(&self, directory: &AbsPath) -> bool {
        let within = |own: &&str| {
            let rest = directory.as_str().strip_prefix(*own);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        !crate::context::SYSTEM_DIRECTORIES.iter().any(within)
    }

    fn registry_hosts(&self, registry: &str) -> Vec<Box<str>> {
        if let Some(hosts) = self.registries.get(registry) {
            return hosts.clone();
        }
        let hosts = default_registry_hosts(registry).iter();
        hosts.map(|host| Box::from(*host)).collect()
    }
}

#[cfg(test)]
#[path = "memory_tests.rs"]
mod tests;
