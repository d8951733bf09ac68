//! Files: from a word to the accesses that it stands for.

use ringfence_core::AccessKind;
use ringfence_core::access::{Cover, Extent, FileAccess, FileOp};
use ringfence_core::host::FileEntry;
use ringfence_core::path::{AbsPath, EntryKind, FilePath, Follow, NameEnd, resolve_literal};
use ringfence_core::program::FileUse;
use ringfence_core::text::{has_byte, split_at_byte};
use smallvec::SmallVec;

use super::Walker;
use crate::field::{Dynamic, Field, FieldText, Part};
use crate::span::Span;

/// How far an operation reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    One,
    /// All below it, where it is a directory.
    Tree,
    Search,
    Names,
    /// All below it, not itself.
    Below,
    /// What a formatter knows below it.
    Sources,
}

/// The paths that a text means: nearly always one, which needs no memory of its own.
pub(super) type Paths = SmallVec<[FilePath; 1]>;

impl Walker<'_> {
    /// Adds what is done with the file that a word names.
    pub(super) fn file(&mut self, usage: FileUse, field: &Field) {
        self.file_as(usage, field, true);
    }

    /// The same; `sure` says that the word is a file whatever its text is.
    fn file_as(&mut self, usage: FileUse, field: &Field, sure: bool) {
        match &field.text {
            FieldText::Known(text) => self.file_named(usage, text, field.span),
            FieldText::Glob(pattern) => {
                for name in self.glob(pattern, field.span) {
                    self.file_named(usage, &name, field.span);
                }
            }
            FieldText::Unknown(dynamic) => {
                if let Some(name) = field.as_name() {
                    self.file_named(usage, &name, field.span);
                    return self.unknown_operand("can't tell which file it is", field.span);
                }
                if let Some(name) = field.as_printed() {
                    return self.file_printed(usage, &name, dynamic, field.span);
                }
                self.file_below(usage, dynamic, field);
                self.file_left(usage, dynamic, field.span);
                if sure && dynamic.may_climb() {
                    self.unknown_place(usage, dynamic, field.span);
                }
                if dynamic.prefix.contains('/') && dynamic.suffix.contains('/') {
                    // What stands between is one name to the rules: `/proc/$$/environ`.
                    let text = format!("{}…{}", dynamic.prefix, dynamic.suffix);
                    self.file_named(usage, &text, field.span);
                }
            }
        }
    }

    /// The file that is named where all that is not known of a word turns out to be nothing. Where
    /// that is not likely, it meets only what objects.
    pub(super) fn file_left(&mut self, usage: FileUse, dynamic: &Dynamic, span: Span) {
        // Of a name that is not known to its end the directory is looked at anyway.
        if dynamic.bare == dynamic.prefix {
            return;
        }
        if dynamic.vanishes {
            return self.file_named(usage, &dynamic.bare, span);
        }
        if dynamic.bare.starts_with('/') && dynamic.prefix.is_empty() {
            let cover = std::mem::replace(&mut self.scope.cover, Cover::NoGrant);
            self.file_named(usage, &dynamic.bare, span);
            self.scope.cover = cover;
        }
    }

    /// A file whose path a command prints. Where it fails, what is left is another file: a command's
    /// operand meets what objects to that; what the line itself opens needs leave for it, unless
    /// there is nothing in the root directory through which it could lead.
    #[cold]
    fn file_printed(&mut self, usage: FileUse, name: &str, dynamic: &Dynamic, span: Span) {
        self.file_named(usage, name, span);
        let mut components = dynamic.bare.split('/').filter(|own| !own.is_empty());
        let top = components.next().and_then(|first| AbsPath::root().child(first).ok());
        let is_there = |top: AbsPath| self.world.host().entry(&top) != FileEntry::Missing;
        let leads = !dynamic.bare.starts_with('/')
            || components.any(|own| own == "..")
            || top.is_none_or(is_there);
        if self.scope.cover == Cover::OwnGrant && leads {
            return self.file_named(usage, &dynamic.bare, span);
        }
        // What is put into a directory there has a name of its own: `cp a "$(mktemp -d)/"`.
        let is_root = usage == FileUse::Write && dynamic.bare.bytes().all(|byte| byte == b'/');
        let left = if is_root && !dynamic.bare.is_empty() { "/…" } else { &dynamic.bare };
        let cover = std::mem::replace(&mut self.scope.cover, Cover::NoGrant);
        self.file_named(usage, left, span);
        self.scope.cover = cover;
    }

    /// A file of which the name is known.
    pub(super) fn file_named(&mut self, usage: FileUse, text: &str, span: Span) {
        if text.is_empty() || text == "-" {
            return;
        }
        if self.state.cwd.is_empty() && !text.starts_with('/') {
            let reason = format!("can't tell in which directory `{text}` lies");
            return self.ask(&reason, span);
        }
        // Names that are handed to another command are as good as what they name.
        let usage = match usage {
            FileUse::List if self.handed_on => FileUse::Search,
            usage => usage,
        };
        let (follow, operations) = operations(usage);
        let paths = self.resolve(text, follow, span);
        self.doubt_ground(text, span);
        self.doubt_brought(usage, &paths, span);
        if usage == FileUse::Move {
            paths.iter().for_each(|path| self.renamed(&path.real));
        }
        let extent = |walker: &Self, (op, reach): (FileOp, Reach), path: &FilePath| {
            let here = walker.state.cwd.contains(&path.real) || text.ends_with('/');
            extent(op, reach, path.kind.or(here.then_some(EntryKind::Dir)), walker.ends)
        };
        let Some((last, others)) = operations.split_last() else { return };
        for each in others {
            for path in &paths {
                self.file_at(each.0, extent(self, *each, path), path.clone(), span);
            }
        }
        for path in paths {
            self.file_at(last.0, extent(self, *last, &path), path, span);
        }
    }

    /// Writes a name itself, whatever it may lead to.
    pub(super) fn file_itself(&mut self, text: &str, span: Span) {
        for path in self.resolve(text, Follow::Parent, span) {
            self.file_at(FileOp::Write, Extent::One, path, span);
        }
    }

    /// A file of which only the beginning of its name is known: something below a directory.
    fn file_below(&mut self, usage: FileUse, dynamic: &Dynamic, field: &Field) {
        let here = matches!(dynamic.part, Part::Below | Part::Name);
        let directory = dynamic.prefix.rsplit_once('/').map(|(directory, _)| directory);
        let Some(directory) = directory.or(here.then_some(".")) else {
            if self.world.is_scoped_by_path() {
                self.ask(
                    "can't tell which path it is, in a tool that is scoped by paths",
                    field.span,
                );
            }
            return self.unknown_operand("can't tell which file it is", field.span);
        };
        let directory = if directory.is_empty() { "/" } else { directory };
        if self.state.cwd.is_empty() && !directory.starts_with('/') {
            return self.ask("can't tell in which directory a file lies", field.span);
        }
        for (op, _) in operations(usage).1 {
            for path in self.resolve(directory, Follow::Final, field.span) {
                self.file_at(*op, below(dynamic.ends), path, field.span);
            }
        }
        self.unknown_operand("can't tell which file it is", field.span);
    }

    fn file_at(&mut self, op: FileOp, extent: Extent, path: FilePath, span: Span) {
        if !path.is_free_device() {
            self.add(AccessKind::File(FileAccess { op, extent, path }), span);
        }
    }

    /// The paths that a text means in each directory in which the shell may be.
    pub(super) fn resolve(&mut self, text: &str, follow: Follow, span: Span) -> Paths {
        let host = self.world.host();
        let mut paths = Paths::new();
        let mut bad = None;
        let root;
        let directories = match (text.starts_with('/'), &*self.state.cwd) {
            (true, []) => {
                root = [AbsPath::root()];
                &root
            }
            (true, [first, ..]) => std::slice::from_ref(first),
            (false, all) => all,
        };
        for cwd in directories {
            match resolve_literal(host, text, cwd, follow) {
                Ok(path) if !paths.contains(&path) => paths.push(path),
                Ok(_) => {}
                Err(error) => bad = Some(error.to_string()),
            }
        }
        if let Some(reason) = bad {
            self.deny(&reason, span);
        }
        paths
    }

    /// A word of which nothing is known: what looks like a path is read, a URL is dialled.
    pub(super) fn loose_operand(&mut self, field: &Field) {
        let Some(text) = field.as_known() else {
            return self.file_as(FileUse::Read, field, false);
        };
        if ringfence_core::net::is_url(text) {
            return self.url(field);
        }
        self.loose_text(text, field.span);
        if let Some((_, value)) = split_at_byte(text, b'=') {
            self.loose_text(value, field.span);
        }
    }

    fn loose_text(&mut self, text: &str, span: Span) {
        if text.is_empty() || text == "-" || text.len() > 4096 {
            return;
        }
        if ringfence_core::net::is_url(text) {
            return self.url(&Field::known(text, span));
        }
        let looks = has_byte(text, b'/') || text.starts_with('.');
        let host = self.world.host();
        let exists = || {
            let there = |cwd: &AbsPath| {
                resolve_literal(host, text, cwd, Follow::Final)
                    .is_ok_and(|path| path.kind.is_some())
            };
            self.state.cwd.iter().any(there)
        };
        if looks || exists() {
            self.file_named(FileUse::Read, text, span);
        }
    }

    /// A path of which only the name matters, unless the tool is scoped by paths.
    pub(super) fn name_of_file(&mut self, field: &Field) {
        if self.world.is_scoped_by_path() {
            let text = field.prefix();
            let looks = has_byte(text, b'/') || text.starts_with('.');
            if looks && !ringfence_core::net::is_url(text) {
                self.file(FileUse::Read, field);
            }
        }
    }
}

