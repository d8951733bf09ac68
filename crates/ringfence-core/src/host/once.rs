//! A host whose answers are given again, for doors that judge one call and end.
//!
//! Such a door goes the same ways several times: once to find out what a call asks, again to decide
//! it, and again for the rules on the way. What lies there is looked at once.

use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use super::{Entry, Host};
use crate::index::FastMap;
use crate::net::HostName;
use crate::path::{AbsPath, PathRules};

/// A host that is asked each question about a path or a program once.
pub struct Once {
    host: Arc<dyn Host>,
    entries: Known<AbsPath, Entry>,
    writable: Known<AbsPath, bool>,
    programs: Known<Box<str>, Option<AbsPath>>,
}

impl Once {
    /// A host of which nothing is known yet.
    pub fn new(host: Arc<dyn Host>) -> Once {
        let (entries, writable, programs) = (Known::new(), Known::new(), Known::new());
        Once { host, entries, writable, programs }
    }
}

impl Host for Once {
    fn entry(&self, path: &AbsPath) -> Entry {
        self.entries.get(path, || self.host.entry(path))
    }

    fn straight(&self, path: &AbsPath) -> Option<Entry> {
        self.host.straight(path)
    }

    fn list(&self, directory: &AbsPath) -> Option<Vec<Box<str>>> {
        self.host.list(directory)
    }

    fn list_links(&self, directory: &AbsPath) -> Option<Vec<(Box<str>, bool)>> {
        self.host.list_links(directory)
    }

    fn read(&self, path: &AbsPath, limit: usize) -> Result<Vec<u8>, String> {
        self.host.read(path, limit)
    }

    fn env(&self, name: &str) -> Option<String> {
        self.host.env(name)
    }

    fn home_of(&self, user: &str) -> Option<AbsPath> {
        self.host.home_of(user)
    }

    fn addresses(&self, name: &HostName) -> Option<Vec<IpAddr>> {
        self.host.addresses(name)
    }

    fn find_program(&self, name: &str) -> Option<AbsPath> {
        self.programs.get(&Box::from(name), || self.host.find_program(name))
    }

    fn path_rules(&self) -> PathRules {
        self.host.path_rules()
    }

    fn registry_hosts(&self, registry: &str) -> Vec<Box<str>> {
        self.host.registry_hosts(registry)
    }

    fn may_write(&self, directory: &AbsPath) -> bool {
        self.writable.get(directory, || self.host.may_write(directory))
    }
}

/// Answers by what was asked.
struct Known<K, V>(Mutex<FastMap<K, V>>);

impl<K: Clone + Eq + Hash, V: Clone> Known<K, V> {
    fn new() -> Known<K, V> {
        Known(Mutex::default())
    }

    fn get(&self, key: &K, ask: impl FnOnce() -> V) -> V {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(key.clone()).or_insert_with(ask).clone()
    }
}

#[cfg(test)]
#[path = "once_tests.rs"]
mod tests;
