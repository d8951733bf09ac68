//! Looks through directories, and covers what must not be seen.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::{Duration, Instant};

use ringfence_core::path::EntryKind;

use super::Uncovered;
use super::inotify::{Event, Inotify};
use crate::bell::Bell;
use crate::gate::{Appeared, Judge};
use crate::line::Line;
use crate::plan::{At, FilePlan, Hidden, Identity, KERNEL_TREES, Lister, Look, RealLister, Rights};

/// More directories are not watched, but looked through again and again.
const MOST_WATCHES: usize = 1 << 16;
/// How long it is waited at least before what is not watched is looked through again, and how many
/// times as long as that took.
const PAUSE: Duration = Duration::from_secs(1);
const PAUSE_FACTOR: u32 = 20;
/// More hidden files are not known by their numbers.
const MOST_SECRETS: usize = 4096;
/// How often it is tried to cover something that changes meanwhile.
const TRIES: usize = 5;

pub(super) struct Sweep {
    hidden: Hidden,
    judge: Arc<dyn Judge>,
    line: Line,
    /// The init, through whose root it is seen what the tree sees.
    init: i32,
    stop: Arc<Bell>,
    inotify: Option<Inotify>,
    watches: HashMap<i32, PathBuf>,
    /// Directories for which there was no watch.
    unwatched: BTreeSet<PathBuf>,
    /// Both of these.
    known: HashSet<PathBuf>,
    /// Files that are hidden, and the name of each: a second name of one is hidden too.
    secrets: HashMap<Identity, PathBuf>,
}

/// How far a directory is looked into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Depth {
    All,
    /// Its own names alone.
    Names,
    /// Its own names, and directories that are new in it.
    Unwatched,
}

/// Nobody wants to know any more.
enum Ended {
    Stopped,
    Uncovered(Uncovered),
}

impl From<Uncovered> for Ended {
    fn from(uncovered: Uncovered) -> Ended {
        Ended::Uncovered(uncovered)
    }
}

impl Sweep {
    pub(super) fn new(
        hidden: Hidden,
        judge: Arc<dyn Judge>,
        line: Line,
        init: i32,
        stop: Arc<Bell>,
    ) -> Sweep {
        Sweep {
            hidden,
            judge,
            line,
            init,
            stop,
            inotify: Inotify::new().ok(),
            watches: HashMap::new(),
            unwatched: BTreeSet::new(),
            known: HashSet::new(),
            secrets: HashMap::new(),
        }
    }

    /// Looks through everything, then at what happens, until the run ends.
    pub(super) fn serve(
        &mut self,
        files: &FilePlan,
        questions: &Receiver<PathBuf>,
    ) -> Result<(), Uncovered> {
        match self.serve_until(files, questions) {
            Err(Ended::Uncovered(uncovered)) => Err(uncovered),
            Err(Ended::Stopped) | Ok(()) => Ok(()),
        }
    }

    fn serve_until(
        &mut self,
        files: &FilePlan,
        questions: &Receiver<PathBuf>,
    ) -> Result<(), Ended> {
        files.masks.iter().for_each(|mask| self.remember(mask));
        self.sweep(files, questions)?;
        let (mut last, mut pause) = (Instant::now(), PAUSE);
        loop {
            let left = pause.saturating_sub(last.elapsed());
            self.wait((!self.unwatched.is_empty()).then_some(left));
            self.answer(questions)?;
            let events = self.inotify.as_ref().map(Inotify::read).transpose();
            let events = events.ok().flatten().unwrap_or_default();
            if events.iter().any(|event| event.is(libc::IN_Q_OVERFLOW)) {
                // Something happened, and nobody knows what.
                self.sweep(files, questions)?;
            }
            for event in &events {
                self.happened(event, questions)?;
            }
            if !self.unwatched.is_empty() && last.elapsed() >= pause {
                let begun = Instant::now();
                for directory in self.unwatched.clone() {
                    self.enter(&directory, Depth::Unwatched, questions)?;
                }
                (last, pause) = (Instant::now(), begun.elapsed().saturating_mul(PAUSE_FACTOR));
                pause = pause.max(PAUSE);
            }
        }
    }

    /// Looks through every tree that can be read.
    fn sweep(&mut self, files: &FilePlan, questions: &Receiver<PathBuf>) -> Result<(), Ended> {
        let parents: Vec<PathBuf> = self.hidden.parents().map(Path::to_owned).collect();
        for parent in parents {
            self.enter(&parent, Depth::Names, questions)?;
        }
        for root in roots(files) {
            self.enter(&root, Depth::All, questions)?;
        }
        Ok(())
    }