/// What is done with a file, in the words of the judge, and whether a link at its end is followed.
pub(super) fn operations(usage: FileUse) -> (Follow, &'static [(FileOp, Reach)]) {
    use FileOp::{Delete, Read, Write};
    use Follow::{Final, Parent};
    match usage {
        FileUse::Read => (Final, &[(Read, Reach::One)]),
        FileUse::Write => (Final, &[(Write, Reach::One)]),
        FileUse::Delete => (Parent, &[(Delete, Reach::One)]),
        FileUse::Edit | FileUse::Link => (Final, &[(Read, Reach::One), (Write, Reach::One)]),
        FileUse::ReadTree => (Final, &[(Read, Reach::Tree)]),
        FileUse::WriteTree => (Final, &[(Write, Reach::Tree)]),
        FileUse::Format => (Final, &[(Read, Reach::Search), (Write, Reach::Sources)]),
        FileUse::DeleteTree => (Parent, &[(Delete, Reach::Tree)]),
        FileUse::DeleteBelow => (Final, &[(Delete, Reach::Below)]),
        FileUse::Search => (Final, &[(Read, Reach::Search)]),
        FileUse::List => (Final, &[(Read, Reach::Names)]),
        FileUse::Move => (Parent, &[(Read, Reach::Tree), (Delete, Reach::Tree)]),
    }
}

/// Something below a directory, of which no more is known than how its name ends.
fn below(ends: NameEnd) -> Extent {
    if ends.is_empty() { Extent::Below } else { Extent::Ending(ends) }
}

fn extent(op: FileOp, reach: Reach, kind: Option<EntryKind>, ends: NameEnd) -> Extent {
    match (reach, kind) {
        // What is written to a directory is written into it.
        (Reach::One, Some(EntryKind::Dir)) if op == FileOp::Write => Extent::Below,
        (Reach::One, _) => Extent::One,
        (Reach::Below, _) => below(ends),
        // What is written into a directory does not replace it.
        (Reach::Tree, Some(EntryKind::Dir)) if op == FileOp::Write => Extent::Below,
        (_, Some(EntryKind::File | EntryKind::Link | EntryKind::Other)) => Extent::One,
        (Reach::Tree, Some(EntryKind::Dir)) => Extent::Tree,
        (Reach::Search, Some(EntryKind::Dir)) => Extent::Search,
        (Reach::Sources, Some(EntryKind::Dir)) => Extent::Sources,
        (Reach::Names, Some(EntryKind::Dir)) => Extent::Names,
        (_, None) => Extent::Unknown,
    }
}
