//! Resolves relative paths against directories in the same arguments: `{"repo_path": "/x", "files":
//! ["a"]}`.

use std::borrow::Cow;

use ringfence_core::path::{EntryKind, Follow};

use super::Resolver;
use super::arguments::{ArgumentRole, FoundArgument, UnreadableArguments};

/// The maximum number of additional paths.
const MOST: usize = 10_000;

/// A directory that relative paths may start from.
struct Base {
    /// The argument that names the directory.
    name: String,
    directory: String,
    /// Whether the ends of a move start here too: a new name may lie next to its file.
    for_ends: bool,
}

impl Resolver<'_> {
    /// Adds, for every relative path in the arguments, the path that it means below each directory in
    /// the arguments. Only the tool knows which directory it uses, so all are judged.
    pub(super) fn add_relative_readings(
        &self,
        found: &mut Vec<FoundArgument<'_>>,
    ) -> Result<(), UnreadableArguments> {
        let is_relative = |own: &&FoundArgument<'_>| own.is_path() && !own.is_absolute();
        let relative: Vec<FoundArgument<'_>> = found.iter().filter(is_relative).cloned().collect();
        if relative.is_empty() {
            return Ok(());
        }
        let mut bases: Vec<Base> = found.iter().filter_map(|own| self.base(own)).collect();
        // A directory argument may itself be relative to another one.
        let places = from_each_base(&bases, relative.iter().filter(|own| own.is_place))?;
        bases.extend(places.into_iter().map(|own| {
            let directory = own.text.into_owned();
            Base { name: directory.clone(), directory, for_ends: true }
        }));
        let further = from_each_base(&bases, relative.iter())?;
        found.extend(further);
        Ok(())
    }

    /// Returns the directory that an argument names, or in which the named file lies. Returns
    /// `None` for the current directory.
    fn base(&self, own: &FoundArgument<'_>) -> Option<Base> {
        let may_be = matches!(own.part, ArgumentRole::Path | ArgumentRole::Loose);
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

/// Returns the relative paths joined with each of the directories.
fn from_each_base<'f, 'v: 'f>(
    bases: &[Base],
    relative: impl Iterator<Item = &'f FoundArgument<'v>> + Clone,
) -> Result<Vec<FoundArgument<'v>>, UnreadableArguments> {
    let mut seen = Vec::new();
    for base in bases {
        let is_seen = |own: &&FoundArgument<'_>| {
            *own.text != *base.name
                && (base.for_ends || matches!(own.part, ArgumentRole::Path | ArgumentRole::Loose))
        };
        for own in relative.clone().filter(is_seen) {
            if seen.len() >= MOST {
                return Err(UnreadableArguments("its arguments name too many paths"));
            }
            let text = Cow::Owned(format!("{}/{}", base.directory, own.text));
            seen.push(FoundArgument { text, ..own.clone() });
        }
    }
    Ok(seen)
}