    /// Waits until something happens, is asked, or the time is over.
    fn wait(&self, time: Option<Duration>) {
        let wanted = |fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
        let told = self.inotify.as_ref().map_or(-1, Inotify::raw);
        let mut fds = [wanted(self.stop.raw()), wanted(told)];
        let time = time.map_or(-1, |time| i32::try_from(time.as_millis()).unwrap_or(i32::MAX));
        // SAFETY: the kernel writes the two entries.
        unsafe { libc::poll(fds.as_mut_ptr(), fds.len() as libc::nfds_t, time) };
    }

    /// Looks at what was asked about; an error where nobody can ask any more.
    fn answer(&mut self, questions: &Receiver<PathBuf>) -> Result<(), Ended> {
        self.stop.hear();
        loop {
            match questions.try_recv() {
                Ok(path) => {
                    let names = path.parent().zip(path.file_name());
                    let at = names.and_then(|(parent, name)| Some((self.hidden.at(parent)?, name)));
                    if let (Some((at, name)), Some(kind)) = (at, kind(&path)) {
                        self.look(&at, name, kind)?;
                    }
                }
                Err(TryRecvError::Empty) => return Ok(()),
                Err(TryRecvError::Disconnected) => return Err(Ended::Stopped),
            }
        }
    }

    fn happened(&mut self, event: &Event, questions: &Receiver<PathBuf>) -> Result<(), Ended> {
        let Some(directory) = self.watches.get(&event.watch).cloned() else { return Ok(()) };
        if event.is(libc::IN_IGNORED) {
            self.watches.remove(&event.watch);
            self.known.remove(&directory);
            return Ok(());
        }
        let path = directory.join(&event.name);
        if event.is(libc::IN_MOVED_FROM) {
            if event.is(libc::IN_ISDIR) {
                self.forget(&path);
            }
            return Ok(());
        }
        let (Some(at), Some(kind)) = (self.hidden.at(&directory), kind(&path)) else {
            return Ok(());
        };
        if kind == EntryKind::File && self.is_second_name(&path) {
            return Ok(self.cover(&path)?);
        }
        match self.look(&at, &event.name, kind)? {
            Some(inside) => self.walk(inside, Depth::All, questions),
            None => Ok(()),
        }
    }

    /// Keeps in mind which files are hidden.
    fn remember(&mut self, path: &Path) {
        let mut open = vec![path.to_owned()];
        while let Some(path) = open.pop().filter(|_| self.secrets.len() < MOST_SECRETS) {
            let Ok(identity) = identity(&path) else { continue };
            match kind(&path) {
                Some(EntryKind::File) => drop(self.secrets.insert(identity, path)),
                Some(EntryKind::Dir) => {
                    let names = RealLister.list(&path).into_iter();
                    open.extend(names.map(|entry| path.join(entry.name)));
                }
                _ => {}
            }
        }
    }

    /// Whether a file is hidden under another name.
    fn is_second_name(&self, path: &Path) -> bool {
        let other = RealLister.shared(path).and_then(|own| Some((own, self.secrets.get(&own)?)));
        // The number may be another file's by now.
        other.is_some_and(|(own, other)| identity(other).is_ok_and(|now| now == own))
    }

    /// A directory went elsewhere, and all in it.
    fn forget(&mut self, path: &Path) {
        let left = self.watches.iter().filter(|(_, own)| own.starts_with(path));
        let left: Vec<i32> = left.map(|(watch, _)| *watch).collect();
        for watch in left {
            self.watches.remove(&watch);
            if let Some(inotify) = &self.inotify {
                inotify.remove(watch);
            }
        }
        self.unwatched.retain(|own| !own.starts_with(path));
        self.known.retain(|own| !own.starts_with(path));
    }

    fn enter(
        &mut self,
        directory: &Path,
        depth: Depth,
        questions: &Receiver<PathBuf>,
    ) -> Result<(), Ended> {
        match self.hidden.at(directory) {
            Some(at) => self.walk(at, depth, questions),
            None => Ok(()),
        }
    }

    /// Watches a directory and looks through it; in this order, so that nothing is missed.
    fn walk(&mut self, at: At, depth: Depth, questions: &Receiver<PathBuf>) -> Result<(), Ended> {
        let mut open = vec![at];
        while let Some(at) = open.pop() {
            self.answer(questions)?;
            self.watch(at.path());
            for entry in RealLister.list(at.path()) {
                let inside = self.look(&at, &entry.name, entry.kind)?;
                open.extend(inside.filter(|inside| self.is_opened(inside, depth)));
            }
        }
        Ok(())
    }

