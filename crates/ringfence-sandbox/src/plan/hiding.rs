//! The files that rules hide from a run, judged when they are opened.
//!
//! The plan covers what exists in places that are not looked at during the run. Everywhere else the
//! same rules say of a name that is opened whether it is hidden. Nothing is decided here: every
//! answer is the judge's.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use ringfence_core::judge::{PathSet, PathStates, RuleKind, RulePlace};
use ringfence_core::path::{AbsPath, EntryKind, PathRules};
use ringfence_core::{AccessScope, Policy};

use super::build::{Lister, Oracle, objects_to_reading};
use super::{FilePlan, Judged, Mounts};

/// The most entries that are listed to find out whether anything in a directory may be read.
const MOST_LISTED: usize = 100_000;

/// The policy of a run, to be asked about what is opened during it.
pub struct Hiding {
    policy: Box<dyn FnOnce() -> Arc<Policy> + Send>,
    scope: AccessScope,
    rules: PathRules,
}

/// Where rules can stand against reading, ready to be asked.
pub(crate) struct Hidden {
    policy: Arc<Policy>,
    scope: AccessScope,
    /// All of them.
    all: PathSet,
    /// Those that nothing lifts.
    absolute: PathSet,
    private: Vec<PathBuf>,
    pub(super) mounts: Mounts,
}

impl Hiding {
    /// What a policy says, for whom the run is, on a host that compares paths by these rules. The
    /// policy is asked for once something is opened.
    pub fn new(
        policy: impl FnOnce() -> Arc<Policy> + Send + 'static,
        scope: AccessScope,
        rules: PathRules,
    ) -> Hiding {
        Hiding { policy: Box::new(policy), scope, rules }
    }

    /// Gets the rules ready; `None` if no rule hides anything.
    pub(crate) fn prepare(self, files: &FilePlan) -> Option<Hidden> {
        // Where every opening is judged for itself, nothing else is asked.
        if files.judged == Judged::Openings {
            return None;
        }
        let Hiding { policy, scope, rules } = self;
        let (mut all, mut absolute) = (PathSet::new(rules), PathSet::new(rules));
        let policy = policy();
        let oracle = Oracle::new(&policy, &scope);
        let places: Vec<RulePlace<'_>> = policy.file_places(&oracle.anything).collect();
        let lifted = places.iter().any(|own| own.kind == RuleKind::OptIn);
        let mut is_any = false;
        for own in places.iter().filter(|own| objects_to_reading(own)) {
            is_any = true;
            all.add(&own.literal, own.rest);
            let holds = match own.kind {
                RuleKind::Deny => true,
                RuleKind::Danger => !lifted,
                _ => false,
            };
            if holds && own.rule.except.is_empty() {
                absolute.add(&own.literal, own.rest);
            }
        }
        let (private, mounts) = (files.private.clone(), files.mounts.clone());
        drop(places);
        is_any.then_some(Hidden { policy, scope, all, absolute, private, mounts })
    }
}

impl Hidden {
    /// Returns whether something must be hidden that is about to be opened by a path, and has these
    /// other names because something is mounted twice.
    pub(crate) fn hides(
        &self,
        path: &Path,
        others: &[PathBuf],
        is_directory: bool,
        lister: &dyn Lister,
    ) -> bool {
        if self.is_private(path) {
            return false;
        }
        let spreads = |other: &PathBuf| {
            let oracle = Oracle::new(&self.policy, &self.scope);
            self.hides_name(other, is_directory, lister) && oracle.spreads(other, path)
        };
        self.hides_name(path, is_directory, lister) || others.iter().any(spreads)
    }

    /// Returns whether a path lies in a directory that the run has for itself.
    pub(super) fn is_private(&self, path: &Path) -> bool {
        self.private.iter().any(|own| path.starts_with(own))
    }

    /// Returns whether what has this name must be hidden. A path that rules cannot be asked about is.
    fn hides_name(&self, path: &Path, is_directory: bool, lister: &dyn Lister) -> bool {
        let Some(path) = as_listed(path) else { return true };
        match is_directory {
            true => {
                self.absolute.takes_all(&self.absolute.at(&path))
                    || self.all.takes_all(&self.all.at(&path)) && self.is_closed(&path, lister)
            }
            false => self.hides_file(&path, &self.all.at(&path)),
        }
    }

    /// Returns whether a file is hidden at which the rules have come to these states.
    pub(super) fn hides_file(&self, path: &AbsPath, states: &PathStates) -> bool {
        self.all.matches(states) && self.objects(path)
    }

    /// Returns whether neither a directory nor any file below it may be read. The names in a directory
    /// are no secret if what they name may be read.
    fn is_closed(&self, directory: &AbsPath, lister: &dyn Lister) -> bool {
        let mut left = MOST_LISTED;
        let mut open = vec![(directory.clone(), PathBuf::from(directory.as_str()))];
        while let Some((directory, host_path)) = open.pop() {
            if !self.objects(&directory) {
                return false;
            }
            for entry in lister.list(&host_path) {
                // In a directory of so many files one that may be read is not looked for.
                let Some(rest) = left.checked_sub(1) else { return true };
                left = rest;
                let Some(path) = directory.listed(&entry.name.to_string_lossy()) else { continue };
                match entry.kind {
                    EntryKind::Link => {}
                    EntryKind::Dir => open.push((path, host_path.join(&entry.name))),
                    EntryKind::File | EntryKind::Other if !self.objects(&path) => return false,
                    EntryKind::File | EntryKind::Other => {}
                }
            }
        }
        true
    }

    /// The rules that can stand against reading.
    pub(super) fn all(&self) -> &PathSet {
        &self.all
    }

    /// Returns whether the judge stands against reading a path.
    fn objects(&self, path: &AbsPath) -> bool {
        Oracle::new(&self.policy, &self.scope).objects(path)
    }
}

/// Returns a path that the kernel told, for rules: also one that is longer as text than any path that
/// is asked for.
pub(super) fn as_listed(path: &Path) -> Option<AbsPath> {
    let mut names = path.components();
    let is_absolute = names.next() == Some(Component::RootDir);
    let below = |above: AbsPath, name: Component<'_>| match name {
        Component::Normal(name) => above.listed(&name.to_string_lossy()),
        _ => None,
    };
    names.try_fold(AbsPath::root(), below).filter(|_| is_absolute)
}

#[cfg(test)]
#[path = "hiding_tests.rs"]
mod tests;
