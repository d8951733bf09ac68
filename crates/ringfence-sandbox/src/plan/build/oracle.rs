//! What the judge says of files, asked for the whole run.

use std::cell::OnceCell;
use std::path::Path;

use ringfence_core::access::{Extent, FileAccess, FileOp};
use ringfence_core::path::{AbsPath, FilePath};
use ringfence_core::{Access, AccessKind, AccessScope, Effect, Ground, Policy, Verdict};

/// A name that no rule spells out: what is said of it is said of whatever no rule singles out.
const ANY_NAME: &str = "\u{fdd0}";

/// Asks the judge for the run as a whole, outside every tool and command.
pub(in crate::plan) struct Oracle<'a> {
    pub(super) policy: &'a Policy,
    /// An access in the scope of the run; what it does is of no importance.
    pub(in crate::plan) anything: Access,
    /// Where rules hold and how many components follow there, once that was asked for.
    lengths: OnceCell<Vec<(AbsPath, usize)>>,
}

impl<'a> Oracle<'a> {
    pub(in crate::plan) fn new(policy: &'a Policy, scope: &AccessScope) -> Oracle<'a> {
        let anything = Access { scope: scope.clone(), ..Access::new(AccessKind::Listen(0)) };
        Oracle { policy, anything, lengths: OnceCell::new() }
    }

    /// What is decided by rules. A default is no rule: what is asked about only because nobody
    /// listed it is refused.
    pub(super) fn decide(&self, what: AccessKind) -> Effect {
        let verdict = self.policy.decide(&Access { what, ..self.anything.clone() });
        let by_default = |ground: &Ground| matches!(ground, Ground::NotGranted { .. });
        match verdict.effect {
            Effect::Ask if verdict.decisive().any(by_default) => Effect::Deny,
            effect => effect,
        }
    }

    /// What is decided for one path.
    pub(super) fn at(&self, op: FileOp, path: &AbsPath) -> Effect {
        let path = FilePath::named(path.clone());
        self.decide(AccessKind::File(FileAccess { op, extent: Extent::One, path }))
    }

    /// Whether a rule stands against reading a path: not only that nothing grants it.
    pub(in crate::plan) fn objects(&self, path: &AbsPath) -> bool {
        if FilePath::named(path.clone()).is_free_device() {
            return false;
        }
        let verdict = self.reading(path);
        verdict.effect != Effect::Allow && is_by_rule(&verdict)
    }

    /// Whether what may not be read by its own name may not be read by another one either: nothing
    /// grants it by that one, or a rule stands against it that does not speak of that one.
    pub(in crate::plan) fn spreads(&self, path: &Path, other: &Path) -> bool {
        let as_text = |path: &Path| AbsPath::new(&path.to_string_lossy()).ok();
        let Some((path, other)) = as_text(path).zip(as_text(other)) else { return true };
        let what = AccessKind::File(FileAccess {
            op: FileOp::Read,
            extent: Extent::One,
            path: FilePath::named(path),
        });
        let access = Access { what, ..self.anything.clone() };
        self.at(FileOp::Read, &other) != Effect::Allow
            || self.policy.forbids_under_this_name_only(&access, &other)
    }

    /// Whether a rule stands against writing a path: not only that nothing grants it.
    pub(super) fn objects_to_writing(&self, path: &AbsPath) -> bool {
        self.objects_to(FileOp::Write, path)
    }

    /// Whether a rule stands against doing something to a path: not only that nothing grants it.
    pub(super) fn objects_to(&self, op: FileOp, path: &AbsPath) -> bool {
        let verdict = self.verdict(op, path);
        verdict.effect != Effect::Allow && is_by_rule(&verdict)
    }

    /// Whether rules stand against doing something to whatever no rule singles out below a directory.
    pub(super) fn objects_below(&self, op: FileOp, directory: &AbsPath) -> bool {
        self.levels(directory).all(|path| self.objects_to(op, &path))
    }

    fn reading(&self, path: &AbsPath) -> Verdict {
        self.verdict(FileOp::Read, path)
    }

    fn verdict(&self, op: FileOp, path: &AbsPath) -> Verdict {
        let path = FilePath::named(path.clone());
        let what = AccessKind::File(FileAccess { op, extent: Extent::One, path });
        self.policy.decide(&Access { what, ..self.anything.clone() })
    }

    /// Whether whatever no rule singles out may be read below a directory. Rules may still stand
    /// against names of some depth or shape.
    pub(super) fn reads_below(&self, directory: &AbsPath) -> bool {
        let levels: Vec<AbsPath> = self.levels(directory).collect();
        let Some((last, others)) = levels.split_last() else { return false };
        let reads = |path: &AbsPath| {
            let verdict = self.reading(path);
            verdict.effect == Effect::Allow || is_by_rule(&verdict)
        };
        self.at(FileOp::Read, last) == Effect::Allow && others.iter().all(reads)
    }

    /// The mildest that is decided for names below a directory that no rule singles out.
    pub(super) fn somewhere_below(&self, op: FileOp, directory: &AbsPath) -> Effect {
        self.levels(directory).map(|path| self.at(op, &path)).min().unwrap_or(Effect::Deny)
    }

    fn lengths(&self) -> &[(AbsPath, usize)] {
        self.lengths.get_or_init(|| {
            let places = self.policy.file_places(&self.anything);
            places.map(|place| (AbsPath::clone(&place.literal), place.rest.len())).collect()
        })
    }

    fn levels(&self, directory: &AbsPath) -> impl Iterator<Item = AbsPath> {
        // So many names lie deeper than any pattern without `**` reaches. One that begins below the
        // directory spells out a name in it.
        let reaching = self.lengths().iter().filter(|(literal, _)| directory.starts_with(literal));
        let longest = reaching.map(|(_, length)| *length).max().unwrap_or_default();
        let first = directory.child(ANY_NAME).ok();
        let levels = std::iter::successors(first, |path| path.child(ANY_NAME).ok());
        levels.take(longest.saturating_add(1))
    }
}

/// Whether a rule decided, and not only that there is none.
fn is_by_rule(verdict: &Verdict) -> bool {
    verdict.decisive().any(|own| own.rule().is_some())
}
