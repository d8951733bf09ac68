//! Expansion of symbolic path patterns to the paths of this host.

use super::entry::Side;
use crate::context::Context;
use crate::host::{FileEntry, Host};
use crate::index::{FastMap, Step};
use crate::path::{AbsPath, PathRules};
use crate::pattern::{Base, Component, Glob, PathAlternative, PathPattern};

/// Expands the symbols of path patterns on this host and resolves links. Remembers what it looked
/// up.
pub(super) struct Expander<'a> {
    context: &'a Context,
    host: &'a dyn Host,
    rules: PathRules,
    /// The entries that were looked up.
    entries: FastMap<AbsPath, FileEntry>,
    /// The real paths of the directories that patterns start from.
    bases: Vec<((AbsPath, Side), Option<RealPath>)>,
    /// Directory listings in the home directory and below it. A directory is listed after a few
    /// lookups, because many rules name files there that do not exist.
    home_listings: Vec<(AbsPath, Listing)>,
}

/// The listing of one directory, as far as it is known.
#[derive(Debug)]
enum Listing {
    /// The number of names that were looked up one by one.
    Asked(u32),
    /// All names. The value says whether the entry is a link; `None` if the listing does not show
    /// this.
    Known(FastMap<Box<str>, Option<bool>>),
    /// The directory cannot be listed.
    Unknown,
}

/// A path pattern with its symbols expanded: a literal path, then the remaining components.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlacedPath {
    pub(super) literal: AbsPath,
    pub(super) rest: Vec<Component>,
}

/// The real path of a path, and whether an entry exists there.
#[derive(Debug, Clone)]
struct RealPath {
    path: AbsPath,
    exists: bool,
}

/// The reason why a pattern cannot be expanded on this host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlacementError {
    /// The pattern needs a project root, and there is none.
    NoRoot,
    /// The pattern starts with a variable that is unset or is not an absolute path.
    Unset,
}

