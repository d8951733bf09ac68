//! Lines that move their own ground: directories that are renamed, and links that arrive in a tree.
//!
//! What a path leads to is looked up before the line runs. Behind a command that renames the directory
//! in which the shell stands, a relative path leads elsewhere. Behind one that brings files into a
//! tree, a name that was not there before may be a link.

use ringfence_core::AccessKind;
use ringfence_core::access::FileOp;
use ringfence_core::host::FileEntry;
use ringfence_core::path::{AbsPath, EntryKind, FilePath, Follow};
use ringfence_core::program::{FileUse, Habit, WordRole};

use super::Walker;
use crate::argv::Reading;
use crate::span::Span;

/// How many entries of a tree that is moved are looked at.
const MAX_ENTRIES: usize = 2_000;

/// What the line has done to the ground on which it stands.
#[derive(Debug, Clone, Default)]
pub(super) struct Ground {
    /// Directories in which a shell of the line stood when they were renamed.
    lost: Vec<AbsPath>,
    /// Trees into which links may have come.
    brought: Vec<AbsPath>,
}

impl Walker<'_> {
    /// Notes that a path is renamed: a shell that stands below it is elsewhere from now on.
    #[cold]
    pub(super) fn renamed(&mut self, path: &AbsPath) {
        let stood = self.been.iter().chain([&self.start, &self.state.cwd]);
        let below = stood.flat_map(|all| all.iter()).filter(|own| own.starts_with(path));
        let below: Vec<AbsPath> = below.cloned().collect();
        self.ground.lost.extend(below);
    }

    /// Asks about a relative path in a directory that the line has renamed.
    pub(super) fn doubt_ground(&mut self, text: &str, span: Span) {
        if self.ground.lost.is_empty() || text.starts_with('/') {
            return;
        }
        let Ground { lost, .. } = &self.ground;
        if self.state.cwd.iter().any(|cwd| lost.contains(cwd)) {
            let reason = format!("can't tell where `{text}` lies: the line moves the directory");
            self.ask(&reason, span);
        }
    }

    /// Notes the trees into which a command may put links.
    #[cold]
    pub(super) fn brings_links(&mut self, reading: &Reading<'_>, from: usize) {
        let may_bring = |habit: &Habit| match habit {
            Habit::Brings { options, unless } => {
                (options.is_empty() || options.iter().any(|name| reading.has(name)))
                    && !unless.iter().any(|name| reading.has(name))
            }
            _ => false,
        };
        let habits = reading.entries.iter().flat_map(|entry| &entry.habits);
        if !habits.into_iter().any(may_bring) || makes_branch_only(reading) {
            return;
        }
        // What is pulled from where the project comes from is the project's.
        let inner = reading.entry().map(|entry| &*entry.name);
        if inner == Some("git pull") && reading.operands == 0 {
            return;
        }
        let since = self.effects.accesses.get(from..).unwrap_or_default();
        let written = since.iter().filter_map(|access| match &access.what {
            AccessKind::File(file) if file.op == FileOp::Write => Some(file.path.real.clone()),
            _ => None,
        });
        let written: Vec<AbsPath> = written.collect();
        let here: Vec<AbsPath> = self.state.cwd.iter().map(|cwd| self.top_of(cwd)).collect();
        self.ground.brought.extend(written);
        self.ground.brought.extend(here);
    }

    /// The top of the repository around a directory, or the directory.
    fn top_of(&self, cwd: &AbsPath) -> AbsPath {
        let host = self.world.host();
        let mut directory = Some(cwd.clone());
        while let Some(here) = directory {
            if here.join(".git").is_ok_and(|git| host.entry(&git) != FileEntry::Missing) {
                return here;
            }
            directory = here.parent();
        }
        // The line began in the project, whatever lies around it.
        let began = self.start.first().filter(|start| cwd.starts_with(start));
        began.unwrap_or(cwd).clone()
    }

    /// Notes that trees with links in them have another place: a link leads elsewhere from there.
    #[cold]
    pub(super) fn moves_links(&mut self, reading: &Reading<'_>) {
        let moves = |role: &WordRole| {
            matches!(role, WordRole::File(FileUse::Move | FileUse::ReadTree | FileUse::Read))
        };
        let sources = reading.uses.iter().filter(|own| own.role.is_some_and(moves));
        let sources: Vec<_> = sources.flat_map(|own| own.fields.iter().cloned()).collect();
        let mut any = false;
        for name in sources.iter().filter_map(|field| field.as_known()) {
            for path in self.resolve(name, Follow::Parent, Span::default()) {
                any |= match path.kind {
                    Some(EntryKind::Dir) => self.makes_links() || self.has_links(&path.real),
                    None => self.makes_links() || self.is_brought(&path.real),
                    Some(_) => false,
                };
            }
        }
        if !any {
            return;
        }
        let is_target =
            |role: &WordRole| matches!(role, WordRole::File(FileUse::Write | FileUse::WriteTree));
        let targets = reading.uses.iter().filter(|own| own.role.is_some_and(is_target));
        let targets: Vec<_> = targets.flat_map(|own| own.fields.iter().cloned()).collect();
        for name in targets.iter().filter_map(|field| field.as_known()) {
            let paths = self.resolve(name, Follow::Final, Span::default());
            self.ground.brought.extend(paths.into_iter().map(|path| path.real));
        }
    }

    /// Whether a tree has links, or too much to say.
    fn has_links(&self, top: &AbsPath) -> bool {
        let host = self.world.host();
        let (mut left, mut entries) = (vec![top.clone()], 0_usize);
        while let Some(directory) = left.pop() {
            for name in host.list(&directory).unwrap_or_default() {
                entries = entries.saturating_add(1);
                let Ok(child) = directory.child(&name) else { return true };
                match host.entry(&child) {
                    _ if entries > MAX_ENTRIES => return true,
                    FileEntry::Link(_) => return true,
                    FileEntry::Dir => left.push(child),
                    _ => {}
                }
            }
        }
        false
    }

    fn is_brought(&self, path: &AbsPath) -> bool {
        self.ground.brought.iter().any(|tree| path != tree && path.starts_with(tree))
    }

    /// Asks about a name that was not there before the line, in a tree into which links have come.
    pub(super) fn doubt_brought(&mut self, usage: FileUse, paths: &[FilePath], span: Span) {
        if !self.ground.brought.is_empty() {
            self.doubt_each_brought(usage, paths, span);
        }
    }

    #[cold]
    fn doubt_each_brought(&mut self, usage: FileUse, paths: &[FilePath], span: Span) {
        let host = self.world.host();
        let itself = matches!(usage, FileUse::Delete | FileUse::DeleteTree | FileUse::Move);
        let may_be_link = |path: &FilePath| {
            let parent = || path.real.parent();
            let missing = match itself {
                true => parent().is_some_and(|own| host.entry(&own) == FileEntry::Missing),
                false => path.kind.is_none(),
            };
            let in_question =
                if itself { parent().is_some_and(|own| self.is_brought(&own)) } else { true };
            missing && in_question && self.is_brought(&path.real)
        };
        let Some(path) = paths.iter().find(|path| may_be_link(path)) else { return };
        let name = self.scope.command.as_ref().map(|own| own.program.invoked.to_string());
        // It makes no directory where a link is, and follows none.
        if name.as_deref() == Some("mkdir") {
            return;
        }
        // Where the shell stands its names are listed, and nothing is opened.
        let listed = name.as_deref() == Some("ls") && self.state.cwd.contains(&path.real);
        let op = match usage {
            FileUse::Write | FileUse::WriteTree | FileUse::Edit => FileOp::Write,
            FileUse::Delete | FileUse::DeleteTree | FileUse::Move => FileOp::Delete,
            _ => FileOp::Read,
        };
        if listed || self.world.grants_everywhere(op, &self.scope) {
            return;
        }
        let reason = format!("`{}` may be a link that the line has brought", path.asked);
        self.ask(&reason, span);
    }
}

/// Whether git only gives a new branch a name: `git checkout -b x`.
fn makes_branch_only(reading: &Reading<'_>) -> bool {
    const NEW: [&str; 6] = ["-b", "-B", "-c", "-C", "--create", "--orphan"];
    let inner = reading.entry().map(|entry| &*entry.name);
    matches!(inner, Some("git checkout" | "git switch"))
        && reading.operands == 0
        && NEW.iter().any(|name| reading.has(name))
}
