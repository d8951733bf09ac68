//! Finds the files that a patch changes.
//!
//! Two formats are parsed: the one between `*** Begin Patch` and `*** End Patch`, and unified
//! diffs. A tool may apply a patch more leniently than its format says. Every line that could name
//! a file is therefore treated as one.

/// A file that a patch changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PatchedFile<'t> {
    /// The path as written in the patch.
    pub(crate) path: &'t str,
    /// What the patch does to the file.
    pub(crate) effect: PatchEffect,
}

/// What a patch does to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PatchEffect {
    /// The file is created or overwritten.
    Written,
    /// The file is read and changed.
    Changed,
    /// The file is removed.
    Removed,
}

/// The maximum number of files in one patch.
const MOST: usize = 10_000;

/// Returns whether a text looks like a patch.
pub(crate) fn is_patch(text: &str) -> bool {
    has_begin(text) || is_unified(text)
}

/// Returns the files that a patch changes; the error says why they cannot be determined.
pub(crate) fn patched_files(text: &str) -> Result<Vec<PatchedFile<'_>>, &'static str> {
    let found = match has_begin(text) {
        true => marked(text)?,
        false => unified(text)?,
    };
    match found.len() {
        0 => Err("its patch names no file"),
        many if many > MOST => Err("its patch names too many files"),
        _ => Ok(found),
    }
}

fn has_begin(text: &str) -> bool {
    text.lines().any(|line| line.trim() == "*** Begin Patch")
}

fn is_unified(text: &str) -> bool {
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let named = line.starts_with("--- ") && lines.peek().is_some_and(|n| n.starts_with("+++ "));
        if named || line.starts_with("diff --git ") || line.starts_with("Index: ") {
            return true;
        }
    }
    false
}

/// Headings of the marked format, and what they do to the file.
const HEADINGS: [(&str, PatchEffect); 4] = [
    ("*** Add File:", PatchEffect::Written),
    ("*** Update File:", PatchEffect::Changed),
    ("*** Delete File:", PatchEffect::Removed),
    ("*** Move to:", PatchEffect::Written),
];
/// Lines of the marked format that name no file.
const MARKS: [&str; 3] = ["*** Begin Patch", "*** End Patch", "*** End of File"];

fn marked(text: &str) -> Result<Vec<PatchedFile<'_>>, &'static str> {
    let mut found: Vec<PatchedFile<'_>> = Vec::new();
    for line in text.lines() {
        let line = line.trim();
        let heading = HEADINGS.iter().find_map(|(heading, effect)| {
            line.strip_prefix(heading).map(|path| (path.trim(), *effect, *heading))
        });
        match heading {
            Some(("", ..)) => return Err("its patch has an empty file name"),
            Some((path, effect, heading)) => {
                // After a move, the old path is removed.
                if let (true, Some(last)) = (heading == "*** Move to:", found.last().cloned()) {
                    found.push(PatchedFile { path: last.path, effect: PatchEffect::Removed });
                }
                found.push(PatchedFile { path, effect });
            }
            None if line.starts_with("*** ") && !MARKS.contains(&line) => {
                return Err("its patch has an unknown heading");
            }
            None => {}
        }
    }
    Ok(found)
}

fn unified(text: &str) -> Result<Vec<PatchedFile<'_>>, &'static str> {
    let mut diff = Diff::default();
    let (mut old, mut new) = (0_usize, 0_usize);
    let mut lines = text.lines().peekable();
    let mut named = false;
    while let Some(line) = lines.next() {
        if old > 0 || new > 0 {
            // Some tools do not count the lines of a hunk, so two heading lines in a row count as
            // names too.
            let names = line.starts_with("--- ");
            let names = names && lines.peek().is_some_and(|next| next.starts_with("+++ "));
            if names || named && line.starts_with("+++ ") {
                diff.heading(line)?;
            }
            named = names;
            // Inside a hunk a removed line `-- x` looks like the heading `--- x`.
            match line.as_bytes().first() {
                Some(b'-') => old = old.saturating_sub(1),
                Some(b'+') => new = new.saturating_sub(1),
                Some(b' ') | None => {
                    old = old.saturating_sub(1);
                    new = new.saturating_sub(1);
                }
                Some(b'\\') => {}
                Some(_) => return Err("a hunk of its patch ends too early"),
            }
        } else if let Some(rest) = line.strip_prefix("@@ ") {
            (old, new) = counts(rest).ok_or("a hunk of its patch has no counts")?;
        } else {
            diff.heading(line)?;
        }
    }
    diff.finish()
}

