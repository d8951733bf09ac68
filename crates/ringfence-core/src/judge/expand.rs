//! From symbolic path patterns to the paths of this host.

use std::collections::HashMap;

use super::entry::Side;
use crate::context::Context;
use crate::host::{Entry, Host};
use crate::index::Step;
use crate::path::{AbsPath, PathRules};
use crate::pattern::{Base, Component, Glob, PathAlternative, PathPattern};

/// Knows the places of this host, and remembers where links lead.
pub(super) struct Expander<'a> {
    context: &'a Context,
    host: &'a dyn Host,
    rules: PathRules,
    /// Where each path really lies, as far as it was looked up.
    real: HashMap<(AbsPath, Side), Option<Real>>,
}

/// A path pattern with its place filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    literal: Vec<String>,
    rest: Vec<Component>,
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
        Expander { context, host, rules: host.path_rules(), real: HashMap::new() }
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

    fn bases(&self, base: &Base) -> Result<Vec<AbsPath>, Nowhere> {
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
        let is_literal = |component: &&Component| matches!(component, Component::Literal(_));
        let literals = pattern.components.iter().take_while(is_literal).count();
        let mut asked = base.clone();
        for component in pattern.components.iter().take(literals) {
            let Component::Literal(name) = component else {
                continue;
            };
            // A name that no file can have matches nothing.
            let Ok(child) = asked.child(name) else { return };
            asked = child;
        }
        let rest: Vec<Component> =
            pattern.components.iter().skip(literals).map(|own| self.fold(own)).collect();
        let real = self.real(&asked, side, MAX_LINKS).map(|real| real.path);
        let real = real.filter(|real| *real != asked);
        for spelling in [Some(asked), real].into_iter().flatten() {
            let names = spelling.components().map(|name| self.rules.fold_name(name));
            let place = Place { literal: names.collect(), rest: rest.clone() };
            if !to.contains(&place) {
                to.push(place);
            }
        }
    }

    /// Where a path really lies, if that can be told; what does not exist lies where it is named.
    fn real(&mut self, path: &AbsPath, side: Side, links: u32) -> Option<Real> {
        let key = (path.clone(), side);
        if let Some(known) = self.real.get(&key) {
            return known.clone();
        }
        let real = self.look_up(path, side, links);
        self.real.insert(key, real.clone());
        real
    }

    fn look_up(&mut self, path: &AbsPath, side: Side, links: u32) -> Option<Real> {
        let Some(parent) = path.parent() else {
            return Some(Real { path: path.clone(), exists: true });
        };
        let parent = self.real(&parent, side, links)?;
        let here = parent.path.child(path.file_name()).ok()?;
        // Nothing lies below what does not exist.
        let entry = if parent.exists { self.host.entry(&here) } else { Entry::Missing };
        match entry {
            Entry::Link(_) if side == Side::Grant && self.is_within_reach(path, &here) => None,
            Entry::Link(target) => {
                let links = links.checked_sub(1)?;
                self.real(&parent.path.join(&target).ok()?, side, links)
            }
            entry => Some(Real { path: here, exists: entry != Entry::Missing }),
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

/// The most links that are followed one after another, as in the kernel.
const MAX_LINKS: u32 = 40;

impl Place {
    /// The places of a trie of paths.
    pub(super) fn steps(&self) -> impl Iterator<Item = Step<'_>> {
        let literal = self.literal.iter().map(|name| Step::Literal(name));
        literal.chain(self.rest.iter().map(|component| match component {
            Component::Literal(name) => Step::Literal(name),
            Component::Glob(glob) => Step::Glob(glob),
            Component::Deep => Step::Deep,
        }))
    }
}
