//! The rules by which a host reads and compares paths.

use std::borrow::Cow;

use super::{AbsPath, BadPath, PathFault, windows};

/// How a host reads and compares paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct PathRules {
    /// Whether names that differ only in case are equal.
    pub case_insensitive: bool,
    /// Whether paths are read as on Windows. There, backslashes separate components, dots and
    /// spaces at the end of a name are dropped, and some names mean devices or streams.
    pub windows: bool,
}

impl PathRules {
    /// The rules of Linux: paths are compared byte by byte.
    pub const LINUX: PathRules = PathRules { case_insensitive: false, windows: false };
    /// The rules of macOS, whose file systems ignore case by default.
    pub const MACOS: PathRules = PathRules { case_insensitive: true, windows: false };
    /// The rules of Windows.
    pub const WINDOWS: PathRules = PathRules { case_insensitive: true, windows: true };

    /// Normalises an absolute path that is written in this host's notation.
    pub fn absolute(&self, text: &str) -> Result<AbsPath, BadPath> {
        let cleaned = self.clean(text).map_err(|fault| BadPath::new(text, fault))?;
        AbsPath::new(&cleaned).map_err(|error| BadPath::new(text, error.fault().clone()))
    }

    /// Returns whether a character separates components.
    pub(super) fn is_separator(&self, c: char) -> bool {
        c == '/' || (self.windows && c == '\\')
    }

    /// Converts a path from this host's notation to slashes and plain names.
    pub(super) fn clean<'t>(&self, text: &'t str) -> Result<Cow<'t, str>, PathFault> {
        if self.windows {
            return windows::clean(text).map(Cow::Owned);
        }
        Ok(Cow::Borrowed(text))
    }

    /// Returns the form in which paths are compared: the path itself, or its case-folded form.
    ///
    /// Patterns and paths are folded in the same way before matching. Composed and decomposed
    /// letters (NFC, NFD) stay different.
    pub fn fold(&self, path: &AbsPath) -> AbsPath {
        self.folded(path).into_owned()
    }

    /// Like [`PathRules::fold`], without a copy if case matters.
    pub(crate) fn folded<'p>(&self, path: &'p AbsPath) -> Cow<'p, AbsPath> {
        if !self.case_insensitive {
            return Cow::Borrowed(path);
        }
        Cow::Owned(path.map_components(|name| self.fold_name(name)))
    }

    /// Returns the form in which one component is compared; see [`PathRules::fold`].
    pub fn fold_name(&self, name: &str) -> String {
        if !self.case_insensitive {
            return name.to_owned();
        }
        // Converting to upper case first unites letters that have two lower-case forms (`s` and
        // `ſ`, `σ` and `ς`, `ß` and `ss`), as file systems do.
        let folded = fold_case(name.chars().filter(|c| !is_ignored(*c)));
        match folded.as_str() {
            // The result must still be the name of an entry.
            "" | "." | ".." => fold_case(name.chars()),
            _ => folded,
        }
    }
}

fn fold_case(name: impl Iterator<Item = char>) -> String {
    name.flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
}

/// Returns whether HFS+ ignores a character when it compares names (git's CVE-2014-9390).
fn is_ignored(c: char) -> bool {
    matches!(
        c,
        '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}'
    )
}

#[cfg(test)]
#[path = "path_rules_tests.rs"]
mod tests;