impl<'a> Expander<'a> {
    pub(super) fn new(context: &'a Context, host: &'a dyn Host) -> Expander<'a> {
        Expander {
            context,
            host,
            rules: host.path_rules(),
            entries: FastMap::with_capacity_and_hasher(INITIAL_ENTRIES, Default::default()),
            bases: Vec::new(),
            home_listings: Vec::new(),
        }
    }

    pub(super) fn host(&self) -> &dyn Host {
        self.host
    }

    /// Returns the paths that a pattern expands to: with the literal path as written, and with its
    /// links resolved.
    ///
    /// Deny and danger rules follow every link. Allow and ask rules follow no link in a directory
    /// that an agent may write: a link that came with the project must not move a grant.
    pub(super) fn places(
        &mut self,
        pattern: &PathPattern,
        side: Side,
    ) -> Result<Vec<PlacedPath>, PlacementError> {
        let mut places = Vec::new();
        for alternative in pattern.alternatives() {
            for base in self.bases(&alternative.base)? {
                self.add_places(&base, alternative, side, &mut places);
            }
        }
        Ok(places)
    }

    /// Returns the paths that a pattern expands to below a base directory; the path as written
    /// comes first.
    pub(super) fn places_of(
        &mut self,
        base: &AbsPath,
        pattern: &PathAlternative,
        side: Side,
    ) -> Vec<PlacedPath> {
        let mut places = Vec::new();
        self.add_places(base, pattern, side, &mut places);
        places
    }

    /// Returns the real path of a base directory, and whether the directory exists.
    pub(super) fn real_directory(&mut self, base: &AbsPath, side: Side) -> Option<(AbsPath, bool)> {
        self.real_base(base, side, MAX_LINKS).map(|real| (real.path, real.exists))
    }

    /// Returns whether an entry exists at a path; `None` if the entry is a link.
    pub(super) fn is_plain_entry(&mut self, path: &AbsPath, side: Side) -> Option<bool> {
        let real = self.step(|| Some(path.clone()), path.clone(), side, MAX_LINKS)?;
        (real.path == *path).then_some(real.exists)
    }

    /// Returns the real path of the names below a base directory, if it can be resolved.
    fn real_place(&mut self, base: &AbsPath, names: &[&str], side: Side) -> Option<AbsPath> {
        self.real(base, names, side, MAX_LINKS).map(|real| real.path)
    }

    pub(super) fn bases(&self, base: &Base) -> Result<Vec<AbsPath>, PlacementError> {
        match base {
            Base::Slash => Ok(vec![AbsPath::root()]),
            Base::Home => Ok(vec![self.context.home.clone()]),
            Base::Cwd => Ok(vec![self.context.cwd.clone()]),
            Base::Tmp => Ok(self.context.tmp.clone()),
            Base::System => Ok(self.context.system.clone()),
            Base::Root(up) => {
                let mut root = self.context.root.clone().ok_or(PlacementError::NoRoot)?;
                for _ in 0..*up {
                    root = root.parent().unwrap_or_else(AbsPath::root);
                }
                Ok(vec![root])
            }
            Base::Var(name) => {
                let value = self.host.env(name).and_then(|value| AbsPath::new(&value).ok());
                Ok(vec![value.ok_or(PlacementError::Unset)?])
            }
        }
    }

    fn add_places(
        &mut self,
        base: &AbsPath,
        pattern: &PathAlternative,
        side: Side,
        to: &mut Vec<PlacedPath>,
    ) {
        let names: Vec<&str> = pattern.components.iter().map_while(literal).collect();
        let rest = pattern.components.iter().skip(names.len());
        let rest: Vec<Component> = rest.map(|own| self.fold(own)).collect();
        // A pattern with a name that no file can have matches nothing.
        let Ok(asked) = base.descend(names.iter().copied()) else { return };
        let real = self.real_place(base, &names, side);
        let real = real.filter(|real| *real != asked);
        for spelling in [Some(asked), real].into_iter().flatten() {
            let place = PlacedPath { literal: self.rules.fold(&spelling), rest: rest.clone() };
            if !to.contains(&place) {
                to.push(place);
            }
        }
    }

    /// Resolves a path, if possible. A path that does not exist is its own real path.
    fn real(&mut self, base: &AbsPath, names: &[&str], side: Side, links: u32) -> Option<RealPath> {
        let mut at = self.real_base(base, side, links)?;
        for (depth, name) in names.iter().enumerate() {
            if !at.exists {
                // A missing directory has no entries, so the rest needs no lookup.
                let rest = names.iter().skip(depth).copied();
                return Some(RealPath { path: at.path.descend(rest).ok()?, exists: false });
            }
            let here = at.path.child(name).ok()?;
            let asked = || base.descend(names.iter().take(depth.saturating_add(1)).copied()).ok();
            at = self.step(asked, here, side, links)?;
        }
        Some(at)
    }

    /// Resolves a base directory. The result is remembered, because there are few base directories.
    fn real_base(&mut self, base: &AbsPath, side: Side, links: u32) -> Option<RealPath> {
        let key = (base.clone(), side);
        if let Some((_, known)) = self.bases.iter().find(|(own, _)| *own == key) {
            return known.clone();
        }
        let names: Vec<&str> = base.components().collect();
        let real = match names.is_empty() {
            true => Some(RealPath { path: base.clone(), exists: true }),
            false => self.real(&AbsPath::root(), &names, side, links),
        };
        self.bases.push((key, real.clone()));
        real
    }

    /// Resolves the entry at `here`, which the pattern calls `asked`.
    fn step(
        &mut self,
        asked: impl FnOnce() -> Option<AbsPath>,
        here: AbsPath,
        side: Side,
        links: u32,
    ) -> Option<RealPath> {
        let entry = match self.entries.get(&here) {
            Some(known) => known.clone(),
            None => {
                let entry = match self.is_missing_at_home(&here) {
                    true => FileEntry::Missing,
                    false => self.host.entry(&here),
                };
                self.entries.insert(here.clone(), entry.clone());
                entry
            }
        };
        match entry {
            FileEntry::Link(target) => {
                if side == Side::Grant && self.is_agent_writable(&asked()?, &here) {
                    return None;
                }
                let links = links.checked_sub(1)?;
                let target = here.parent()?.join(&target).ok()?;
                let names: Vec<&str> = target.components().collect();
                self.real(&AbsPath::root(), &names, side, links)
            }
            entry => Some(RealPath { path: here, exists: entry != FileEntry::Missing }),
        }
    }

    /// Returns whether a listing in the home directory shows that a path does not exist.
    fn is_missing_at_home(&mut self, here: &AbsPath) -> bool {
        if !here.starts_with(&self.context.home) || self.context.home.is_root() {
            return false;
        }
        let name = here.file_name();
        let end = here.as_str().len().saturating_sub(name.len()).saturating_sub(1);
        let directory = here.as_str().get(..end).unwrap_or_default();
        self.names_at_home(directory, name).is_some_and(|names| !names.contains_key(name))
    }

    /// Returns the names in a directory at or below the home directory, if they are known. One
    /// listing replaces many lookups.
    fn names_at_home(
        &mut self,
        directory: &str,
        name: &str,
    ) -> Option<&FastMap<Box<str>, Option<bool>>> {
        // A name that is not UTF-8 is listed with this replacement character.
        if directory.len() < self.context.home.as_str().len()
            || self.rules.case_insensitive
            || !name.is_ascii() && name.contains(char::REPLACEMENT_CHARACTER)
        {
            return None;
        }
        // Entries of one directory are mostly looked up one after the other.
        let known = self.home_listings.iter().rposition(|(own, _)| own.as_str() == directory);
        let at = match known {
            Some(at) => at,
            None => {
                let directory = AbsPath::new(directory).ok()?;
                self.home_listings.push((directory, Listing::Asked(0)));
                self.home_listings.len().saturating_sub(1)
            }
        };
        let (directory, names) = self.home_listings.get_mut(at)?;
        match names {
            Listing::Asked(count) if *count < MAX_SINGLE_LOOKUPS => {
                *count = count.saturating_add(1)
            }
            Listing::Asked(_) => *names = Listing::list(self.host, directory),
            Listing::Known(_) | Listing::Unknown => {}
        }
        match names {
            Listing::Known(names) => Some(names),
            Listing::Asked(_) | Listing::Unknown => None,
        }
    }

    /// Returns whether a link is in a directory that agents may usually write: the project or a
    /// temporary directory.
    fn is_agent_writable(&self, asked: &AbsPath, real: &AbsPath) -> bool {
        let context = self.context;
        let places = context.root.iter().chain([&context.cwd]).chain(&context.tmp);
        let mut places = places.filter(|place| *place != asked && *place != real);
        places.any(|place| asked.starts_with(place) || real.starts_with(place))
    }

    fn fold(&self, component: &Component) -> Component {
        match component {
            Component::Literal(name) => Component::Literal(self.rules.fold_name(name).into()),
            Component::Glob(glob) => Component::Glob(self.fold_glob(glob)),
            Component::Deep => Component::Deep,
        }
    }

    fn fold_glob(&self, glob: &Glob) -> Glob {
        glob.fold(|c| self.rules.fold_name(c.encode_utf8(&mut [0; 4])).chars().collect())
    }
}

