//! Hides what others put into readable trees while a run goes on.
//!
//! Directories in which a rule can stand against something are watched. What appears in them is
//! judged by its name, and covered where the judge stands against reading it. Whether something is
//! covered is seen from inside: there it is another file than outside.
//!
//! What can be read until it is covered is read; nothing here takes that back.

mod cover;
mod inotify;
mod sweep;

use std::io;
use std::os::fd::RawFd;
use std::path::PathBuf;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::bell::Bell;
use crate::gate::Judge;
use crate::line::Line;
use crate::plan::{FilePlan, Hiding};
use cover::Covers;
pub(crate) use cover::Uncovered;
use sweep::Sweep;

/// Nothing is watched before a run is so old: most are over by then, and giving watches back takes
/// the kernel longer than such a run.
pub(crate) const FIRST: Duration = Duration::from_millis(250);

/// Watches, in a thread of its own, until this is dropped.
#[derive(Debug)]
pub(crate) struct Watcher {
    stop: Arc<Bell>,
    over: Arc<Over>,
    asked: Sender<PathBuf>,
    thread: Option<JoinHandle<()>>,
}

/// What could not be hidden: the run is over then.
#[derive(Debug)]
struct Over {
    bell: Bell,
    what: Mutex<Option<Uncovered>>,
}

impl Watcher {
    /// Begins to watch for a run whose init is this process.
    pub(crate) fn start(
        hiding: Hiding,
        files: &FilePlan,
        judge: Arc<dyn Judge>,
        line: Line,
        init: i32,
    ) -> io::Result<Watcher> {
        let (asked, questions) = channel();
        let stop = Arc::new(Bell::new()?);
        let over = Arc::new(Over { bell: Bell::new()?, what: Mutex::default() });
        let (files, stopped, ended) = (files.clone(), Arc::clone(&stop), Arc::clone(&over));
        let body = move || {
            let Some(hidden) = hiding.prepare(&files) else { return };
            let covers = Covers::new(Arc::clone(&judge), line, init);
            let mut sweep = Sweep::new(hidden, judge, covers, stopped);
            if let Err(uncovered) = sweep.serve(&files, &questions) {
                *ended.what.lock().unwrap_or_else(PoisonError::into_inner) = Some(uncovered);
                ended.bell.ring();
            }
        };
        let thread = std::thread::Builder::new().name("ringfence-watch".to_owned()).spawn(body)?;
        Ok(Watcher { stop, over, asked, thread: Some(thread) })
    }

    /// Readable once something could not be hidden.
    pub(crate) fn raw(&self) -> RawFd {
        self.over.bell.raw()
    }

    /// What could not be hidden.
    pub(crate) fn uncovered(&self) -> Option<Uncovered> {
        self.over.what.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// A name that was refused is looked at, whether it is watched or not.
    pub(crate) fn look_at(&self, path: PathBuf) {
        if self.asked.send(path).is_ok() {
            self.stop.ring();
        }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        // The thread ends once nobody can ask it any more.
        self.asked = channel().0;
        self.stop.ring();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
