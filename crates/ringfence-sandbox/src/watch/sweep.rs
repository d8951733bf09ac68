//! Looks through directories for what must not be seen.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::{Duration, Instant};

use ringfence_core::path::EntryKind;

use super::cover::{Covers, Uncovered, kind};
use super::inotify::{Event, Inotify};
use crate::bell::Bell;
use crate::gate::{Appeared, Judge};
use crate::plan::{At, FilePlan, Hidden, KERNEL_TREES, Lister, Look, RealLister, Rights};

/// More directories are not watched, but looked through again and again.
const MOST_WATCHES: usize = 1 << 16;
/// How long it is waited at least before what is not watched is looked through again, and how many
/// times as long as that took.
const PAUSE: Duration = Duration::from_secs(1);
const PAUSE_FACTOR: u32 = 20;

pub(super) struct Sweep {
    hidden: Hidden,
    judge: Arc<dyn Judge>,
    covers: Covers,
    stop: Arc<Bell>,
    inotify: Option<Inotify>,
    watches: HashMap<i32, PathBuf>,
    /// Directories for which there was no watch.
    unwatched: BTreeSet<PathBuf>,
    /// Both of these.
    known: HashSet<PathBuf>,
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
        covers: Covers,
        stop: Arc<Bell>,
    ) -> Sweep {
        Sweep {
            hidden,
            judge,
            covers,
            stop,
            inotify: Inotify::new().ok(),
            watches: HashMap::new(),
            unwatched: BTreeSet::new(),
            known: HashSet::new(),
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
        files.masks.iter().for_each(|mask| self.covers.remember(mask));
        self.sweep(files, questions)?;
        let (mut last, mut pause) = (Instant::now(), PAUSE);
        loop {
            let left = pause.saturating_sub(last.elapsed());
            self.wait((!self.unwatched.is_empty()).then_some(left));
            self.answer(questions)?;
            let events = self.told();
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

    /// What the kernel tells. Where it tells nothing more, nothing is watched any more.
    fn told(&mut self) -> Vec<Event> {
        let Some(inotify) = &self.inotify else { return Vec::new() };
        inotify.read().unwrap_or_else(|_| {
            self.inotify = None;
            self.watches.clear();
            self.unwatched.extend(self.known.iter().cloned());
            Vec::new()
        })
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
        // The kernel tells of a directory once, whatever names it has.
        for directory in self.hidden.all_names(&directory) {
            self.happened_in(&directory, event, questions)?;
        }
        Ok(())
    }

    fn happened_in(
        &mut self,
        directory: &Path,
        event: &Event,
        questions: &Receiver<PathBuf>,
    ) -> Result<(), Ended> {
        let path = directory.join(&event.name);
        if event.is(libc::IN_MOVED_FROM) {
            if event.is(libc::IN_ISDIR) {
                self.forget(&path);
            }
            return Ok(());
        }
        let (Some(at), Some(kind)) = (self.hidden.at(directory), kind(&path)) else {
            return Ok(());
        };
        if kind == EntryKind::File && self.covers.is_second_name(&path) {
            return Ok(self.cover(&path)?);
        }
        match self.look(&at, &event.name, kind)? {
            Some(inside) => self.walk(inside, Depth::All, questions),
            None => Ok(()),
        }
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

    /// Covers something, by all names by which it must not be seen.
    fn cover(&mut self, path: &Path) -> Result<(), Uncovered> {
        self.covers.cover(path)?;
        self.hidden.also(path).iter().try_for_each(|other| self.covers.cover(other))
    }
}

/// The topmost directories that can be read.
fn roots(files: &FilePlan) -> Vec<PathBuf> {
    let is_kernels = |path: &Path| KERNEL_TREES.iter().any(|own| path.starts_with(own));
    let readable = files.trees.iter().filter(|tree| tree.rights.has(Rights::READ));
    let readable = readable.map(|tree| &*tree.path);
    // What is watched besides shows the same as one of them, by another name.
    let mut paths: Vec<&Path> = readable.chain(files.watched.iter().map(|own| &**own)).collect();
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