impl Listing {
    fn list(host: &dyn Host, directory: &AbsPath) -> Listing {
        let with_links = host
            .list_links(directory)
            .map(|names| names.into_iter().map(|(name, is_link)| (name, Some(is_link))).collect());
        let names = with_links
            .or_else(|| Some(host.list(directory)?.into_iter().map(|name| (name, None)).collect()));
        names.map_or(Listing::Unknown, Listing::Known)
    }
}

/// Returns the name of a literal component.
fn literal(component: &Component) -> Option<&str> {
    match component {
        Component::Literal(name) => Some(name),
        Component::Glob(_) | Component::Deep => None,
    }
}

/// The number of looked up entries for which memory is reserved: about as many as the built-in
/// tables need.
const INITIAL_ENTRIES: usize = 200;

/// The number of names that are looked up one by one before the directory is listed.
const MAX_SINGLE_LOOKUPS: u32 = 3;

/// The largest number of links in a chain, as in the Linux kernel.
const MAX_LINKS: u32 = 40;

impl PlacedPath {
    /// Returns the pattern as elements of a path trie.
    pub(super) fn steps(&self) -> impl Iterator<Item = Step<'_>> {
        steps(&self.literal, &self.rest)
    }
}

/// Returns a literal path and the components after it as elements of a path trie.
pub(super) fn steps<'p>(
    literal: &'p AbsPath,
    rest: &'p [Component],
) -> impl Iterator<Item = Step<'p>> {
    let literal = literal.components().map(Step::Literal);
    literal.chain(rest.iter().map(|component| match component {
        Component::Literal(name) => Step::Literal(name),
        Component::Glob(glob) => Step::Glob(glob),
        Component::Deep => Step::Deep,
    }))
}