    /// Whether a directory inside another is looked into.
    fn is_opened(&self, inside: &At, depth: Depth) -> bool {
        match depth {
            Depth::All => true,
            Depth::Names => false,
            // Those that are known are watched, or have their turn.
            Depth::Unwatched => !self.known.contains(inside.path()),
        }
    }

    fn watch(&mut self, directory: &Path) {
        let inotify = self.inotify.as_ref().filter(|_| self.watches.len() < MOST_WATCHES);
        let none = || Err(io::Error::from_raw_os_error(libc::ENOSPC));
        match inotify.map_or_else(none, |inotify| inotify.add(directory)) {
            Ok(watch) => {
                self.watches.insert(watch, directory.to_owned());
                self.unwatched.remove(directory);
            }
            Err(error) if matches!(error.raw_os_error(), Some(libc::ENOSPC | libc::ENOMEM)) => {
                if self.unwatched.is_empty() {
                    self.judge.appeared(&Appeared::Unwatched(directory.to_owned()));
                }
                self.unwatched.insert(directory.to_owned());
            }
            // It is gone, or nobody can look into it.
            Err(_) => {
                self.unwatched.remove(directory);
                self.known.remove(directory);
                return;
            }
        }
        self.known.insert(directory.to_owned());
    }

    /// Looks at a name, and covers what it names where it must be; a directory to be looked into.
    fn look(&mut self, at: &At, name: &OsStr, kind: EntryKind) -> Result<Option<At>, Uncovered> {
        match self.hidden.look(at, name, kind) {
            (Look::Hide, _) => self.cover(&at.path().join(name)).map(|()| None),
            (Look::Inside, inside) => Ok(inside),
            (Look::Past, _) => Ok(None),
        }
    }

    /// Covers a path, unless it is covered or gone.
    fn cover(&mut self, path: &Path) -> Result<(), Uncovered> {
        let mut failed = io::Error::from_raw_os_error(libc::EBUSY);
        for _ in 0..TRIES {
            let Some(kind) = kind(path).filter(|kind| *kind != EntryKind::Link) else {
                return Ok(());
            };
            if !self.is_seen(path) {
                return Ok(());
            }
            match self.line.hide(path, kind == EntryKind::Dir) {
                Ok(()) => {
                    self.remember(path);
                    self.judge.appeared(&Appeared::Hidden(path.to_owned()));
                }
                // The run is over.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
                // It went away, or became something else.
                Err(error) => failed = error,
            }
        }
        match self.is_seen(path) {
            true => Err(Uncovered { path: path.to_owned(), error: failed }),
            false => Ok(()),
        }
    }

    /// Whether the tree sees the same as is seen from here.
    fn is_seen(&self, path: &Path) -> bool {
        let root = PathBuf::from(format!("/proc/{}/root/", self.init));
        let inside = identity(&root.join(path.strip_prefix("/").unwrap_or(path)));
        match (identity(path), inside) {
            (Ok(outside), Ok(inside)) => outside == inside,
            // Something above it is covered, unless nothing can be seen from inside at all.
            (Ok(_), Err(_)) => fs::metadata(&root).is_err(),
            (Err(_), _) => false,
        }
    }
}

/// The topmost directories that can be read.
fn roots(files: &FilePlan) -> Vec<PathBuf> {
    let is_kernels = |path: &Path| KERNEL_TREES.iter().any(|own| path.starts_with(own));
    let readable = files.trees.iter().filter(|tree| tree.rights.has(Rights::READ));
    let mut paths: Vec<&Path> = readable.map(|tree| &*tree.path).collect();
    paths.sort_unstable();
    let mut roots: Vec<PathBuf> = Vec::new();
    for path in paths {
        let is_known = roots.iter().any(|root| path.starts_with(root));
        if !is_known && !is_kernels(path) && path.is_dir() {
            roots.push(path.to_owned());
        }
    }
    roots
}

/// Which file it is that lies at a path.
fn identity(path: &Path) -> io::Result<Identity> {
    fs::symlink_metadata(path).map(|own| (own.dev(), own.ino()))
}

/// What lies at a path, links not followed.
fn kind(path: &Path) -> Option<EntryKind> {
    let kind = fs::symlink_metadata(path).ok()?.file_type();
    Some(match () {
        () if kind.is_dir() => EntryKind::Dir,
        () if kind.is_file() => EntryKind::File,
        () if kind.is_symlink() => EntryKind::Link,
        () => EntryKind::Other,
    })
}
