//! From symbolic path patterns to the paths of this host.

use super::entry::Side;
use crate::context::Context;
use crate::host::{Entry, Host};
use crate::index::{FastMap, Step};
use crate::path::{AbsPath, PathRules};
use crate::pattern::{Base, Component, Glob, PathAlternative, PathPattern};

/// Knows the places of this host, and remembers where links lead.
pub(super) struct Expander<'a> {
    context: &'a Context,
    host: &'a dyn Host,
    rules: PathRules,
    /// What lies where, as far as it was looked up.
    entries: FastMap<AbsPath, Entry>,
    /// Where the directories really lie from which patterns start.
    bases: Vec<((AbsPath, Side), Option<Real>)>,
    /// The names in the home directory and below it, once more than a few of a directory were asked
    /// for: many rules begin there, and most of what they name is not there.
    at_home: Vec<(AbsPath, Names)>,
}

/// What is known of the names in a directory.
#[derive(Debug)]
enum Names {
    /// So many were asked for.
    Asked(u32),
    /// These are all, each with whether it is a link, where that was told.
    Known(FastMap<Box<str>, Option<bool>>),
    /// They cannot be listed.
    Unknown,
}

/// A path pattern with its place filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) literal: AbsPath,
    pub(super) rest: Vec<Component>,
}

/// Where a path really lies, and whether anything is there.
#[derive(Debug, Clone)]
struct Real {
    path: AbsPath,
    exists: bool,
}

/// The place of a pattern cannot be told here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nowhere {
    /// There is no project.
    NoRoot,
    /// The variable is not set, or its value is no absolute path.
    Unset,
}

