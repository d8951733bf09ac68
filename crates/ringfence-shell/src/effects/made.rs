//! Programs and scripts that the line itself has made: of a text that stands on the line, or of the
//! project's sources.

use ringfence_core::access::{Extent, FileOp, base_name};
use ringfence_core::host::FileEntry;
use ringfence_core::path::AbsPath;
use ringfence_core::program::Habit;
use ringfence_core::{Access, AccessKind};

use super::Walker;
use super::code_text::{Put, possible_texts};
use crate::span::Span;

/// What the line has made of a file by now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Made {
    /// The file as it was before the line.
    Before,
    /// A file that has one of these texts.
    Text(Vec<String>),
    /// The result of a compiler.
    Built,
    /// A file whose content cannot be told.
    Unknown,
}

impl Walker<'_> {
    /// Returns what the line has made of a file before the command that is looked at.
    #[cold]
    pub(super) fn made(&mut self, real: &AbsPath) -> Made {
        if !self.has_written(0) {
            return Made::Before;
        }
        if !self.spend(self.effects.accesses.len()) {
            return Made::Unknown;
        }
        let writes = self.writes_to(real, 0).count();
        if self.may_be_below_written(real) {
            return Made::Unknown;
        }
        if writes == 0 {
            return Made::Before;
        }
        if self.writes_to(real, 0).all(|access| self.is_built(access)) {
            return Made::Built;
        }
        let put: Vec<Put> = self.put.iter().filter(|own| own.real == *real).cloned().collect();
        if writes > put.len() || put.iter().any(|own| !own.exact) || self.makes_links() {
            return Made::Unknown;
        }
        let Some(mut texts) = possible_texts(&put) else { return Made::Unknown };
        if put.first().is_some_and(|own| own.append) {
            let before = match self.world.host().entry(real) {
                FileEntry::Missing => String::new(),
                _ => match self.read_script(real) {
                    Ok(text) => text,
                    Err(_) => return Made::Unknown,
                },
            };
            texts.iter_mut().for_each(|text| text.insert_str(0, &before));
        }
        Made::Text(texts)
    }

    /// Whether a write of the line takes in a whole directory in which the file lies.
    fn may_be_below_written(&self, real: &AbsPath) -> bool {
        self.effects.accesses.iter().any(|access| match &access.what {
            AccessKind::File(file) => {
                file.op == FileOp::Write
                    && !matches!(file.extent, Extent::One | Extent::Unknown)
                    && real.starts_with(&file.path.real)
                    && !self.keeps_content(access)
            }
            _ => false,
        })
    }

    /// Whether the line makes links: a file may then be written under another name.
    pub(super) fn makes_links(&self) -> bool {
        self.effects.accesses.iter().any(|access| match &access.what {
            AccessKind::Exec(exec) => matches!(base_name(&exec.program.invoked), "ln" | "link"),
            _ => false,
        })
    }

    /// Whether a write is the result of a compiler.
    pub(super) fn is_built(&self, access: &Access) -> bool {
        self.has_habit(access, &Habit::Builds)
    }

    /// Judges the sources that the line has written, of which it then runs what is built.
    #[cold]
    pub(super) fn sources(&mut self, span: Span) {
        let mut sources: Vec<AbsPath> = Vec::new();
        for access in &self.effects.accesses {
            if let AccessKind::File(file) = &access.what
                && file.op == FileOp::Write
                && is_source(file.path.real.file_name())
                && !sources.contains(&file.path.real)
            {
                sources.push(file.path.real.clone());
            }
        }
        for real in sources {
            self.code_put("source", real.file_name(), &real, span);
        }
    }
}

/// Whether a compiler takes a file of this name for a source.
pub(super) fn is_source(name: &str) -> bool {
    const ENDS: [&str; 30] = [
        "c", "h", "cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "m", "mm", "s", "S", "rs", "go",
        "hs", "swift", "zig", "kt", "kts", "java", "scala", "nim", "d", "ml", "mli", "f90", "f",
        "cs", "inc",
    ];
    name.rsplit_once('.').is_some_and(|(_, end)| ENDS.contains(&end))
}
