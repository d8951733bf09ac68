//! A notice at the terminal if making a plan takes long.

use std::cell::Cell;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ringfence_guard::redact::visible;
use ringfence_sandbox::plan::{Identity, Listed, Lister, Mounts, PinningLister, Pins};

use crate::show;

/// Who waits longer than this wants to know why.
const PATIENCE: Duration = Duration::from_secs(1);

/// Lists the directories of this machine, and says so if that takes long.
pub(crate) struct PatientLister {
    lister: PinningLister,
    begun: Instant,
    told: Cell<bool>,
}

impl PatientLister {
    pub(crate) fn new() -> PatientLister {
        PatientLister {
            lister: PinningLister::new(),
            begun: Instant::now(),
            told: Cell::new(!std::io::stderr().is_terminal()),
        }
    }
}

impl Lister for PatientLister {
    fn list(&self, directory: &Path) -> Vec<Listed> {
        if !self.told.get() && self.begun.elapsed() > PATIENCE {
            self.told.set(true);
            let directory = directory.display().to_string();
            let directory = visible(&directory);
            show::say(&format!(
                "note: looking for files that rules keep from being read, now in {directory}; what is \
                 found outside the project is remembered, so that the next run starts at once"
            ));
        }
        self.lister.list(directory)
    }

    fn shared(&self, path: &Path) -> Option<Identity> {
        self.lister.shared(path)
    }

    fn mounts(&self) -> Option<Mounts> {
        self.lister.mounts()
    }

    fn counts_processes(&self) -> bool {
        self.lister.counts_processes()
    }

    fn pin(&self, path: &Path) -> bool {
        self.lister.pin(path)
    }

    fn pins(&self) -> Pins {
        self.lister.pins()
    }

    fn pinned(&self, directory: &Path) -> PathBuf {
        self.lister.pinned(directory)
    }
}
