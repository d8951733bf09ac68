//! Searches a directory tree for files that floating rules match.

use ringfence_core::access::{Extent, FileAccess};
use ringfence_core::host::{FileEntry, Host};
use ringfence_core::path::{AbsPath, FilePath, NameEnd};
use ringfence_core::{Access, AccessKind, Doubt, DoubtKind, Effect, Ground, Policy};

/// The maximum number of entries to check; in larger trees a person is asked instead.
const MAX_ENTRIES: usize = 20_000;

/// Returns a doubt that asks if a tree contains a file that a floating rule (`**/.env`) objects to.
///
/// Anchored rules were checked when the access was decided. With a confined run the kernel enforces
/// floating rules file by file; without one, a match needs a person's approval.
pub(crate) fn look_through(access: &Access, policy: &Policy, host: &dyn Host) -> Option<Doubt> {
    let AccessKind::File(file) = &access.what else { return None };
    let with_danger = match file.extent {
        Extent::One => return None,
        // Floating danger rules do not apply to searching, listing and formatting.
        Extent::Search | Extent::Names | Extent::Sources => false,
        Extent::Below | Extent::Ending(_) => file.op != ringfence_core::access::FileOp::Read,
        Extent::Tree | Extent::Unknown => true,
    };
    match policy.floats(file.op, with_danger) {
        true => find_floating(access, file, with_danger, policy, host),
        false => None,
    }
}

/// Searches the tree.
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
    // Each entry has a flag for whether all files below it count. Otherwise only names with the
    // known suffix count.
    let mut open = vec![(file.path.real.clone(), false)];
    let mut seen = 0usize;
    while let Some((directory, all)) = open.pop() {
        for name in host.list(&directory).into_iter().flatten() {
            seen = seen.saturating_add(1);
            if seen > MAX_ENTRIES {
                let reason = format!("`{}` is too large to search", file.path.asked);
                return Some(Doubt { kind: DoubtKind::Place, ..Doubt::asked(reason) });
            }
            let Ok(path) = directory.child(&name) else { continue };
            let meant = all || end.may_be(&name);
            if meant && let Some(ground) = objection(access, file, &path, policy, with_danger) {
                let doubt = Doubt::asked(format!("it includes `{path}`: {ground}"));
                return Some(Doubt { kind: DoubtKind::Place, ..doubt });
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