impl<'a> Expander<'a> {
    pub(super) fn new(context: &'a Context, host: &'a dyn Host) -> Expander<'a> {
        Expander {
            context,
            host,
            rules: host.path_rules(),
            entries: FastMap::default(),
            bases: Vec::new(),
            at_home: Vec::new(),
        }
    }

    pub(super) fn host(&self) -> &dyn Host {
        self.host
    }

    /// The places that a pattern means, links in its literal part followed as well as not.
    ///
    /// What objects follows every link. What grants follows none that lies where an agent may
    /// have put it: a link that came with the project must not move a grant.
    pub(super) fn places(
        &mut self,
        pattern: &PathPattern,
        side: Side,
    ) -> Result<Vec<Place>, Nowhere> {
        let mut places = Vec::new();
        for alternative in pattern.alternatives() {
            for base in self.bases(&alternative.base)? {
                self.add_places(&base, alternative, side, &mut places);
            }
        }
        Ok(places)
    }

    /// Returns the places of a pattern below a base, the one that is spelled out first.
    pub(super) fn places_of(
        &mut self,
        base: &AbsPath,
        pattern: &PathAlternative,
        side: Side,
    ) -> Vec<Place> {
        let mut places = Vec::new();
        self.add_places(base, pattern, side, &mut places);
        places
    }

    /// Returns where a directory from which patterns start really lies, and whether it exists.
    pub(super) fn real_directory(&mut self, base: &AbsPath, side: Side) -> Option<(AbsPath, bool)> {
        self.real_base(base, side, MAX_LINKS).map(|real| (real.path, real.exists))
    }

    /// Returns whether a path exists and is no link; `None` for a link.
    pub(super) fn is_plain_entry(&mut self, path: &AbsPath, side: Side) -> Option<bool> {
        let real = self.step(|| Some(path.clone()), path.clone(), side, MAX_LINKS)?;
        (real.path == *path).then_some(real.exists)
    }

    /// Where the names below a base really lie, if that can be told.
    fn real_place(&mut self, base: &AbsPath, names: &[&str], side: Side) -> Option<AbsPath> {
        self.real(base, names, side, MAX_LINKS).map(|real| real.path)
    }

    pub(super) fn bases(&self, base: &Base) -> Result<Vec<AbsPath>, Nowhere> {
        match base {
            Base::Slash => Ok(vec![AbsPath::root()]),
            Base::Home => Ok(vec![self.context.home.clone()]),
            Base::Cwd => Ok(vec![self.context.cwd.clone()]),
            Base::Tmp => Ok(self.context.tmp.clone()),
            Base::System => Ok(self.context.system.clone()),
            Base::Root(up) => {
                let mut root = self.context.root.clone().ok_or(Nowhere::NoRoot)?;
                for _ in 0..*up {
                    root = root.parent().unwrap_or_else(AbsPath::root);
                }
                Ok(vec![root])
            }
            Base::Var(name) => {
                let value = self.host.env(name).and_then(|value| AbsPath::new(&value).ok());
                Ok(vec![value.ok_or(Nowhere::Unset)?])
            }
        }
    }

    fn add_places(
        &mut self,
        base: &AbsPath,
        pattern: &PathAlternative,
        side: Side,
        to: &mut Vec<Place>,
    ) {
        let names: Vec<&str> = pattern.components.iter().map_while(literal).collect();
        let rest = pattern.components.iter().skip(names.len());
        let rest: Vec<Component> = rest.map(|own| self.fold(own)).collect();
        // A name that no file can have matches nothing.
        let Ok(asked) = base.descend(names.iter().copied()) else { return };
        let real = self.real_place(base, &names, side);
        let real = real.filter(|real| *real != asked);
        for spelling in [Some(asked), real].into_iter().flatten() {
            let place = Place { literal: self.rules.fold(&spelling), rest: rest.clone() };
            if !to.contains(&place) {
                to.push(place);
            }
        }
    }

    /// Where a path really lies, if that can be told; what does not exist lies where it is named.
    fn real(&mut self, base: &AbsPath, names: &[&str], side: Side, links: u32) -> Option<Real> {
        let mut at = self.real_base(base, side, links)?;
        for (depth, name) in names.iter().enumerate() {
            if !at.exists {
                // Nothing lies below what does not exist.
                let rest = names.iter().skip(depth).copied();
                return Some(Real { path: at.path.descend(rest).ok()?, exists: false });
            }
            let here = at.path.child(name).ok()?;
            let asked = || base.descend(names.iter().take(depth.saturating_add(1)).copied()).ok();
            at = self.step(asked, here, side, links)?;
        }
        Some(at)
    }

    /// Where a directory really lies from which patterns start; remembered, as they are few.
    fn real_base(&mut self, base: &AbsPath, side: Side, links: u32) -> Option<Real> {
        let key = (base.clone(), side);
        if let Some((_, known)) = self.bases.iter().find(|(own, _)| *own == key) {
            return known.clone();
        }
        let names: Vec<&str> = base.components().collect();
        let real = match names.is_empty() {
            true => Some(Real { path: base.clone(), exists: true }),
            false => self.real(&AbsPath::root(), &names, side, links),
        };
        self.bases.push((key, real.clone()));
        real
    }

    /// Where `here`, which is called `asked`, leads to.
    fn step(
        &mut self,
        asked: impl FnOnce() -> Option<AbsPath>,
        here: AbsPath,
        side: Side,
        links: u32,
    ) -> Option<Real> {
        let entry = match self.entries.get(&here) {
            Some(known) => known.clone(),
            None => {
                let entry = match self.is_missing_at_home(&here) {
                    true => Entry::Missing,
                    false => self.host.entry(&here),
                };
                self.entries.insert(here.clone(), entry.clone());
                entry
            }
        };
        match entry {
            Entry::Link(target) => {
                if side == Side::Grant && self.is_within_reach(&asked()?, &here) {
                    return None;
                }
                let links = links.checked_sub(1)?;
                let target = here.parent()?.join(&target).ok()?;
                let names: Vec<&str> = target.components().collect();
                self.real(&AbsPath::root(), &names, side, links)
            }
            entry => Some(Real { path: here, exists: entry != Entry::Missing }),
        }
    }

    /// Whether a path is known not to be there, in the home directory or below it.
    fn is_missing_at_home(&mut self, here: &AbsPath) -> bool {
        let Some(directory) = here.parent() else { return false };
        let name = here.file_name();
        self.names_at_home(&directory, name).is_some_and(|names| !names.contains_key(name))
    }

    /// The names in a directory at home or below it, where they are known; one look at all names of a
    /// directory spares a look at each.
    fn names_at_home(
        &mut self,
        directory: &AbsPath,
        name: &str,
    ) -> Option<&FastMap<Box<str>, Option<bool>>> {
        // A name that is not UTF-8 is listed with such characters in it.
        if !directory.starts_with(&self.context.home)
            || self.context.home.is_root()
            || self.rules.case_insensitive
            || !name.is_ascii() && name.contains(char::REPLACEMENT_CHARACTER)
        {
            return None;
        }
        let known = self.at_home.iter().position(|(own, _)| own == directory);
        let at = known.unwrap_or_else(|| {
            self.at_home.push((directory.clone(), Names::Asked(0)));
            self.at_home.len().saturating_sub(1)
        });
        let (_, names) = self.at_home.get_mut(at)?;
        match names {
            Names::Asked(count) if *count < FEW => *count = count.saturating_add(1),
            Names::Asked(_) => *names = Names::list(self.host, directory),
            Names::Known(_) | Names::Unknown => {}
        }
        match names {
            Names::Known(names) => Some(names),
            Names::Asked(_) | Names::Unknown => None,
        }
    }

    /// Whether a link lies where agents usually may write: in the project or a temporary directory.
    fn is_within_reach(&self, asked: &AbsPath, real: &AbsPath) -> bool {
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

impl Names {
    fn list(host: &dyn Host, directory: &AbsPath) -> Names {
        let with_links = host
            .list_links(directory)
            .map(|names| names.into_iter().map(|(name, is_link)| (name, Some(is_link))).collect());
        let names = with_links
            .or_else(|| Some(host.list(directory)?.into_iter().map(|name| (name, None)).collect()));
        names.map_or(Names::Unknown, Names::Known)
    }
}

/// The name, if the component is one.
fn literal(component: &Component) -> Option<&str> {
    match component {
        Component::Literal(name) => Some(name),
        Component::Glob(_) | Component::Deep => None,
    }
}

/// So many names are looked at one by one before all are listed.
const FEW: u32 = 3;

/// The most links that are followed one after another, as in the kernel.
const MAX_LINKS: u32 = 40;

impl Place {
    /// The places of a trie of paths.
    pub(super) fn steps(&self) -> impl Iterator<Item = Step<'_>> {
        steps(&self.literal, &self.rest)
    }
}

/// A literal path and the components behind it, as a trie of paths takes them.
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
