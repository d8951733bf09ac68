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
    directories: Vec<(i32, &'static str)>,
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
            Some((inotify::add_watch(&queue, path, flags).ok()?, directory))
        };
        let directories = DIRECTORIES.into_iter().map(watch).collect::<Option<_>>()?;
        Some(Watch { queue, directories })
    }

    /// What was touched since.
    pub(super) fn touched(self) -> Vec<Touched> {
        let mut buffer = [MaybeUninit::uninit(); 8192];
        let mut reader = Reader::new(&self.queue, &mut buffer);
        let mut all = Vec::new();
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
            let path = directory.and_then(|(_, at)| AbsPath::new(at).ok()?.child(name).ok());
            let touched = path.map(|path| Touched { op, path });
            all.extend(touched.filter(|touched| !all.contains(touched)));
        }
        all
    }
}
