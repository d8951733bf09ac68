//! Unix sockets that may be used.

use std::path::PathBuf;

use ringfence_core::judge::{PathSet, RuleKind};
use ringfence_core::path::{AbsPath, EntryKind, FilePath};
use ringfence_core::{AccessKind, Effect};

use super::oracle::Oracle;
use super::site::Site;
use super::walk::{Budget, collect};

/// More names are not looked at to find sockets.
const MAX_SEEN: usize = 4_096;

/// The sockets that exist outside of directories of the project and may be used, or asked about.
pub(super) fn plan(oracle: &Oracle<'_>, site: &Site<'_>) -> Vec<PathBuf> {
    let grants =
        |kind: RuleKind| matches!(kind, RuleKind::Allow | RuleKind::Ask | RuleKind::Fallback);
    let places = oracle.policy.socket_places(&oracle.anything);
    let mut sockets: Vec<PathBuf> = Vec::new();
    for place in places.filter(|own| own.role.grants() && grants(own.kind)) {
        // Sockets in the project come and go with the run; where it lies they are seen anyway.
        if site.context.root.as_ref().is_some_and(|root| place.literal.starts_with(root)) {
            continue;
        }
        let mut budget = Budget(MAX_SEEN);
        let found = match place.rest.is_empty() {
            true => site
                .kind(&place.literal)
                .map(|kind| (AbsPath::clone(&place.literal), kind))
                .into_iter()
                .collect(),
            false => {
                let mut set = PathSet::new(site.host.path_rules());
                set.add(&place.literal, place.rest);
                let found = collect(site.lister, &set, &place.literal, &mut budget);
                found.into_iter().map(|own| (own.path, own.kind)).collect::<Vec<_>>()
            }
        };
        let usable = |path: &AbsPath| {
            oracle.decide(AccessKind::Socket(FilePath::named(path.clone()))) != Effect::Deny
        };
        let found =
            found.into_iter().filter(|(path, kind)| *kind == EntryKind::Other && usable(path));
        sockets.extend(found.map(|(path, _)| PathBuf::from(path.as_str())));
    }
    sockets.sort();
    sockets.dedup();
    sockets
}
