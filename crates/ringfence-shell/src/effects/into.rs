//! Files that are put into a directory: `cp a b DIR` writes `DIR/a` and `DIR/b`.

use ringfence_core::path::{EntryKind, Follow};
use ringfence_core::program::{FileUse, WordRole};

use super::Walker;
use crate::argv::{Reading, Use};
use crate::field::{Dynamic, Field, FieldText, Part};
use crate::span::Span;

impl Walker<'_> {
    /// Adds what is written below the target where that is a directory.
    pub(super) fn put_into_directory(&mut self, reading: &Reading<'_>) {
        // `ln FILE` makes the link where the line stands.
        let is_known = |own: &Use<'_>| own.fields.iter().all(|field| field.as_known().is_some());
        let alone = reading.operands == 1
            && reading.entry().is_some_and(|entry| &*entry.name == "ln")
            && reading.uses.iter().all(is_known)
            && !reading.has("-t");
        if !alone && !reading.sorts.written {
            return;
        }
        let named = reading.uses.iter().rev().find(|own| is_target(own));
        let here = alone.then(|| Field::known(".", Span::default()));
        let target = here.as_ref().or_else(|| named.and_then(|own| own.fields.first()));
        let Some(target) = target else { return };
        if !alone && target.as_known().is_some() && puts_nothing(reading) {
            return;
        }
        if alone {
            let named = reading.uses.iter().filter(|own| own.option.is_none());
            for field in named.flat_map(|own| own.fields.iter()) {
                self.file(FileUse::Link, field);
            }
        }
        let names = self.names(target);
        let whole = self.takes_directories(reading);
        for name in &names {
            self.back_up(reading, name, target.span);
            if reading.has("-T") || reading.has("-n") {
                // A link is replaced, not what it leads to.
                self.file_itself(name, target.span);
            }
            if whole {
                self.file_named(FileUse::WriteTree, name, target.span);
            }
        }
        let mut directories = names;
        directories.retain(|text| {
            let paths = self.resolve(text, Follow::Final, target.span);
            paths.iter().any(|path| path.kind == Some(EntryKind::Dir))
        });
        if directories.is_empty() {
            return;
        }
        // The last of the names that a pattern becomes may be the target of the others.
        let is_pattern = matches!(target.text, FieldText::Glob(_));
        let any = alone || is_pattern;
        let sources = reading.uses.iter().filter(|own| is_source(own) || any && is_target(own));
        for source in sources.flat_map(|own| own.fields.iter()) {
            for name in self.names(source) {
                let Some(last) = name.trim_end_matches('/').rsplit('/').next() else { continue };
                for directory in &directories {
                    let text = format!("{}/{last}", directory.trim_end_matches('/'));
                    self.file_named(FileUse::Write, &text, source.span);
                    self.link_in_place(&text, source.span);
                    self.back_up(reading, &text, source.span);
                    if whole {
                        self.file_named(FileUse::WriteTree, &text, source.span);
                    }
                }
            }
        }
    }

    /// A link that has the name already: `ln -f` and `mv` replace it, whatever it leads to.
    fn link_in_place(&mut self, text: &str, span: Span) {
        let paths = self.resolve(text, Follow::Parent, span);
        if paths.iter().any(|path| path.kind == Some(EntryKind::Link)) {
            self.file_itself(text, span);
        }
    }

    /// `cp *`: all names but the last are what is put there.
    pub(super) fn pattern_at_end(&mut self, reading: &Reading<'_>) {
        let whole = || ["-a", "-r", "-R"].iter().any(|name| reading.has(name));
        let usage = match reading.entry().map(|entry| &*entry.name) {
            Some("cp") if whole() => FileUse::ReadTree,
            Some("cp" | "install") => FileUse::Read,
            Some("mv") => FileUse::Move,
            Some("ln") => FileUse::Link,
            _ => return,
        };
        let last = reading.uses.iter().rev().find(|own| own.option.is_none());
        for field in last.iter().flat_map(|own| own.fields.iter()) {
            if matches!(field.text, FieldText::Glob(_)) {
                self.file(usage, field);
            }
        }
    }

    /// Whether a directory is moved, with all that is in it.
    fn takes_directories(&mut self, reading: &Reading<'_>) -> bool {
        let moved =
            reading.uses.iter().filter(|own| own.role == Some(&WordRole::File(FileUse::Move)));
        let mut any = false;
        for field in moved.flat_map(|own| own.fields.iter()) {
            for name in self.names(field) {
                let paths = self.resolve(&name, Follow::Parent, field.span);
                any |= paths.iter().any(|path| path.kind == Some(EntryKind::Dir));
            }
        }
        any
    }

    /// A link that is moved or copied as one leads under its new name where it led before.
    pub(super) fn moved_links(&mut self, reading: &Reading<'_>) {
        let keeps_links = match reading.entry().map(|entry| &*entry.name) {
            Some("mv") => true,
            Some("cp") => ["-a", "-P", "-d", "-r", "-R"].iter().any(|name| reading.has(name)),
            _ => return,
        };
        let is_tree = |own: &Use<'_>| own.role == Some(&WordRole::File(FileUse::ReadTree));
        let is_kept = |own: &&Use<'_>| keeps_links && (is_source(own) || is_tree(own));
        self.moves_links(reading);
        let sources = reading.uses.iter().filter(is_kept);
        for field in sources.flat_map(|own| own.fields.iter()) {
            for name in self.names(field) {
                let paths = self.resolve(&name, Follow::Parent, field.span);
                if paths.iter().any(|path| path.kind == Some(EntryKind::Link)) {
                    self.file_named(FileUse::Link, &name, field.span);
                }
            }
        }
    }

    /// `cp -b` and the like keep what was there under another name.
    fn back_up(&mut self, reading: &Reading<'_>, name: &str, span: Span) {
        let kept = ["-b", "--backup", "-S"].iter().any(|name| reading.has(name));
        if !kept || !reading.entry().is_some_and(|entry| keeps_backups(&entry.name)) {
            return;
        }
        let value = |names: [&str; 2]| {
            let is_it = |own: &&Use<'_>| own.option.is_some_and(|own| names.contains(&own));
            reading.uses.iter().find(is_it).and_then(|own| own.fields.first())
        };
        let suffix = value(["-S", "--suffix"]).map_or(Some("~"), Field::as_known);
        let control = value(["--backup", "-b"]).map_or(Some("simple"), Field::as_known);
        match (suffix, control) {
            (Some(suffix), Some("simple" | "never" | "existing" | "nil" | "")) => {
                let backup = format!("{}{suffix}", name.trim_end_matches('/'));
                self.file_itself(&backup, span);
            }
            (_, Some("none" | "off")) => {}
            _ => self.ask("can't tell under which name a file is kept", span),
        }
    }

    /// `split` writes many files whose names begin alike.
    pub(super) fn split_into(&mut self, base: &str, reading: &Reading<'_>) {
        let is_prefix = |own: &&Use<'_>| is_target(own);
        let prefix = match reading.uses.iter().find(is_prefix).and_then(|own| own.fields.first()) {
            Some(field) => field.clone(),
            None => Field::known(if base == "csplit" { "xx" } else { "x" }, Span::default()),
        };
        let text = match prefix.prefix() {
            text if text.contains('/') => text.to_owned(),
            text => format!("./{text}"),
        };
        let dynamic = Dynamic {
            prefix: text,
            part: Part::Below,
            shown: prefix.shown().to_owned(),
            ..Dynamic::default()
        };
        let parts = Field { text: FieldText::Unknown(Box::new(dynamic)), span: prefix.span };
        self.file(FileUse::Write, &parts);
    }

    /// `sed -iSUFFIX` keeps each file under another name: the suffix stands behind the name, or the
    /// name in place of its stars, and with a slash it leads elsewhere.
    pub(super) fn keep_backups(&mut self, reading: &Reading<'_>) {
        let in_place = |own: &&Use<'_>| matches!(own.option, Some("-i" | "--in-place"));
        let suffix = reading.uses.iter().find(in_place).and_then(|own| own.fields.first());
        let Some(suffix) = suffix else { return };
        let Some(text) = suffix.as_known().map(str::to_owned) else {
            return self.ask("can't tell which file is written", suffix.span);
        };
        let is_edited = |own: &&Use<'_>| own.role == Some(&WordRole::File(FileUse::Edit));
        for field in reading.uses.iter().filter(is_edited).flat_map(|own| own.fields.iter()) {
            for name in self.names(field) {
                let (directory, base) = name.rsplit_once('/').unwrap_or((".", &name));
                let backup = match text.contains('*') {
                    true => text.replace('*', base),
                    false => format!("{base}{text}"),
                };
                let path = match backup.contains('/') {
                    true => backup,
                    false => format!("{directory}/{backup}"),
                };
                self.file_named(FileUse::Write, &path, field.span);
            }
        }
    }

    /// What a word may be.
    fn names(&mut self, field: &Field) -> Vec<String> {
        match &field.text {
            FieldText::Known(text) => vec![text.to_string()],
            FieldText::Glob(pattern) => self.glob(pattern, field.span),
            FieldText::Unknown(_) if field.as_printed().is_some() => {
                field.as_printed().into_iter().collect()
            }
            FieldText::Unknown(_) => {
                self.unknown_operand("can't tell which file is put there", field.span);
                Vec::new()
            }
        }
    }
}

/// Whether a command has nothing to put anywhere: it writes the files that it names, and no others.
fn puts_nothing(reading: &Reading<'_>) -> bool {
    !reading.entry().is_some_and(|entry| keeps_backups(&entry.name))
        && !reading.uses.iter().any(is_source)
}

fn keeps_backups(program: &str) -> bool {
    matches!(program, "cp" | "mv" | "ln" | "install")
}

fn is_target(own: &Use<'_>) -> bool {
    matches!(own.role, Some(WordRole::File(FileUse::Write)))
}

fn is_source(own: &Use<'_>) -> bool {
    let put = |usage: FileUse| matches!(usage, FileUse::Read | FileUse::Move | FileUse::Link);
    own.option.is_none() && matches!(own.role, Some(WordRole::File(usage)) if put(*usage))
}
