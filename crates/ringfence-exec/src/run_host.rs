//! The host as the processes of a run see it.

use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use ringfence_core::host::{FileEntry, Host};
use ringfence_core::net::HostName;
use ringfence_core::path::{AbsPath, PathRules};
use ringfence_guard::world::open_file_in;

use crate::lookup_cache::LookupCache;

/// A `Host` with the view of the processes in a run.
///
/// Private directories of the run are read through the root of the process that is judged.
/// Everything else is the same inside and outside.
pub(crate) struct RunHost {
    pub(crate) host: Arc<dyn Host>,
    pub(crate) private: Vec<AbsPath>,
    /// The PID of the process that is judged.
    pub(crate) process: Arc<AtomicI32>,
    /// The lookups cached for this question, or longer where nothing can change.
    pub(crate) seen: Arc<LookupCache>,
}

impl RunHost {
    /// Returns the supervisor's path of the run's root directory if `path` is in a private
    /// directory of the run.
    fn root(&self, path: &AbsPath) -> Option<String> {
        let is_own = self.private.iter().any(|own| path.starts_with(own));
        is_own.then(|| format!("/proc/{}/root", self.process.load(Ordering::Acquire)))
    }

    /// Returns the supervisor's path of a file in a private directory of the run.
    fn inside(&self, path: &AbsPath) -> Option<AbsPath> {
        AbsPath::new(&format!("{}{path}", self.root(path)?)).ok()
    }

    fn own<T>(&self, path: &AbsPath, ask: impl FnOnce(&dyn Host, &AbsPath) -> T) -> T {
        match self.inside(path) {
            Some(there) => ask(&*self.host, &there),
            None => ask(&*self.host, path),
        }
    }
}

impl Host for RunHost {
    fn entry(&self, path: &AbsPath) -> FileEntry {
        self.seen.entry(path, || self.own(path, |host, path| host.entry(path)))
    }

    fn list(&self, directory: &AbsPath) -> Option<Vec<Box<str>>> {
        self.own(directory, |host, path| host.list(path))
    }

    fn read(&self, path: &AbsPath, limit: usize) -> Result<Vec<u8>, String> {
        match self.root(path) {
            // The path goes through a kernel symlink in `/proc`, which the host's own `read`
            // refuses.
            Some(root) => read_in(Path::new(&root), path, limit),
            None => self.host.read(path, limit),
        }
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
        self.seen.program(name, || self.host.find_program(name))
    }

    fn path_rules(&self) -> PathRules {
        self.host.path_rules()
    }

    fn registry_hosts(&self, registry: &str) -> Vec<Box<str>> {
        self.host.registry_hosts(registry)
    }

    fn may_write(&self, directory: &AbsPath) -> bool {
        let look = || self.inside(directory).is_some() || self.host.may_write(directory);
        self.seen.may_write(directory, look)
    }
}

fn read_in(root: &Path, path: &AbsPath, limit: usize) -> Result<Vec<u8>, String> {
    use std::io::Read;
    let mut bytes = Vec::new();
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    let below = Path::new(path.as_str().trim_start_matches('/'));
    // The run may replace the file at any moment.
    let file = open_file_in(root, below).map_err(|error| error.to_string())?;
    file.take(most).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    match bytes.len() > limit {
        true => Err(format!("it is longer than {limit} bytes")),
        false => Ok(bytes),
    }
}
