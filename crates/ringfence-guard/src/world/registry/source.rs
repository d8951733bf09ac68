//! Where tools keep their configuration.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::world::file::{self, Links};

/// Where the configuration of tools is looked for.
#[derive(Debug, Clone, Copy)]
pub(in crate::world) struct Configuration<'a> {
    /// The environment that the tools have.
    pub(in crate::world) environment: &'a [(OsString, OsString)],
    /// The user's home directory.
    pub(in crate::world) home: Option<&'a Path>,
    /// The root of the file system.
    pub(in crate::world) system: &'a Path,
}

/// The longest configuration that is read, in bytes.
const MAX_CONFIGURATION: usize = 1024 * 1024;

impl Configuration<'_> {
    /// The value of a variable, if it has one that is not empty.
    pub(super) fn var(&self, name: &str) -> Option<&str> {
        let found = self.environment.iter().find(|(key, _)| key == name)?;
        found.1.to_str().map(str::trim).filter(|value| !value.is_empty())
    }

    /// The variables whose names are UTF-8, with their values.
    pub(super) fn vars(&self) -> impl Iterator<Item = (&str, &str)> {
        self.environment.iter().filter_map(|(key, value)| Some((key.to_str()?, value.to_str()?)))
    }

    /// The content of a file in the home directory.
    pub(super) fn user_file(&self, path: &str) -> Option<String> {
        read(&self.home?.join(path))
    }

    /// The content of a file of the system, named from its root.
    pub(super) fn system_file(&self, path: &str) -> Option<String> {
        read(&self.system_path(path))
    }

    /// The content of a file that a variable names, if it is absolute.
    pub(super) fn named_file(&self, path: &str) -> Option<String> {
        let path = Path::new(path);
        path.is_absolute().then(|| read(path)).flatten()
    }

    /// The content of a file in the directory for the user's configuration.
    pub(super) fn user_config(&self, path: &str) -> Option<String> {
        match self.var("XDG_CONFIG_HOME").filter(|directory| directory.starts_with('/')) {
            Some(directory) => read(&Path::new(directory).join(path)),
            None => self.user_file(&format!(".config/{path}")),
        }
    }

    /// A path of the system, named from its root.
    pub(super) fn system_path(&self, path: &str) -> PathBuf {
        self.system.join(path.trim_start_matches('/'))
    }
}

/// The content of a configuration file, if there is one.
pub(super) fn read(path: &Path) -> Option<String> {
    let bytes = file::read(path, Links::Followed, MAX_CONFIGURATION).ok()?;
    String::from_utf8(bytes).ok()
}
