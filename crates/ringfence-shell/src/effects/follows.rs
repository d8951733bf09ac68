//! Commands that go through a tree and follow the links in it, to wherever they lead.

use std::collections::HashSet;

use ringfence_core::access::{Extent, FileAccess};
use ringfence_core::host::FileEntry;
use ringfence_core::path::{AbsPath, EntryKind, FilePath, Follow, NameEnd, resolve_literal};
use ringfence_core::program::Habit;
use ringfence_core::{Access, AccessKind};

use super::Walker;
use super::walk::Stdin;
use crate::argv::Reading;

/// How many entries of a tree are looked at before a person is asked instead.
const MAX_ENTRIES: usize = 20_000;
/// How many links that lead out of a tree are told apart.
const MAX_LINKS: usize = 256;

/// Whether a program follows links below the directories that it is given.
pub(super) fn follows(reading: &Reading<'_>, stdin: &Stdin) -> bool {
    if let Stdin::Names(found) = stdin
        && found.iter().any(|found| found.follows)
    {
        return true;
    }
    let Some(entry) = reading.entries.first() else { return false };
    entry.habits.iter().any(|habit| match habit {
        Habit::Follows { options, unless } => {
            options.iter().any(|name| reading.has(name))
                && !unless.iter().any(|name| reading.has(name))
        }
        _ => false,
    })
}

impl Walker<'_> {
    /// What was done in trees since a point is done where their links lead as well.
    #[cold]
    pub(super) fn follow_links(&mut self, from: usize) {
        let since = self.effects.accesses.get(from..).unwrap_or_default().to_vec();
        let mut seen = HashSet::new();
        for access in since {
            let AccessKind::File(file) = &access.what else { continue };
            let in_tree = match file.extent {
                Extent::Tree | Extent::Search | Extent::Below | Extent::Ending(_) => true,
                Extent::One | Extent::Names | Extent::Sources | Extent::Unknown => false,
            };
            // Where the agent can put nothing it has put no links.
            if in_tree
                && seen.insert((file.op, file.extent, file.path.real.clone()))
                && !self.world.is_closed(&file.path.real)
            {
                self.follow_below(&access, file);
            }
        }
    }

    fn follow_below(&mut self, access: &Access, file: &FileAccess) {
        let host = self.world.host();
        let end = match file.extent {
            Extent::Ending(end) => end,
            _ => NameEnd::default(),
        };
        let (mut open, mut count) = (vec![file.path.real.clone()], 0_usize);
        let mut led: HashSet<AbsPath> = HashSet::new();
        while let Some(directory) = open.pop() {
            let names = host.list(&directory).unwrap_or_default();
            if !self.spend(names.len()) {
                return;
            }
            for name in names {
                count = count.saturating_add(1);
                if count > MAX_ENTRIES || led.len() > MAX_LINKS {
                    return self.too_many_links(access, file);
                }
                let Ok(path) = directory.child(&name) else { continue };
                match host.entry(&path) {
                    FileEntry::Dir => open.push(path),
                    FileEntry::Link(_) => {
                        let Some(target) = leads_out(self, &path, &directory, file) else {
                            continue;
                        };
                        let is_dir = target.kind == Some(EntryKind::Dir);
                        if !led.insert(target.real.clone()) || !is_dir && !end.may_be(&name) {
                            continue;
                        }
                        if is_dir {
                            open.push(target.real.clone());
                        }
                        let extent = if is_dir { file.extent } else { Extent::One };
                        let what =
                            AccessKind::File(FileAccess { op: file.op, extent, path: target });
                        self.effects.accesses.push(Access { what, ..access.clone() });
                    }
                    _ => {}
                }
            }
        }
    }

    fn too_many_links(&mut self, access: &Access, file: &FileAccess) {
        let span = access.span.map(|(start, end)| crate::span::Span { start, end });
        let reason = format!("`{}` is too large to look for links in it", file.path.asked);
        self.ask(&reason, span.unwrap_or_default());
    }
}

/// Where a link leads, if that is something outside of the tree.
fn leads_out(
    walker: &Walker<'_>,
    link: &AbsPath,
    directory: &AbsPath,
    tree: &FileAccess,
) -> Option<FilePath> {
    let target = resolve_literal(walker.world.host(), link.as_str(), directory, Follow::Final).ok();
    target.filter(|target| target.kind.is_some() && !target.real.starts_with(&tree.path.real))
}
