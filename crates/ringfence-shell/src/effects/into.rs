//! Files that are put into a directory: `cp a b DIR` writes `DIR/a` and `DIR/b`.

use ringfence_core::path::{EntryKind, Follow};
use ringfence_core::program::{FileUse, Role};

use super::Walker;
use crate::argv::{Reading, Use};
use crate::field::{Field, FieldText};

impl Walker<'_> {
    /// Adds what is written below the target where that is a directory.
    pub(super) fn put_into_directory(&mut self, reading: &Reading) {
        let target = reading.uses.iter().rev().find(|own| is_target(own));
        let Some(target) = target.and_then(|own| own.fields.first()) else { return };
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
        let sources =
            reading.uses.iter().filter(|own| is_source(own) || is_pattern && is_target(own));
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
