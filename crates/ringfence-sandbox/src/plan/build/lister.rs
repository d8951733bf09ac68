//! Looking at directories.

use std::ffi::OsString;
use std::fs::FileType;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use ringfence_core::host::Host;
use ringfence_core::path::{AbsPath, EntryKind};

/// Says what directories hold, without following links.
pub trait Lister {
    /// The entries of a directory; none where it cannot be read, for then nobody inside can
    /// either.
    fn list(&self, directory: &Path) -> Vec<Listed>;

    /// Which file it is that lies at a path, whatever it is called; `None` where it has but one
    /// name, or cannot be looked at.
    fn shared(&self, path: &Path) -> Option<Identity>;
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
        let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
        let listed = entries.filter_map(|entry| {
            // The kind comes with the name; the file itself is not looked at.
            let kind = kind(entry.file_type().ok()?);
            Some(Listed { name: entry.file_name(), kind })
        });
        listed.collect()
    }

    fn shared(&self, path: &Path) -> Option<Identity> {
        let file = std::fs::symlink_metadata(path).ok().filter(|file| file.is_file())?;
        (file.nlink() > 1).then(|| (file.dev(), file.ino()))
    }
}

fn kind(kind: FileType) -> EntryKind {
    if kind.is_dir() {
        EntryKind::Dir
    } else if kind.is_file() {
        EntryKind::File
    } else if kind.is_symlink() {
        EntryKind::Link
    } else {
        EntryKind::Other
    }
}

/// Lists what a [`Host`] describes. It does not know files by number: that two names are one file
/// is told by their content and the number of links.
pub struct HostLister<'a>(pub &'a dyn Host);

impl Lister for HostLister<'_> {
    fn list(&self, directory: &Path) -> Vec<Listed> {
        let Some(directory) = directory.to_str().and_then(|text| AbsPath::new(text).ok()) else {
            return Vec::new();
        };
        let names = self.0.list(&directory).unwrap_or_default();
        let listed = names.iter().filter_map(|name| {
            let kind = self.0.entry(&directory.child(name).ok()?).kind()?;
            Some(Listed { name: OsString::from(&**name), kind })
        });
        listed.collect()
    }

    fn shared(&self, path: &Path) -> Option<Identity> {
        let path = AbsPath::new(path.to_str()?).ok()?;
        let links = self.0.entry(&path).links();
        let content = self.0.read(&path, MAX_COMPARED).ok().filter(|_| links > 1)?;
        let number = content
            .iter()
            .fold(links, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(*byte)));
        Some((0, number))
    }
}

/// More of a described file is not compared.
const MAX_COMPARED: usize = 1 << 16;
