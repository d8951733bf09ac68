//! Files that are put into a directory: `cp a b DIR` writes `DIR/a` and `DIR/b`.

use ringfence_core::path::{EntryKind, Follow};
use ringfence_core::program::{FileUse, Role};

use super::Walker;
use crate::argv::{Reading, Use};
use crate::field::{Field, FieldText};
use crate::span::Span;

impl Walker<'_> {
    /// Adds what is written below the target where that is a directory.
    pub(super) fn put_into_directory(&mut self, reading: &Reading) {
        // `ln FILE` makes the link where the line stands.
        let is_known = |own: &Use| own.fields.iter().all(|field| field.as_known().is_some());
        let alone = reading.operands == 1
            && reading.uses.iter().all(is_known)
            && reading.entry().is_some_and(|entry| &*entry.name == "ln")
            && !reading.has("-t");
        let here = Field::known(".", Span::default());
        let named = reading.uses.iter().rev().find(|own| is_target(own));
        let target = if alone { Some(&here) } else { named.and_then(|own| own.fields.first()) };
        let Some(target) = target else { return };
        let mut directories = self.names(target);
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
        for source in sources.flat_map(|own| &own.fields) {
            for name in self.names(source) {
                let Some(last) = name.trim_end_matches('/').rsplit('/').next() else { continue };
                for directory in &directories {
                    let text = format!("{}/{last}", directory.trim_end_matches('/'));
                    self.file_named(FileUse::Write, &text, source.span);
                }
            }
        }
    }

    /// `sed -iSUFFIX` keeps each file under another name: the suffix stands behind the name, or the
    /// name in place of its stars, and with a slash it leads elsewhere.
    pub(super) fn keep_backups(&mut self, reading: &Reading) {
        let in_place = |own: &&Use| matches!(own.option.as_deref(), Some("-i" | "--in-place"));
        let suffix = reading.uses.iter().find(in_place).and_then(|own| own.fields.first());
        let Some(suffix) = suffix else { return };
        let Some(text) = suffix.as_known().map(str::to_owned) else {
            return self.ask("which file is written cannot be told", suffix.span);
        };
        let is_edited = |own: &&Use| own.role == Some(Role::File(FileUse::Edit));
        for field in reading.uses.iter().filter(is_edited).flat_map(|own| &own.fields) {
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
            FieldText::Unknown(_) => {
                self.unknown_operand("which file is put there cannot be told", field.span);
                Vec::new()
            }
        }
    }
}

fn is_target(own: &Use) -> bool {
    matches!(own.role, Some(Role::File(FileUse::Write)))
}

fn is_source(own: &Use) -> bool {
    let put = |usage: FileUse| matches!(usage, FileUse::Read | FileUse::Move | FileUse::Link);
    own.option.is_none() && matches!(own.role, Some(Role::File(usage)) if put(usage))
}
