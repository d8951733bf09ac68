//! Looking at directories.

use std::ffi::OsString;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use ringfence_core::host::{Host, MemoryHost};
use ringfence_core::path::{AbsPath, EntryKind};

use super::directory::{Directory, os_str};
use crate::plan::{Mounts, Pins};
use crate::sys::inode_of;

/// Says what directories hold, without following links.
pub trait Lister {
    /// The entries of a directory; none where it cannot be read, for then nobody inside can
    /// either.
    fn list(&self, directory: &Path) -> Vec<Listed>;

    /// Which file it is that lies at a path, whatever it is called; `None` where it has but one
    /// name, or cannot be looked at.
    fn shared(&self, path: &Path) -> Option<Identity>;

    /// What is seen under several paths because it is mounted at several places; `None` where that
    /// cannot be told.
    fn mounts(&self) -> Option<Mounts>;

    /// Whether the kernel counts the processes of this user.
    fn counts_processes(&self) -> bool;

    /// Keeps what lies at a path, for the run that is planned; returns whether there is anything.
    /// Directories below a path that is pinned are listed below what was pinned.
    fn pin(&self, _path: &Path) -> bool {
        true
    }

    /// Returns all that was pinned.
    fn pins(&self) -> Pins {
        Pins::default()
    }

    /// Returns a path by which a pinned directory is reached, whatever lies at its own path by now.
    fn pinned(&self, directory: &Path) -> PathBuf {
        directory.to_owned()
    }
}

/// An entry of a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its name.
    pub name: OsString,
    /// What it is.
    pub kind: EntryKind,
}

/// Which file it is: device and number.
pub type Identity = (u64, u64);

/// Lists the directories of this machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct RealLister;

impl Lister for RealLister {
    fn list(&self, directory: &Path) -> Vec<Listed> {
        Directory::open(directory).map(|own| listed(&own)).unwrap_or_default()
    }

    fn shared(&self, path: &Path) -> Option<Identity> {
        let file = std::fs::symlink_metadata(path).ok().filter(|file| file.is_file())?;
        (file.nlink() > 1).then(|| (file.dev(), file.ino()))
    }

    fn mounts(&self) -> Option<Mounts> {
        Mounts::here().ok()
    }

    /// It does not count those of root; whoever is root in a namespace alone is counted.
    fn counts_processes(&self) -> bool {
        // SAFETY: takes nothing and always succeeds.
        if unsafe { libc::getuid() } != 0 {
            return true;
        }
        let map = std::fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
        let mut words = map.split_whitespace();
        (words.next(), words.next()) != (Some("0"), Some("0"))
    }
}

/// Lists the directories of this machine for a run that begins soon: what lies at each path of its
/// plan is kept until then.
#[derive(Debug, Clone)]
pub struct PinningLister {
    pins: Pins,
}

impl PinningLister {
    /// Returns a lister that has pinned nothing yet.
    pub fn new() -> PinningLister {
        PinningLister { pins: Pins::of_plan() }
    }
}

impl Default for PinningLister {
    fn default() -> PinningLister {
        PinningLister::new()
    }
}

impl Lister for PinningLister {
    fn list(&self, directory: &Path) -> Vec<Listed> {
        let opened = self.pins.open(directory, libc::O_RDONLY | libc::O_DIRECTORY);
        opened.map(|own| listed(&Directory::from(own))).unwrap_or_default()
    }

    fn shared(&self, path: &Path) -> Option<Identity> {
        let stat = self.pins.stat(path).ok()?;
        let is_file = stat.st_mode & libc::S_IFMT == libc::S_IFREG;
        (is_file && stat.st_nlink > 1).then(|| inode_of(&stat))
    }

    fn mounts(&self) -> Option<Mounts> {
        RealLister.mounts()
    }

    fn counts_processes(&self) -> bool {
        RealLister.counts_processes()
    }

    fn pin(&self, path: &Path) -> bool {
        self.pins.pin(path).is_ok()
    }

    fn pins(&self) -> Pins {
        self.pins.clone()
    }

    fn pinned(&self, directory: &Path) -> PathBuf {
        self.pins.path_of(directory)
    }
}

fn listed(directory: &Directory) -> Vec<Listed> {
    let mut listed = Vec::new();
    directory.each(|name, kind| listed.push(Listed { name: os_str(name).to_owned(), kind }));
    listed
}

/// Lists what is described. Files have no numbers there: names with several links and the same
/// content are taken to be one file.
impl Lister for MemoryHost {
    fn list(&self, directory: &Path) -> Vec<Listed> {
        let Some(directory) = directory.to_str().and_then(|text| AbsPath::new(text).ok()) else {
            return Vec::new();
        };
        let names = Host::list(self, &directory).unwrap_or_default();
        let listed = names.iter().filter_map(|name| {
            let kind = self.entry(&directory.child(name).ok()?).kind()?;
            Some(Listed { name: OsString::from(&**name), kind })
        });
        listed.collect()
    }

    fn shared(&self, path: &Path) -> Option<Identity> {
        let path = AbsPath::new(path.to_str()?).ok()?;
        let links = self.entry(&path).links();
        let content = self.read(&path, MAX_COMPARED).ok().filter(|_| links > 1)?;
        let number = content
            .iter()
            .fold(links, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(*byte)));
        Some((0, number))
    }

    fn mounts(&self) -> Option<Mounts> {
        Some(Mounts::default())
    }

    fn counts_processes(&self) -> bool {
        true
    }
}

/// More of a described file is not compared.
const MAX_COMPARED: usize = 1 << 16;
