//! The files that a patch touches.
//!
//! Two forms are read: the one between `*** Begin Patch` and `*** End Patch`, and unified diffs.
//! Whoever applies a patch may read it more leniently than its form says, so every line that could
//! be taken for the name of a file is taken for one.

/// A file that a patch touches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Touched<'t> {
    /// Its path, as the patch has it.
    pub(crate) path: &'t str,
    /// What becomes of it.
    pub(crate) fate: Fate,
}

/// What a patch does to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It is made, or written over.
    Written,
    /// It is read and changed.
    Changed,
    /// It is removed.
    Removed,
}

/// The most files that one patch may touch.
const MOST: usize = 10_000;

/// Whether a text is a patch by its looks.
pub(crate) fn is_patch(text: &str) -> bool {
    has_begin(text) || is_unified(text)
}

/// The files that a patch touches; an error says why that cannot be told.
pub(crate) fn touched(text: &str) -> Result<Vec<Touched<'_>>, &'static str> {
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

/// Headings of the marked form, and what they do to the file they name.
const HEADINGS: [(&str, Fate); 4] = [
    ("*** Add File:", Fate::Written),
    ("*** Update File:", Fate::Changed),
    ("*** Delete File:", Fate::Removed),
    ("*** Move to:", Fate::Written),
];
/// Lines of the marked form that name no file.
const MARKS: [&str; 3] = ["*** Begin Patch", "*** End Patch", "*** End of File"];

fn marked(text: &str) -> Result<Vec<Touched<'_>>, &'static str> {
    let mut found: Vec<Touched<'_>> = Vec::new();
    for line in text.lines() {
        let line = line.trim();
        let heading = HEADINGS.iter().find_map(|(heading, fate)| {
            line.strip_prefix(heading).map(|path| (path.trim(), *fate, *heading))
        });
        match heading {
            Some(("", ..)) => return Err("its patch names a file without a name"),
            Some((path, fate, heading)) => {
                // What is moved away is no longer where it was.
                if let (true, Some(last)) = (heading == "*** Move to:", found.last().cloned()) {
                    found.push(Touched { path: last.path, fate: Fate::Removed });
                }
                found.push(Touched { path, fate });
            }
            None if line.starts_with("*** ") && !MARKS.contains(&line) => {
                return Err("its patch has a heading that is not known");
            }
            None => {}
        }
    }
    Ok(found)
}

fn unified(text: &str) -> Result<Vec<Touched<'_>>, &'static str> {
    let mut diff = Diff::default();
    let (mut old, mut new) = (0_usize, 0_usize);
    let mut lines = text.lines().peekable();
    let mut named = false;
    while let Some(line) = lines.next() {
        if old > 0 || new > 0 {
            // Not everyone who applies a patch counts: two names in a row are taken for names too.
            let names = line.starts_with("--- ");
            let names = names && lines.peek().is_some_and(|next| next.starts_with("+++ "));
            if names || named && line.starts_with("+++ ") {
                diff.heading(line)?;
            }
            named = names;
            // Inside a hunk a line may look like a heading: `-- x` that is removed is `--- x`.
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

/// The lines that a hunk has of the old and of the new file: `-1,3 +1,4 @@`.
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
    // Whoever takes a line that is not closed for no hunk goes on looking for names.
    (words.next() == Some("@@")).then_some(counts)
}

/// What the headings of a unified diff have named so far.
#[derive(Default)]
struct Diff<'t> {
    found: Vec<Touched<'t>>,
    /// The old name, until the new one follows it; the inner `None` is "no file".
    old: Option<Option<&'t str>>,
}

impl<'t> Diff<'t> {
    fn heading(&mut self, line: &'t str) -> Result<(), &'static str> {
        const NAMES: [(&str, Fate); 7] = [
            ("Index: ", Fate::Changed),
            ("rename from ", Fate::Removed),
            ("rename to ", Fate::Written),
            ("copy from ", Fate::Changed),
            ("copy to ", Fate::Written),
            ("rename old ", Fate::Removed),
            ("rename new ", Fate::Written),
        ];
        if let Some(name) = line.strip_prefix("--- ") {
            self.settle();
            self.old = Some(path_of(name)?);
        } else if let Some(name) = line.strip_prefix("+++ ") {
            let new = path_of(name)?;
            match (self.old.take().flatten(), new) {
                (Some(old), None) => self.add(old, Fate::Removed),
                (None, Some(new)) => self.add(new, Fate::Written),
                (Some(old), Some(new)) => {
                    self.add(old, Fate::Changed);
                    self.add(new, Fate::Changed);
                }
                (None, None) => return Err("its patch names a file without a name"),
            }
        } else if let Some(names) = line.strip_prefix("diff --git ") {
            self.settle();
            if let Some(name) = same_name(names)? {
                self.add(name, Fate::Changed);
            }
        } else if line.starts_with("deleted file mode ")
            && let Some(last) = self.found.last().cloned()
        {
            self.add(last.path, Fate::Removed);
        } else if let Some((start, fate)) = NAMES.iter().find(|own| line.starts_with(own.0))
            && let Some(name) = line.strip_prefix(start)
            && let Some(path) = path_of(name)?
        {
            self.add(path, *fate);
        }
        Ok(())
    }

    /// An old name to which no new one came may stand for anything.
    fn settle(&mut self) {
        if let Some(old) = self.old.take().flatten() {
            self.add(old, Fate::Changed);
            self.add(old, Fate::Removed);
        }
    }

    /// With and without the first directory, as those who apply patches differ on it.
    fn add(&mut self, path: &'t str, fate: Fate) {
        let below = path.split_once('/').map(|(_, below)| below);
        let below = below.filter(|below| !below.is_empty() && !path.starts_with('/'));
        self.found.extend(std::iter::once(path).chain(below).map(|path| Touched { path, fate }));
    }

    fn finish(mut self) -> Result<Vec<Touched<'t>>, &'static str> {
        self.settle();
        Ok(self.found)
    }
}

/// The path that a heading names; `None` where it says that there is no file.
fn path_of(name: &str) -> Result<Option<&str>, &'static str> {
    // After a tab stands the time of the file.
    let path = name.split('\t').next().unwrap_or(name).trim();
    match path {
        "/dev/null" => Ok(None),
        _ if path.starts_with('"') || path.is_empty() => Err("a name in its patch cannot be read"),
        _ => Ok(Some(path)),
    }
}

/// The name in `a/x b/x`, where both are the same but for the first directory. Where they differ,
/// further headings name them.
fn same_name(names: &str) -> Result<Option<&str>, &'static str> {
    if names.contains('"') {
        return Err("a name in its patch cannot be read");
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
