//! This machine, as the judge may ask about it.
//!
//! Every answer is a query; nothing here changes the world, looks up a name on the network or
//! believes what a call says. Nothing is read before it is asked for. File systems that fold case
//! (ext4's casefold directories, mounted FAT or NTFS) are compared as if they did not: rules about
//! files on them hold for the spelling they name.

use std::ffi::OsString;
use std::net::IpAddr;
use std::path::Path;
use std::sync::OnceLock;

use ringfence_core::host::{FileEntry, Host};
use ringfence_core::net::HostName;
use ringfence_core::path::{AbsPath, PathRules};
use rustix::fs::{Dir, DirEntry, FileType, Mode, OFlags};
use rustix::io::Errno;

use super::file::{self, Links, Unread};
use super::registry::{Configuration, Registries};
use super::search_path::SearchPath;
use super::users::{self, User, Users};
use super::writable;

/// Where the users of this machine are listed.
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
    /// This machine with the environment that this process has now.
    pub fn new() -> RealHost {
        RealHost::with_environment(std::env::vars_os().collect())
    }

    /// This machine with another environment.
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

    /// The user whose process this is; `None` if the user database does not have them.
    pub fn user(&self) -> Option<&User> {
        let listed = || self.users().by_uid(self.uid).cloned();
        let find = || listed().or_else(|| users::look_up_uid(self.uid));
        self.user.get_or_init(find).as_ref()
    }

    /// The number of the user whose process this is.
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
            Err(errno) => return FileEntry::Unreadable(file::describe(errno)),
        };
        match FileType::from_raw_mode(stat.st_mode) {
            // The width of the count differs between architectures.
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
                // Not every file system says what a name stands for.
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
        let read = file::read(Path::new(path.as_str()), Links::Refused, limit);
        read.map_err(|unread| match unread {
            Unread::Long => format!("it is longer than {limit} bytes"),
            unread => unread.reason(),
        })
    }

    fn env(&self, name: &str) -> Option<String> {
        let value = self.variable(name)?;
        // A value that is not UTF-8 is there but cannot be told: an empty one is refused wherever
        // a path is expected, and the name still counts as set.
        Some(value.to_str().unwrap_or_default().to_owned())
    }

    fn home_of(&self, user: &str) -> Option<AbsPath> {
        let listed = self.users().by_name(user).map(|user| user.home.clone());
        listed.or_else(|| users::look_up_name(user).map(|user| user.home))
    }

    fn addresses(&self, name: &HostName) -> Option<Vec<IpAddr>> {
        // Names are looked up by whoever is about to dial, never to decide.
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
            FileEntry::Unreadable("it changed while it was looked at".to_owned())
        }
        Err(errno) => FileEntry::Unreadable(file::describe(errno)),
    }
}

/// What is wanted of each name in a directory; nothing where one cannot be told.
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

/// A name that is not UTF-8 has replacement characters, so that globs still see it; asked for by
/// that name, it is unreadable.
fn name_of(entry: &DirEntry) -> Box<str> {
    entry.file_name().to_string_lossy().into()
}

#[cfg(test)]
#[path = "real_host_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "resolve_laws_tests.rs"]
mod resolve_laws;
