//! Paths that are seen from a directory which stands beside them: `{"repo_path": "/x", "files": ["a"]}`.

use std::borrow::Cow;

use ringfence_core::path::{EntryKind, Follow};

use super::Resolver;
use super::arguments::{Found, Part, Unreadable};

/// How many further paths there may be.
const MOST: usize = 10_000;

/// Where a relative path may be seen from.
struct Base {
    /// What names it.
    name: String,
    directory: String,
    /// Whether both ends of a move are seen from here too: a new name is one beside the file.
    for_ends: bool,
}

impl Resolver<'_> {
    /// Adds what relative paths are from each directory that the arguments name. Only the tool knows
    /// which of them it sees a path from.
    pub(super) fn see_from_beside(&self, found: &mut Vec<Found<'_>>) -> Result<(), Unreadable> {
        let is_relative = |own: &&Found<'_>| own.is_path() && !own.is_absolute();
        let relative: Vec<Found<'_>> = found.iter().filter(is_relative).cloned().collect();
        if relative.is_empty() {
            return Ok(());
        }
        let mut bases: Vec<Base> = found.iter().filter_map(|own| self.base(own)).collect();
        // Directories may themselves be seen from another.
        let places = seen_from(&bases, relative.iter().filter(|own| own.is_place))?;
        bases.extend(places.into_iter().map(|own| {
            let directory = own.text.into_owned();
            Base { name: directory.clone(), directory, for_ends: true }
        }));
        let further = seen_from(&bases, relative.iter())?;
        found.extend(further);
        Ok(())
    }

    /// The directory that a path names, or that a file lies in, where it is another than this one.
    fn base(&self, own: &Found<'_>) -> Option<Base> {
        let may_be = matches!(own.part, Part::Path | Part::Loose);
        if !may_be || !(own.is_place || own.is_absolute()) {
            return None;
        }
        let path = self.resolve(&own.text, Follow::Final).ok()?;
        let is_file = !matches!(path.kind, Some(EntryKind::Dir) | None);
        let directory = if is_file { path.real.parent()? } else { path.real };
        (directory != self.cwd).then(|| Base {
            name: own.text.to_string(),
            directory: directory.to_string(),
            for_ends: own.is_place || is_file,
        })
    }
}

/// Relative paths as they are from each of these directories.
fn seen_from<'f, 'v: 'f>(
    bases: &[Base],
    relative: impl Iterator<Item = &'f Found<'v>> + Clone,
) -> Result<Vec<Found<'v>>, Unreadable> {
    let mut seen = Vec::new();
    for base in bases {
        let is_seen = |own: &&Found<'_>| {
            *own.text != *base.name
                && (base.for_ends || matches!(own.part, Part::Path | Part::Loose))
        };
        for own in relative.clone().filter(is_seen) {
            if seen.len() >= MOST {
                return Err(Unreadable("its arguments name too many paths"));
            }
            let text = Cow::Owned(format!("{}/{}", base.directory, own.text));
            seen.push(Found { text, ..own.clone() });
        }
    }
    Ok(seen)
}
