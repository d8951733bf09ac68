//! Reads the configuration files and variables of tools.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::world::safe_open::{self, Links};

/// Where the configuration of tools is searched for.
#[derive(Debug, Clone, Copy)]
pub(in crate::world) struct Configuration<'a> {
    /// The environment of the tools.
    pub(in crate::world) environment: &'a [(OsString, OsString)],
    /// The user's home directory.
    pub(in crate::world) home: Option<&'a Path>,
    /// The root of the file system.
    pub(in crate::world) system: &'a Path,
}

/// The maximum size of a configuration file in bytes.
const MAX_CONFIGURATION: usize = 1024 * 1024;

impl Configuration<'_> {
    /// Returns a variable's value if it is not empty.
    pub(super) fn var(&self, name: &str) -> Option<&str> {
        let found = self.environment.iter().find(|(key, _)| key == name)?;
        found.1.to_str().map(str::trim).filter(|value| !value.is_empty())
    }

    /// Returns all variables whose names and values are UTF-8.
    pub(super) fn vars(&self) -> impl Iterator<Item = (&str, &str)> {
        self.environment.iter().filter_map(|(key, value)| Some((key.to_str()?, value.to_str()?)))
    }

    /// Reads a file below the home directory.
    pub(super) fn user_file(&self, path: &str) -> Option<String> {
        read(&self.home?.join(path))
    }

    /// Reads a system file, named relative to `/`.
    pub(super) fn system_file(&self, path: &str) -> Option<String> {
        read(&self.system_path(path))
    }

    /// Reads a file named by a variable, if its path is absolute.
    pub(super) fn named_file(&self, path: &str) -> Option<String> {
        let path = Path::new(path);
        path.is_absolute().then(|| read(path)).flatten()
    }

    /// Reads a file below the user's configuration directory.
    pub(super) fn user_config(&self, path: &str) -> Option<String> {
        match self.var("XDG_CONFIG_HOME").filter(|directory| directory.starts_with('/')) {
            Some(directory) => read(&Path::new(directory).join(path)),
            None => self.user_file(&format!(".config/{path}")),
        }
    }

    /// Returns the path of a system file, named relative to `/`.
    pub(super) fn system_path(&self, path: &str) -> PathBuf {
        self.system.join(path.trim_start_matches('/'))
    }
}

/// Reads a configuration file, if it exists.
pub(super) fn read(path: &Path) -> Option<String> {
    let bytes = safe_open::read(path, Links::Followed, MAX_CONFIGURATION).ok()?;
    String::from_utf8(bytes).ok()
}
