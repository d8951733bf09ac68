//! What must be hidden that appears while a run goes on.
//!
//! The plan hides what exists when it is made. Here the same rules say of a name that was seen
//! later whether it must be hidden too. Nothing is decided here: every answer is the judge's.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use ringfence_core::judge::{PathSet, PathStates, RuleKind, RulePlace};
use ringfence_core::path::{AbsPath, EntryKind, PathRules};
use ringfence_core::{AccessScope, Policy};

use super::build::{Oracle, objects_to_reading};
use super::{FilePlan, Judged, Mounts};

/// The policy of a run, to be asked about what appears during it.
pub struct Hiding {
    policy: Box<dyn FnOnce() -> Arc<Policy> + Send>,
    scope: AccessScope,
    rules: PathRules,
}

/// What to do about a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    /// No rule stands against it, nor against anything below it.
    Past,
    /// It is a directory in which rules can stand against something.
    Inside,
    /// It must be hidden.
    Hide,
}

/// Where rules can stand against reading, ready to be asked.
pub(crate) struct Hidden {
    policy: Arc<Policy>,
    scope: AccessScope,
    /// All of them.
    all: PathSet,
    /// Those that begin with a path of their own: what they mean is found without looking through
    /// everything.
    named: PathSet,
    /// Those that nothing lifts.
    absolute: PathSet,
    watched: Vec<AbsPath>,
    /// Where something is hidden from the start.
    parents: BTreeSet<PathBuf>,
    private: Vec<PathBuf>,
    mounts: Mounts,
}

/// A directory, and how far the rules have come there.
#[derive(Debug, Clone)]
pub(crate) struct At {
    path: AbsPath,
    host_path: PathBuf,
    states: PathStates,
    in_all: bool,
}

impl Hiding {
    /// What a policy says, for whom the run is, on a host that compares paths by these rules. The
    /// policy is asked for once the run has lived for a moment.
    pub fn new(
        policy: impl FnOnce() -> Arc<Policy> + Send + 'static,
        scope: AccessScope,
        rules: PathRules,
    ) -> Hiding {
        Hiding { policy: Box::new(policy), scope, rules }
    }

    /// Gets the rules ready; none where nothing that appears need be hidden.
    pub(crate) fn prepare(self, files: &FilePlan) -> Option<Hidden> {
        // Where every opening is judged for itself, names that appear are judged like all others.
        if files.judged == Judged::Openings {
            return None;
        }
        let watched: Vec<AbsPath> =
            files.watched.iter().filter_map(|path| AbsPath::new(path.to_str()?).ok()).collect();
        let rules = self.rules;
        let new = || PathSet::new(rules);
        let (mut all, mut named, mut absolute) = (new(), new(), new());
        let Hiding { policy, scope, .. } = self;
        let policy = policy();
        let oracle = Oracle::new(&policy, &scope);
        let places: Vec<RulePlace<'_>> = policy.file_places(&oracle.anything).collect();
        let lifted = places.iter().any(|own| own.kind == RuleKind::OptIn);
        let mut objecting: usize = 0;
        for own in places.iter().filter(|own| objects_to_reading(own)) {
            objecting = objecting.saturating_add(1);
            all.add(&own.literal, own.rest);
            if own.literal.parent().is_some() {
                named.add(&own.literal, own.rest);
            }
            let holds = match own.kind {
                RuleKind::Deny => true,
                RuleKind::Danger => !lifted,
                _ => false,
            };
            if holds && own.rule.except.is_empty() {
                absolute.add(&own.literal, own.rest);
            }
        }
        let parents = files.masks.iter().filter_map(|mask| mask.parent());
        let parents = parents.map(Path::to_owned).collect();
        let (private, mounts) = (files.private.clone(), files.mounts.clone());
        let is_any = objecting > 0;
        drop(places);
        is_any.then_some(Hidden {
            policy,
            scope,
            all,
            named,
            absolute,
            watched,
            parents,
            private,
            mounts,
        })
    }
}

impl Hidden {
    /// A directory in which names are looked at; none where it is the run's own, or no path.
    pub(crate) fn at(&self, directory: &Path) -> Option<At> {
        if self.private.iter().any(|own| directory.starts_with(own)) {
            return None;
        }
        let path = AbsPath::new(&directory.to_string_lossy()).ok()?;
        let in_all = self.watched.iter().any(|own| path.starts_with(own))
            || self.parents.contains(directory);
        let states = self.set(in_all).at(&path);
        Some(At { path, host_path: directory.to_owned(), states, in_all })
    }

