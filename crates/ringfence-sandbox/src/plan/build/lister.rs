//! Looking at directories.

use std::ffi::OsString;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use ringfence_core::host::{Host, MemoryHost};
use ringfence_core::path::{AbsPath, EntryKind};

use super::directory::{Directory, os_str};
use crate::plan::Mounts;

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
        let mut listed = Vec::new();
        if let Ok(directory) = Directory::open(directory) {
            directory
                .each(|name, kind| listed.push(Listed { name: os_str(name).to_owned(), kind }));
        }
        listed
    }

    fn shared(&self, path: &Path) -> Option<Identity> {
        let file = std::fs::symlink_metadata(path).ok().filter(|file| file.is_file())?;
        (file.nlink() > 1).then(|| (file.dev(), file.ino()))
    }

    fn mounts(&self) -> Option<Mounts> {
        Mounts::here().ok()
    }
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
}

/// More of a described file is not compared.
const MAX_COMPARED: usize = 1 << 16;
