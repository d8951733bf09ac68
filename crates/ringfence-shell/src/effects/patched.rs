//! What `patch` writes: the files that the patch names, if its text is known.
//!
//! `patch` chooses among the names of a header, so every name counts. What it could read otherwise
//! than it is read here is not read at all, and then the whole directory is written.

use std::collections::BTreeSet;

use ringfence_core::program::FileUse;

use super::Walker;
use super::walk::Stdin;
use crate::argv::Reading;
use crate::field::Field;
use crate::span::Span;

/// The longest patch that is read, in bytes.
const LONGEST: usize = 1 << 20;
/// The most files of a patch that are judged one by one.
const MOST: usize = 256;

/// Options that change where or what is written.
const ELSEWHERE: [&str; 10] = ["-d", "-o", "-r", "-e", "-B", "-Y", "-z", "-V", "-g", "-D"];
/// Texts with which a line begins that makes, moves or links files in other ways.
const OTHERS: [&str; 9] = [
    "rename ",
    "copy ",
    "GIT binary patch",
    "old mode ",
    "new mode ",
    "new file mode 120000",
    "new file mode 160000",
    "deleted file mode 120000",
    "Prereq:",
];
/// Texts behind which a line names a file.
const HEADERS: [&str; 4] = ["--- ", "+++ ", "*** ", "Index:"];

impl Walker<'_> {
    /// Judges each file that a patch names. Returns false if the patch cannot be told.
    #[cold]
    pub(super) fn patched(&mut self, reading: &Reading<'_>, stdin: &Stdin, span: Span) -> bool {
        if ELSEWHERE.iter().any(|option| reading.has(option)) || reading.has("--follow-symlinks") {
            return false;
        }
        let value = |names: [&str; 2]| {
            let mut uses = reading.uses.iter();
            let own = uses.find(|own| own.option.is_some_and(|own| names.contains(&own)))?;
            own.fields.first().and_then(Field::as_known)
        };
        let Some(strip) = value(["-p", "--strip"]).and_then(|count| count.parse().ok()) else {
            return false;
        };
        let text = match (value(["-i", "--input"]), stdin) {
            (Some(file), _) => self.patch_in(file),
            (None, Stdin::File(file)) => file.as_known().and_then(|file| self.patch_in(file)),
            (None, Stdin::Text(text)) => Some(text.clone()),
            _ => None,
        };
        let Some(names) = text.and_then(|text| names_in(&text, strip)) else { return false };
        for name in names {
            for written in [name.clone(), format!("{name}.orig"), format!("{name}.rej")] {
                self.file_named(FileUse::Write, &written, span);
            }
        }
        true
    }

    fn patch_in(&self, file: &str) -> Option<String> {
        let path = self.unchanged_file(file)?;
        let bytes = self.world.host().read(&path, LONGEST).ok()?;
        String::from_utf8(bytes).ok()
    }
}

/// Returns the files that a unified diff names, without so many directories at the beginning.
fn names_in(text: &str, strip: usize) -> Option<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for line in text.lines() {
        // A patch may be indented as a whole, or sent as a part of a message.
        let line = line.trim_start_matches([' ', '\t', 'X']);
        let line = line.strip_prefix("- ").unwrap_or(line);
        if OTHERS.iter().any(|own| line.starts_with(own)) || is_command(line) {
            return None;
        }
        if let Some(both) = line.strip_prefix("diff --git ") {
            let (old, new) = both.split_once(' ').filter(|(_, new)| !new.contains(' '))?;
            for name in [old, new] {
                names.extend(name_of(name, strip)?);
            }
        }
        let mut headers = HEADERS.iter().filter_map(|own| line.strip_prefix(own));
        if let Some(rest) = headers.next() {
            names.extend(name_of(rest, strip)?);
        }
        if names.len() > MOST {
            return None;
        }
    }
    (!names.is_empty()).then_some(names)
}

/// Returns the name behind a header, if `patch` takes it for one. `None` if it may be read in
/// several ways.
fn name_of(header: &str, strip: usize) -> Option<Option<String>> {
    let name = header.split('\t').next().unwrap_or_default().trim();
    if name.starts_with('"') || name.contains(['\\', '\0']) {
        return None;
    }
    // What stands behind a blank may be a date.
    let name = name.split(' ').next().unwrap_or_default();
    if name.is_empty() || name == "/dev/null" {
        return Some(None);
    }
    let mut rest = name;
    for _ in 0..strip {
        match rest.split_once('/') {
            Some((_, below)) => rest = below.trim_start_matches('/'),
            None => return Some(None),
        }
    }
    Some((!rest.is_empty()).then(|| rest.to_owned()))
}

/// Returns whether a line may be a command of `ed`, or begin a part of a plain diff: `3,4c3`.
fn is_command(line: &str) -> bool {
    let line = line.trim_end();
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b',');
    let numbers = line.trim_end_matches(|sign: char| sign.is_ascii_digit() || sign == ',');
    let Some(letter) = numbers.chars().next_back() else { return false };
    let before = numbers.strip_suffix(letter).unwrap_or_default();
    matches!(letter, 'a' | 'c' | 'd' | 'i' | 's') && !before.is_empty() && is_number(before)
}

#[cfg(test)]
#[path = "patched_tests.rs"]
mod tests;
