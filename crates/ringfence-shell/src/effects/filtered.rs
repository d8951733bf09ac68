//! Files that a filter has made anew: `jq FILTER FILE > TEMP && mv TEMP FILE`.
//!
//! What the file said before is the project's. Where the filter sets nothing but what a project is
//! called and described by, nothing in it runs that did not run before.

use ringfence_core::Access;
use ringfence_core::AccessKind;
use ringfence_core::access::{FileOp, base_name};
use ringfence_core::path::{AbsPath, Follow};

use super::Walker;
use crate::span::Span;

/// What a filter has written.
#[derive(Debug, Clone)]
pub(super) struct Filtered {
    /// The file that was written.
    temporary: AbsPath,
    /// The file that was read for it.
    of: AbsPath,
}

impl Walker<'_> {
    /// Keeps what `jq` makes of a file, with these words and what was opened for it since a point.
    #[cold]
    pub(super) fn keep_filtered(&mut self, words: &[&str], from: usize) {
        let Some((filter, file)) = filter_and_file(words) else { return };
        if !describes(filter) || base_name(file) != "package.json" {
            return;
        }
        let read = self.resolve(file, Follow::Final, Span::default());
        let [read] = read.as_slice() else { return };
        let of = read.real.clone();
        let since = self.effects.accesses.get(from..).unwrap_or_default();
        let written = since.iter().filter_map(|access| match &access.what {
            AccessKind::File(file) if file.op == FileOp::Write => Some(file.path.real.clone()),
            _ => None,
        });
        let written: Vec<Filtered> =
            written.map(|temporary| Filtered { temporary, of: of.clone() }).collect();
        self.filtered.extend(written);
    }

    /// Whether a write puts back into a file what a filter has made of it, and nothing else has
    /// written there meanwhile.
    pub(super) fn puts_back(&self, access: &Access, real: &AbsPath) -> bool {
        let Some(exec) = access.scope.command.as_ref() else { return false };
        let words = exec.args.iter().map(|arg| arg.known());
        let Some(words) = words.collect::<Option<Vec<&str>>>() else { return false };
        let operands: Vec<&str> = words.into_iter().filter(|word| !word.starts_with('-')).collect();
        let ([source, _], "mv") = (operands.as_slice(), base_name(&exec.program.invoked)) else {
            return false;
        };
        let source = exec.cwd.join(source);
        self.filtered.iter().any(|own| {
            own.of == *real
                && source.as_ref().is_ok_and(|source| *source == own.temporary)
                && self.writes_to(&own.temporary, 0).count() == 1
        })
    }
}

/// The filter and the one file among the words of `jq`.
fn filter_and_file<'w>(words: &[&'w str]) -> Option<(&'w str, &'w str)> {
    let mut operands = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--arg" => {
                words.next()?;
                words.next()?;
            }
            "--indent" => {
                words.next()?;
            }
            "-S" | "-M" | "--tab" | "--sort-keys" | "--monochrome-output" => {}
            word if word.starts_with('-') => return None,
            word => operands.push(word),
        }
    }
    match operands.as_slice() {
        [filter, file] => Some((filter, file)),
        _ => None,
    }
}

/// Whether a filter of jq only sets fields of a `package.json` that describe it.
fn describes(filter: &str) -> bool {
    const FIELDS: [&str; 12] = [
        "name",
        "version",
        "description",
        "private",
        "license",
        "author",
        "homepage",
        "keywords",
        "repository",
        "bugs",
        "type",
        "engines",
    ];
    let is_name = |text: &str| {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let is_value = |text: &str| match text.strip_prefix('"').and_then(|own| own.strip_suffix('"')) {
        Some(inside) => !inside.contains(['"', '\\']),
        None => is_name(text.strip_prefix('$').unwrap_or(text)),
    };
    let sets = |step: &str| {
        let Some((path, value)) = step.split_once('=') else { return false };
        let mut names = path.trim().trim_end_matches('|').trim().split('.');
        names.next() == Some("")
            && names.next().is_some_and(|first| FIELDS.contains(&first))
            && names.all(is_name)
            && is_value(value.trim())
    };
    filter.split('|').all(sets)
}

#[cfg(test)]
#[path = "filtered_tests.rs"]
mod tests;
