//! The `Host` implementation for this machine.
//!
//! Every method is a query, made only when asked for. Nothing here changes the machine, does DNS
//! lookups or trusts a call's data. Case-insensitive file systems (ext4 casefold, FAT, NTFS) are
//! compared case-sensitively, so rules about their files apply to the given spelling only.

use std::ffi::OsString;
use std::net::IpAddr;
use std::path::Path;
use std::sync::OnceLock;

use ringfence_core::host::{FileEntry, Host};
use ringfence_core::net::HostName;
use ringfence_core::path::{AbsPath, PathRules};
use rustix::fs::{Dir, DirEntry, FileType, Mode, OFlags};
use rustix::io::Errno;

use super::registry::{Configuration, Registries};
use super::safe_open::{self, Links, ReadError};
use super::search_path::SearchPath;
use super::users::{self, User, Users};
use super::writable;

/// The path of the user database.
const USER_DATABASE: &str = "/etc/passwd";

/// This machine.
#[derive(Debug)]
pub struct RealHost {
    uid: u32,
    environment: Vec<(OsString, OsString)>,
    search_path: OnceLock<SearchPath>,
    users: OnceLock<Users>,
    user: OnceLock<Option<User>>,
    registries: Registries,
}

impl RealHost {
    /// Returns this machine with the environment of this process.
    pub fn new() -> RealHost {
        RealHost::with_environment(std::env::vars_os().collect())
    }

    /// Returns this machine with the given environment.
    pub fn with_environment(environment: Vec<(OsString, OsString)>) -> RealHost {
        RealHost {
            uid: rustix::process::getuid().as_raw(),
            environment,
            search_path: OnceLock::new(),
            users: OnceLock::new(),
            user: OnceLock::new(),
            registries: Registries::default(),
        }
    }

    /// Returns the user of this process, or `None` if the user database does not list them.
    pub fn user(&self) -> Option<&User> {
        let listed = || self.users().by_uid(self.uid).cloned();
        let find = || listed().or_else(|| users::look_up_uid(self.uid));
        self.user.get_or_init(find).as_ref()
    }

    /// Returns the UID of this process.
    pub fn uid(&self) -> u32 {
        self.uid
    }

    pub(super) fn users(&self) -> &Users {
        self.users.get_or_init(|| Users::read(Path::new(USER_DATABASE)))
    }

    fn variable(&self, name: &str) -> Option<&OsString> {
        let found = self.environment.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value)
    }
}

impl Default for RealHost {
    fn default() -> RealHost {
        RealHost::new()
    }
}

impl Host for RealHost {
    fn entry(&self, path: &AbsPath) -> FileEntry {
        let stat = match rustix::fs::lstat(path.as_str()) {
            Ok(stat) => stat,
            Err(Errno::NOENT | Errno::NOTDIR) => return missing(path),
            Err(errno) => return FileEntry::Unreadable(safe_open::describe(errno)),
        };
        match FileType::from_raw_mode(stat.st_mode) {
            // The type of `st_nlink` differs between architectures.
            #[allow(clippy::useless_conversion, reason = "the type is not the same everywhere")]
            FileType::RegularFile => FileEntry::File { links: stat.st_nlink.into() },
            FileType::Directory => FileEntry::Dir,
            FileType::Symlink => read_link(path),
            _ => FileEntry::Other,
        }
    }

    fn list(&self, directory: &AbsPath) -> Option<Vec<Box<str>>> {
        entries(directory, |entry| Some(name_of(entry)))
    }

    fn list_links(&self, directory: &AbsPath) -> Option<Vec<(Box<str>, bool)>> {
        entries(directory, |entry| {
            let name = name_of(entry);
            let kind = match entry.file_type() {
                // Some file systems do not report the type of directory entries.
                FileType::Unknown => {
                    let path =
                        format!("{}/{}", directory.as_str(), entry.file_name().to_str().ok()?);
                    FileType::from_raw_mode(rustix::fs::lstat(path).ok()?.st_mode)
                }
                kind => kind,
            };
            Some((name, kind == FileType::Symlink))
        })
    }

    fn read(&self, path: &AbsPath, limit: usize) -> Result<Vec<u8>, String> {
        let read = safe_open::read(Path::new(path.as_str()), Links::Refused, limit);
        read.map_err(|unread| match unread {
            ReadError::Long => format!("it is longer than {limit} bytes"),
            unread => unread.reason(),
        })
    }

    fn env(&self, name: &str) -> Option<String> {
        let value = self.variable(name)?;
        // A value that is not UTF-8 is replaced by an empty one: paths refuse an empty value, and
        // the variable still counts as set.
        Some(value.to_str().unwrap_or_default().to_owned())
    }

    fn home_of(&self, user: &str) -> Option<AbsPath> {
        let listed = self.users().by_name(user).map(|user| user.home.clone());
        listed.or_else(|| users::look_up_name(user).map(|user| user.home))
    }

    fn addresses(&self, name: &HostName) -> Option<Vec<IpAddr>> {
        // DNS is never used to decide; only the code that dials resolves names.
        name.address().map(|address| vec![address])
    }

    fn find_program(&self, name: &str) -> Option<AbsPath> {
        let read = || SearchPath::new(self.variable("PATH").map(OsString::as_os_str));
        self.search_path.get_or_init(read).find(name)
    }

    fn may_write(&self, directory: &AbsPath) -> bool {
        writable::may_write(self.uid, directory)
    }

    fn path_rules(&self) -> PathRules {
        PathRules::LINUX
    }

    fn registry_hosts(&self, registry: &str) -> Vec<Box<str>> {
        let configuration = || Configuration {
            environment: &self.environment,
            home: self.user().map(|user| Path::new(user.home.as_str())),
            system: Path::new("/"),
        };
        self.registries.hosts(registry, configuration)
    }
}

fn missing(path: &AbsPath) -> FileEntry {
    if path.as_str().contains(char::REPLACEMENT_CHARACTER) {
        return FileEntry::Unreadable("its name is not UTF-8".to_owned());
    }
    FileEntry::Missing
}

fn read_link(path: &AbsPath) -> FileEntry {
    match rustix::fs::readlink(path.as_str(), Vec::new()) {
        Ok(target) => match target.to_str() {
            Ok(target) => FileEntry::Link(target.into()),
            Err(_) => FileEntry::Unreadable("it is a link whose target is not UTF-8".to_owned()),
        },
        Err(Errno::NOENT | Errno::INVAL) => {
            FileEntry::Unreadable("it changed while it was read".to_owned())
        }
        Err(errno) => FileEntry::Unreadable(safe_open::describe(errno)),
    }
}

/// Returns `wanted` of every directory entry, or `None` if an entry cannot be read.
fn entries<T>(directory: &AbsPath, wanted: impl Fn(&DirEntry) -> Option<T>) -> Option<Vec<T>> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let opened = rustix::fs::open(directory.as_str(), flags, Mode::empty()).ok()?;
    let entries = Dir::new(opened).ok()?;
    let entries = entries.map(Result::ok);
    let is_name = |entry: &DirEntry| !matches!(entry.file_name().to_bytes(), b"." | b"..");
    entries
        .filter(|entry| entry.as_ref().is_none_or(is_name))
        .map(|entry| wanted(&entry?))
        .collect()
}

/// Returns an entry's name. A name that is not UTF-8 gets replacement characters, so that globs
/// still match it; opening it by that name fails.
fn name_of(entry: &DirEntry) -> Box<str> {
    entry.file_name().to_string_lossy().into()
}

#[cfg(test)]
#[path = "real_host_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "resolve_laws_tests.rs"]
mod resolve_laws;
