//! Which files are touched, as the kernel tells it.

use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::path::Path;

use ringfence_core::access::FileOp;
use ringfence_core::path::AbsPath;
use rustix::fs::inotify::{self, CreateFlags, ReadFlags, Reader, WatchFlags};

use super::home::DIRECTORIES;

/// A file that was touched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Touched {
    pub(super) op: FileOp,
    pub(super) path: AbsPath,
}

/// Looks at the directories of one place.
pub(super) struct Watch {
    queue: OwnedFd,
    /// The directory of each number.
    directories: Vec<(i32, AbsPath)>,
}

impl Watch {
    pub(super) fn new(place: &Path) -> Option<Watch> {
        let queue = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).ok()?;
        let flags = WatchFlags::CLOSE_WRITE
            | WatchFlags::CLOSE_NOWRITE
            | WatchFlags::CREATE
            | WatchFlags::DELETE
            | WatchFlags::MOVED_FROM
            | WatchFlags::MOVED_TO;
        let watch = |directory: &'static str| {
            let path = place.join(directory.trim_start_matches('/'));
            let number = inotify::add_watch(&queue, path, flags).ok()?;
            Some((number, AbsPath::new(directory).ok()?))
        };
        let directories = DIRECTORIES.into_iter().map(watch).collect::<Option<_>>()?;
        Some(Watch { queue, directories })
    }

    /// What was touched since.
    pub(super) fn touched(mut self) -> Vec<Touched> {
        let mut buffer = [MaybeUninit::uninit(); 8192];
        let mut reader = Reader::new(&self.queue, &mut buffer);
        let mut all = Vec::new();
        // What was taken away last, with the number that the kernel gave the move.
        let mut moved = None;
        while let Ok(event) = reader.next() {
            let Some(name) = event.file_name().and_then(|name| name.to_str().ok()) else {
                continue;
            };
            let flags = event.events();
            let op = if flags.intersects(ReadFlags::DELETE | ReadFlags::MOVED_FROM) {
                FileOp::Delete
            } else if flags.contains(ReadFlags::CLOSE_NOWRITE) {
                FileOp::Read
            } else {
                FileOp::Write
            };
            // Looking for names in a directory is no reading of files.
            if flags.contains(ReadFlags::ISDIR) && op == FileOp::Read {
                continue;
            }
            let directory = self.directories.iter().find(|(number, _)| *number == event.wd());
            let Some(path) = directory.and_then(|(_, at)| at.child(name).ok()) else { continue };
            if flags.contains(ReadFlags::MOVED_FROM) {
                moved = Some((event.cookie(), path.clone()));
            }
            if let Some((_, from)) = moved.take_if(|(cookie, _)| {
                flags.contains(ReadFlags::MOVED_TO) && *cookie == event.cookie()
            }) {
                rename(&mut self.directories, &from, &path);
            }
            let touched = Touched { op, path };
            if !all.contains(&touched) {
                all.push(touched);
            }
        }
        all
    }
}

/// Directories that were moved have other names from then on.
fn rename(directories: &mut [(i32, AbsPath)], from: &AbsPath, to: &AbsPath) {
    for (_, path) in directories {
        if let Some(rest) = path.as_str().strip_prefix(from.as_str())
            && (rest.is_empty() || rest.starts_with('/'))
        {
            *path = AbsPath::new(&format!("{to}{rest}")).unwrap();
        }
    }
}
