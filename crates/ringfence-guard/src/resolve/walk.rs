//! Looking through a tree for what floating rules would meet.

use ringfence_core::access::{Extent, FileAccess};
use ringfence_core::host::{FileEntry, Host};
use ringfence_core::path::{AbsPath, FilePath, NameEnd};
use ringfence_core::{Access, AccessKind, Doubt, Effect, Ground, Policy};

/// How many entries of a tree are looked at before a person is asked instead.
const MAX_ENTRIES: usize = 20_000;

/// What a tree holds that a floating rule (`**/.env`) objects to, as a doubt that asks.
///
/// Rules that are anchored were met when the access was decided. The kernel holds floating rules
/// file by file where it is attached; here a hit is shown to a person.
pub(crate) fn look_through(access: &Access, policy: &Policy, host: &dyn Host) -> Option<Doubt> {
    let AccessKind::File(file) = &access.what else { return None };
    let with_danger = match file.extent {
        Extent::One => return None,
        // Searching, listing and formatting pass under danger's floating rules.
        Extent::Search | Extent::Names | Extent::Sources => false,
        Extent::Below | Extent::Ending(_) => file.op != ringfence_core::access::FileOp::Read,
        Extent::Tree | Extent::Unknown => true,
    };
    match policy.floats(file.op, with_danger) {
        true => find_floating(access, file, with_danger, policy, host),
        false => None,
    }
}

/// Looks through the tree itself.
#[cold]
fn find_floating(
    access: &Access,
    file: &FileAccess,
    with_danger: bool,
    policy: &Policy,
    host: &dyn Host,
) -> Option<Doubt> {
    let end = match file.extent {
        Extent::Ending(end) => end,
        _ => NameEnd::default(),
    };
    // Each with whether all below it is meant: nothing else is where the end of the names is known.
    let mut open = vec![(file.path.real.clone(), false)];
    let mut seen = 0usize;
    while let Some((directory, all)) = open.pop() {
        for name in host.list(&directory).into_iter().flatten() {
            seen = seen.saturating_add(1);
            if seen > MAX_ENTRIES {
                let reason = format!("`{}` is too large to look through", file.path.asked);
                return Some(Doubt::asked(reason));
            }
            let Ok(path) = directory.child(&name) else { continue };
            let meant = all || end.may_be(&name);
            if meant && let Some(ground) = objection(access, file, &path, policy, with_danger) {
                return Some(Doubt::asked(format!("it takes in `{path}`: {ground}")));
            }
            if host.entry(&path) == FileEntry::Dir {
                open.push((path, meant));
            }
        }
    }
    None
}

fn objection(
    tree: &Access,
    file: &FileAccess,
    path: &AbsPath,
    policy: &Policy,
    with_danger: bool,
) -> Option<Ground> {
    let one = FileAccess { op: file.op, extent: Extent::One, path: FilePath::named(path.clone()) };
    let verdict = policy.decide(&Access {
        what: AccessKind::File(one),
        scope: tree.scope.clone(),
        span: None,
    });
    verdict.grounds.into_iter().find(|ground| match ground {
        Ground::Rule(_) => ground.effect() == Effect::Deny,
        Ground::Danger(_) => with_danger,
        Ground::Protected(_) => true,
        _ => false,
    })
}
