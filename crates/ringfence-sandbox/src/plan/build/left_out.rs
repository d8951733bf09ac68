//! What exceptions leave out of the rules that stand against reading.

use ringfence_core::judge::{PathSet, RulePlace};
use ringfence_core::path::{AbsPath, PathRules};

/// Rules that object, each with what its own exceptions leave out of it.
pub(super) struct LeftOut(Vec<(PathSet, PathSet)>);

impl LeftOut {
    /// For these rules, among the places of all.
    pub(super) fn new<'a>(
        objecting: impl Iterator<Item = &'a RulePlace<'a>>,
        places: &[RulePlace<'_>],
        rules: PathRules,
    ) -> LeftOut {
        let both = objecting.map(|own| {
            let (mut takes, mut leaves_out) = (PathSet::new(rules), PathSet::new(rules));
            takes.add(&own.literal, own.rest);
            let exceptions = places.iter().filter(|other| other.narrows == Some(own.number));
            exceptions.for_each(|other| leaves_out.add(&other.literal, other.rest));
            (takes, leaves_out)
        });
        LeftOut(both.collect())
    }

    /// Whether every rule that takes a path leaves it out again: whatever else is granted or
    /// denied, none of them stands against it.
    pub(super) fn has(&self, path: &AbsPath) -> bool {
        let takes = |set: &PathSet| set.matches(&set.at(path));
        self.0.iter().all(|(rule, exceptions)| !takes(rule) || takes(exceptions))
    }
}
