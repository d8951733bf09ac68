//! What was found in trees that a run only reads, kept from one run to the next.
//!
//! The system and toolchains are large and hardly change; walking them at every start would take
//! seconds. Only which names patterns take is kept: what is masked is decided anew by every run.
//! A change is seen by the times of the upper directories, so a name that someone makes further
//! down is found when something changes above it, and not before.

use std::cell::OnceCell;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Read as _, Write as _};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use ringfence_core::path::EntryKind;

use super::always::KERNEL_TREES;
use super::directory::{Directory, os_str};

/// Keeps what was found.
pub trait Shelf {
    /// What tells whether a tree may have changed: the times of so many levels of its
    /// directories, and of the package manager's last act.
    fn stamp(&self, tree: &Path, levels: usize) -> String;

    /// What was kept under this key.
    fn load(&self, key: &str) -> Option<Vec<u8>>;

    /// Keeps something under this key; where it cannot be kept, nothing happens.
    fn save(&self, key: &str, content: &[u8]);
}

/// Keeps it in a directory, which must be writable by nobody but the user, and not by the run.
#[derive(Debug, Clone)]
pub struct DirShelf {
    directory: PathBuf,
    /// What package managers last did, once that was asked: one run sees one state of it.
    recorded: OnceCell<u64>,
}

/// Where package managers record what they did.
const RECORDS: [&str; 4] =
    ["/var/lib/dpkg/status", "/var/lib/rpm", "/var/lib/pacman/local", "/lib/apk/db/installed"];

/// The times of more directories of one level are not looked at.
const MAX_STAMPED: usize = 1_024;

impl Shelf for DirShelf {
    fn stamp(&self, tree: &Path, levels: usize) -> String {
        // Times of the kernel's own files say when somebody looked at them.
        let is_kernels = KERNEL_TREES.iter().any(|own| tree.starts_with(own));
        if is_kernels
            && !tree.starts_with("/proc/self/fd")
            && let Ok(booted) = fs::read_to_string("/proc/sys/kernel/random/boot_id")
        {
            return booted.trim_end().to_owned();
        }
        let top = number(fs::symlink_metadata(tree).ok().map(|about| times(&about)));
        let mut stamp = mix(self.recorded(), top);
        let mut level = vec![tree.to_owned()];
        for depth in 2..=levels {
            let mut next = Vec::new();
            let mut left = MAX_STAMPED;
            for path in &level {
                let Ok(directory) = Directory::open(path) else { continue };
                directory.each(|name, kind| {
                    if kind != EntryKind::Dir || left == 0 {
                        return;
                    }
                    left = left.saturating_sub(1);
                    let about = directory.stat(name);
                    stamp = stamp.wrapping_add(number(about.as_ref().map(times_of)));
                    if depth < levels {
                        next.push(path.join(os_str(name)));
                    }
                });
            }
            stamp = mix(stamp, depth as u64);
            level = next;
        }
        format!("{stamp:016x}")
    }

    fn load(&self, key: &str) -> Option<Vec<u8>> {
        fs::read(self.directory.join(key)).ok()
    }

    fn save(&self, key: &str, content: &[u8]) {
        // A shelf that cannot be written is empty next time, which is slow and not wrong.
        let _ = self.write(key, content);
    }
}

impl DirShelf {
    /// A shelf in this directory, which is made when something is kept.
    pub fn new(directory: PathBuf) -> DirShelf {
        DirShelf { directory, recorded: OnceCell::new() }
    }

    /// What package managers last did.
    fn recorded(&self) -> u64 {
        let ask = || {
            let records = RECORDS.iter().map(|path| fs::symlink_metadata(path).ok());
            records.map(|about| number(about.as_ref().map(times))).fold(0, mix)
        };
        *self.recorded.get_or_init(ask)
    }

    /// What was kept under this key, where the file is this user's and nobody else's, and no longer
    /// than this. Links are not followed, and nothing is waited for.
    pub fn load_own(&self, key: &str, longest: usize) -> Option<Vec<u8>> {
        let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
        let mut options = fs::OpenOptions::new();
        let file = options.read(true).custom_flags(flags).open(self.directory.join(key)).ok()?;
        let about = file.metadata().ok()?;
        // SAFETY: takes nothing.
        let user = unsafe { libc::geteuid() };
        let is_own = about.is_file() && about.uid() == user && about.mode() & 0o077 == 0;
        let length = usize::try_from(about.len()).ok().filter(|own| is_own && *own <= longest)?;
        let mut bytes = Vec::with_capacity(length.saturating_add(1));
        file.take(longest as u64).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    /// Replaces the file as a whole, so that nobody reads half of it.
    fn write(&self, key: &str, content: &[u8]) -> std::io::Result<()> {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.directory)?;
        let fresh = self.directory.join(format!("{key}.{}", std::process::id()));
        let mut options = fs::OpenOptions::new();
        let mut file = options.write(true).create_new(true).mode(0o600).open(&fresh)?;
        let written =
            file.write_all(content).and_then(|()| fs::rename(&fresh, self.directory.join(key)));
        if written.is_err() {
            let _ = fs::remove_file(&fresh);
        }
        written
    }
}

/// Which file it is, and when it last changed.
type Times = (u64, i64, i64);

fn times(about: &fs::Metadata) -> Times {
    (about.ino(), about.mtime(), about.mtime_nsec())
}

fn times_of(stat: &libc::stat) -> Times {
    (stat.st_ino, stat.st_mtime, stat.st_mtime_nsec)
}

/// A number for that. Those of one level are added up, so that they need no order.
fn number(times: Option<Times>) -> u64 {
    let mut hasher = DefaultHasher::new();
    times.hash(&mut hasher);
    hasher.finish()
}

/// A number for two of them in this order.
fn mix(one: u64, two: u64) -> u64 {
    one.rotate_left(5).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ two
}

/// A list of paths with what it depends on, as one text.
pub(super) fn pack(depends: &str, paths: &[PathBuf]) -> Vec<u8> {
    let mut packed = depends.as_bytes().to_vec();
    for path in paths {
        packed.push(0);
        packed.extend_from_slice(path.as_os_str().as_bytes());
    }
    packed
}

/// The list, if it depends on exactly this.
pub(super) fn unpack(depends: &str, packed: &[u8]) -> Option<Vec<PathBuf>> {
    let mut parts = packed.split(|byte| *byte == 0);
    if parts.next() != Some(depends.as_bytes()) {
        return None;
    }
    let path = |part: &[u8]| PathBuf::from(std::ffi::OsString::from_vec(part.to_vec()));
    Some(parts.map(path).collect())
}

/// A name for what depends on this; two things may share it, and then only cost time.
pub(super) fn key(depends: &str) -> String {
    let fnv = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    format!("masks-{:016x}", depends.as_bytes().iter().fold(0xcbf2_9ce4_8422_2325, fnv))
}

#[cfg(test)]
#[path = "shelf_tests.rs"]
mod tests;
