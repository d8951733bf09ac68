//! What the room of the last run here was made by.
//!
//! The next run mostly wants the same, so its room is begun like that before its plan is made. What
//! was kept is compared with the plan then, and not believed: whoever changes it slows a run down.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

use ringfence_guard::world::RealHost;
use ringfence_sandbox::Keep;
use ringfence_sandbox::plan::{DirShelf, Shelf};

use crate::args::RunArgs;

/// Where it is kept.
pub(crate) struct Kept {
    shelf: DirShelf,
    key: String,
}

impl Kept {
    /// For runs in this directory by these policies; none where there is no place for it.
    pub(crate) fn of(args: &RunArgs, host: &RealHost) -> Option<Kept> {
        let home = PathBuf::from(host.user()?.home.as_str());
        let mut hash = DefaultHasher::new();
        std::env::current_dir().ok()?.hash(&mut hash);
        (&args.files.policies, &args.agent, &args.tool).hash(&mut hash);
        let key = format!("room-{:016x}", hash.finish());
        Some(Kept { shelf: DirShelf::new(home.join(".cache/ringfence")), key })
    }

    /// What was kept.
    pub(crate) fn load(&self) -> Option<Vec<u8>> {
        self.shelf.load(&self.key)
    }

    /// Keeps what is handed over.
    pub(crate) fn keep(self) -> Keep {
        Keep::new(move |made| self.shelf.save(&self.key, made))
    }
}