/// Returns a hunk's line counts in the old and the new file: `-1,3 +1,4 @@`.
fn counts(rest: &str) -> Option<(usize, usize)> {
    let mut words = rest.split_whitespace();
    let count = |word: Option<&str>, sign: char| -> Option<usize> {
        let range = word?.strip_prefix(sign)?;
        match range.split_once(',') {
            Some((_, count)) => count.parse().ok(),
            None => range.parse::<usize>().ok().map(|_| 1),
        }
    };
    let counts = (count(words.next(), '-')?, count(words.next(), '+')?);
    // A tool that rejects an unclosed hunk line continues to look for names.
    (words.next() == Some("@@")).then_some(counts)
}

/// The files found in the headings of a unified diff so far.
#[derive(Default)]
struct Diff<'t> {
    found: Vec<PatchedFile<'t>>,
    /// The old name while its new name is awaited; the inner `None` is `/dev/null`.
    old: Option<Option<&'t str>>,
}

impl<'t> Diff<'t> {
    fn heading(&mut self, line: &'t str) -> Result<(), &'static str> {
        const NAMES: [(&str, PatchEffect); 7] = [
            ("Index: ", PatchEffect::Changed),
            ("rename from ", PatchEffect::Removed),
            ("rename to ", PatchEffect::Written),
            ("copy from ", PatchEffect::Changed),
            ("copy to ", PatchEffect::Written),
            ("rename old ", PatchEffect::Removed),
            ("rename new ", PatchEffect::Written),
        ];
        if let Some(name) = line.strip_prefix("--- ") {
            self.settle();
            self.old = Some(path_of(name)?);
        } else if let Some(name) = line.strip_prefix("+++ ") {
            let new = path_of(name)?;
            match (self.old.take().flatten(), new) {
                (Some(old), None) => self.add(old, PatchEffect::Removed),
                (None, Some(new)) => self.add(new, PatchEffect::Written),
                (Some(old), Some(new)) => {
                    self.add(old, PatchEffect::Changed);
                    self.add(new, PatchEffect::Changed);
                }
                (None, None) => return Err("its patch has an empty file name"),
            }
        } else if let Some(names) = line.strip_prefix("diff --git ") {
            self.settle();
            if let Some(name) = same_name(names)? {
                self.add(name, PatchEffect::Changed);
            }
        } else if line.starts_with("deleted file mode ")
            && let Some(last) = self.found.last().cloned()
        {
            self.add(last.path, PatchEffect::Removed);
        } else if let Some((start, effect)) = NAMES.iter().find(|own| line.starts_with(own.0))
            && let Some(name) = line.strip_prefix(start)
            && let Some(path) = path_of(name)?
        {
            self.add(path, *effect);
        }
        Ok(())
    }

    /// Adds an old name without a new one as both changed and removed.
    fn settle(&mut self) {
        if let Some(old) = self.old.take().flatten() {
            self.add(old, PatchEffect::Changed);
            self.add(old, PatchEffect::Removed);
        }
    }

    /// Adds a path with and without its first directory, because tools differ in stripping it.
    fn add(&mut self, path: &'t str, effect: PatchEffect) {
        let below = path.split_once('/').map(|(_, below)| below);
        let below = below.filter(|below| !below.is_empty() && !path.starts_with('/'));
        self.found
            .extend(std::iter::once(path).chain(below).map(|path| PatchedFile { path, effect }));
    }

    fn finish(mut self) -> Result<Vec<PatchedFile<'t>>, &'static str> {
        self.settle();
        Ok(self.found)
    }
}

/// Returns the path in a heading, or `None` for `/dev/null`.
fn path_of(name: &str) -> Result<Option<&str>, &'static str> {
    // A tab separates the path from the file's time.
    let path = name.split('\t').next().unwrap_or(name).trim();
    match path {
        "/dev/null" => Ok(None),
        _ if path.starts_with('"') || path.is_empty() => {
            Err("a file name in its patch cannot be parsed")
        }
        _ => Ok(Some(path)),
    }
}

/// Returns the path in `a/x b/x` if both sides are equal except for the first directory. Otherwise
/// later headings name the files.
fn same_name(names: &str) -> Result<Option<&str>, &'static str> {
    if names.contains('"') {
        return Err("a file name in its patch cannot be parsed");
    }
    let halves = names.len().checked_div(2).and_then(|at| names.split_at_checked(at));
    let Some((old, new)) = halves else { return Ok(None) };
    let new = new.strip_prefix(' ').unwrap_or(new);
    let below = |name: &'_ str| name.split_once('/').map(|(first, _)| first.len());
    let (Some(old_at), Some(new_at)) = (below(old), below(new)) else { return Ok(None) };
    Ok((old.get(old_at..) == new.get(new_at..)).then_some(old))
}

#[cfg(test)]
#[path = "patch_tests.rs"]
mod tests;
