//! From symbolic path patterns to the paths of this host.

use std::collections::HashMap;

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
    /// Where each directory really lies, as far as it was looked up.
    real: HashMap<AbsPath, AbsPath>,
}

/// A path pattern with its place filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    literal: Vec<String>,
    rest: Vec<Component>,
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
    pub(super) fn places(&mut self, pattern: &PathPattern) -> Result<Vec<Place>, Nowhere> {
        let mut places = Vec::new();
        for alternative in pattern.alternatives() {
            for base in self.bases(&alternative.base)? {
                self.add_places(&base, alternative, &mut places);
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

    fn add_places(&mut self, base: &AbsPath, pattern: &PathAlternative, to: &mut Vec<Place>) {
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
        let real = self.real(&asked, MAX_LINKS);
        for spelling in [Some(asked), real].into_iter().flatten() {
            let names = spelling.components().map(|name| self.rules.fold_name(name));
            let place = Place { literal: names.collect(), rest: rest.clone() };
            if !to.contains(&place) {
                to.push(place);
            }
        }
    }

    /// Where a path really lies, if that can be told; what does not exist lies where it is named.
    fn real(&mut self, path: &AbsPath, links: u32) -> Option<AbsPath> {
        if let Some(known) = self.real.get(path) {
            return Some(known.clone());
        }
        let Some(parent) = path.parent() else {
            return Some(path.clone());
        };
        let here = self.real(&parent, links)?.child(path.file_name()).ok()?;
        let real = match self.host.entry(&here) {
            Entry::Link(target) => {
                let links = links.checked_sub(1)?;
                let target = here.parent()?.join(&target).ok()?;
                self.real(&target, links)?
            }
            _ => here,
        };
        self.real.insert(path.clone(), real.clone());
        Some(real)
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