    fn set(&self, in_all: bool) -> &PathSet {
        if in_all { &self.all } else { &self.named }
    }

    /// The directories in which something is hidden from the start.
    pub(crate) fn parents(&self) -> impl Iterator<Item = &Path> {
        self.parents.iter().map(PathBuf::as_path)
    }

    /// What to do about a name in a directory; and how far the rules have come there, if it is a
    /// directory to be looked into.
    pub(crate) fn look(
        &self,
        at: &At,
        name: &std::ffi::OsStr,
        kind: EntryKind,
    ) -> (Look, Option<At>) {
        let set = self.set(at.in_all);
        let mut states = PathStates::default();
        set.step(&at.states, &name.to_string_lossy(), &mut states);
        // Where a link leads is judged there.
        if states.is_over() || kind == EntryKind::Link {
            return (Look::Past, None);
        }
        let Ok(path) = at.path.child(&name.to_string_lossy()) else { return (Look::Past, None) };
        let host_path = at.host_path.join(name);
        if self.private.contains(&host_path) {
            return (Look::Past, None);
        }
        let is_dir = kind == EntryKind::Dir;
        let hides = match is_dir {
            true => self.absolute.takes_all(&self.absolute.at(&path)),
            false => set.matches(&states) && self.objects(&path),
        };
        match (hides, is_dir) {
            (true, _) => (Look::Hide, None),
            (false, false) => (Look::Past, None),
            (false, true) => {
                (Look::Inside, Some(At { path, host_path, states, in_all: at.in_all }))
            }
        }
    }

    /// A directory by all its names.
    pub(crate) fn all_names(&self, directory: &Path) -> Vec<PathBuf> {
        let mut names = vec![directory.to_owned()];
        if !self.mounts.is_empty() {
            names.extend(self.mounts.names(directory));
        }
        names
    }

    /// The other names under which something is to be hidden that is hidden by its own.
    pub(crate) fn also(&self, path: &Path) -> Vec<PathBuf> {
        if self.mounts.is_empty() {
            return Vec::new();
        }
        let oracle = Oracle::new(&self.policy, &self.scope);
        let others = self.mounts.names(path).into_iter().map(|other| (path.to_owned(), other));
        let others = others.chain(self.mounts.names_below(path));
        others.filter(|(own, other)| oracle.spreads(own, other)).map(|(_, other)| other).collect()
    }

    /// Whether something must be hidden that is about to be opened by a path, and has these other
    /// names because something is mounted twice.
    pub(crate) fn hides(&self, path: &Path, others: &[PathBuf], is_directory: bool) -> bool {
        if self.private.iter().any(|own| path.starts_with(own)) {
            return false;
        }
        let spreads = |other: &PathBuf| {
            let oracle = Oracle::new(&self.policy, &self.scope);
            self.hides_name(other, is_directory) && oracle.spreads(other, path)
        };
        self.hides_name(path, is_directory) || others.iter().any(spreads)
    }

    /// Whether what has this name must be hidden. A path that rules cannot be asked about is.
    fn hides_name(&self, path: &Path, is_directory: bool) -> bool {
        let Some(path) = as_listed(path) else { return true };
        let states = self.all.at(&path);
        match is_directory {
            true => self.absolute.takes_all(&self.absolute.at(&path)),
            false => self.all.matches(&states) && self.objects(&path),
        }
    }

    /// Whether the judge stands against reading a path.
    fn objects(&self, path: &AbsPath) -> bool {
        Oracle::new(&self.policy, &self.scope).objects(path)
    }
}

/// Returns a path that the kernel told, for rules: also one that is longer as text than any path that
/// is asked for.
fn as_listed(path: &Path) -> Option<AbsPath> {
    let mut names = path.components();
    let is_absolute = names.next() == Some(Component::RootDir);
    let below = |above: AbsPath, name: Component<'_>| match name {
        Component::Normal(name) => above.listed(&name.to_string_lossy()),
        _ => None,
    };
    names.try_fold(AbsPath::root(), below).filter(|_| is_absolute)
}

impl At {
    /// The directory.
    pub(crate) fn path(&self) -> &Path {
        &self.host_path
    }
}

#[cfg(test)]
#[path = "hiding_tests.rs"]
mod tests;
