//! Directories that a run has for itself.

use ringfence_core::judge::{RuleKind, RulePlace};
use ringfence_core::path::AbsPath;
use ringfence_core::pattern::{Base, Component, Pattern};
use ringfence_core::rule::Rule;

use super::always::PRIVATE;
use super::oracle::Oracle;
use super::site::Site;

/// The directories that a run has for itself, empty at the start.
///
/// A grant of `@tmp` is one of some place for temporary files, and is kept by a private one; who
/// means the machine's own writes its path. A project that lies there is used where it lies.
pub(super) fn directories(oracle: &Oracle<'_>, site: &Site<'_>) -> Vec<AbsPath> {
    let places: Vec<RulePlace<'_>> = oracle.policy.file_places(&oracle.anything).collect();
    let known = PRIVATE.iter().filter_map(|path| AbsPath::new(path).ok());
    let is_private = |path: &AbsPath| {
        let context = site.context;
        let used = context.root.iter().chain([&context.cwd]).any(|own| own.starts_with(path));
        site.is_dir(path) && !used && !places.iter().any(|own| grants(own, path))
    };
    known.filter(is_private).collect()
}

/// Whether a rule grants the machine's own directory, or something in it.
fn grants(own: &RulePlace<'_>, path: &AbsPath) -> bool {
    let grants = own.role.grants() && matches!(own.kind, RuleKind::Allow | RuleKind::Ask);
    if !grants || means_any_place(own.rule) {
        return false;
    }
    let changes = own.rights.write || own.rights.delete;
    let all_of_it = path.starts_with(&own.literal) && own.rest.first() == Some(&Component::Deep);
    own.literal.starts_with(path) || (changes && all_of_it)
}

/// Whether a rule speaks of temporary files wherever they are.
fn means_any_place(rule: &Rule) -> bool {
    match &rule.pattern {
        Pattern::File(_, path) => path.alternatives().iter().all(|own| own.base == Base::Tmp),
        _ => false,
    }
}
