//! How a host reads and compares paths.

use std::borrow::Cow;

use super::{AbsPath, BadPath, PathFault, windows};

/// How a host reads and compares paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct PathRules {
    /// Names that differ only in case are one name.
    pub case_insensitive: bool,
    /// Paths are read as Windows reads them: backslashes part components, dots and spaces at
    /// the end of a name are dropped, devices and streams have names.
    pub windows: bool,
}

impl PathRules {
    /// The rules of Linux: paths are bytes.
    pub const LINUX: PathRules = PathRules { case_insensitive: false, windows: false };
    /// The rules of macOS, whose file systems ignore case unless told otherwise.
    pub const MACOS: PathRules = PathRules { case_insensitive: true, windows: false };
    /// The rules of Windows.
    pub const WINDOWS: PathRules = PathRules { case_insensitive: true, windows: true };

    /// The normal form of an absolute path that is written as this host writes paths.
    pub fn absolute(&self, text: &str) -> Result<AbsPath, BadPath> {
        let cleaned = self.clean(text).map_err(|fault| BadPath::new(text, fault))?;
        AbsPath::new(&cleaned).map_err(|error| BadPath::new(text, error.fault().clone()))
    }

    /// Whether the character parts components.
    pub(super) fn is_separator(&self, c: char) -> bool {
        c == '/' || (self.windows && c == '\\')
    }

    /// The text with slashes and plain names, whichever way this host writes them.
    pub(super) fn clean<'t>(&self, text: &'t str) -> Result<Cow<'t, str>, PathFault> {
        if self.windows {
            return windows::clean(text).map(Cow::Owned);
        }
        Ok(Cow::Borrowed(text))
    }

    /// The form in which paths are compared: itself where case counts, folded where not.
    ///
    /// Patterns and paths are folded alike before they are matched. Composed and decomposed
    /// spellings of a letter (NFC, NFD) stay apart.
    pub fn fold(&self, path: &AbsPath) -> AbsPath {
        self.folded(path).into_owned()
    }

    /// As [`PathRules::fold`], without a copy where case counts.
    pub(crate) fn folded<'p>(&self, path: &'p AbsPath) -> Cow<'p, AbsPath> {
        if !self.case_insensitive {
            return Cow::Borrowed(path);
        }
        Cow::Owned(path.map_components(|name| self.fold_name(name)))
    }

    /// The form in which one component is compared; see [`PathRules::fold`].
    pub fn fold_name(&self, name: &str) -> String {
        if !self.case_insensitive {
            return name.to_owned();
        }
        // By way of upper case, so that letters with two lower-case forms (`s` and `ſ`, `σ` and
        // `ς`, `ß` and `ss`) become one, as file systems fold them.
        let folded = fold_case(name.chars().filter(|c| !is_ignored(*c)));
        match folded.as_str() {
            // What is left must stay the name of an entry.
            "" | "." | ".." => fold_case(name.chars()),
            _ => folded,
        }
    }
}

fn fold_case(name: impl Iterator<Item = char>) -> String {
    name.flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
}

/// Characters that HFS+ passes over when it compares names (git's CVE-2014-9390).
fn is_ignored(c: char) -> bool {
    matches!(
        c,
        '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}'
    )
}

#[cfg(test)]
#[path = "rules_tests.rs"]
mod tests;
