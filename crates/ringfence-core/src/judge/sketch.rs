//! What can be told of a path pattern at a glance.

use smallvec::SmallVec;

use crate::context::Context;
use crate::path::AbsPath;
use crate::pattern::{Base, Component, PathAlternative};

/// A path pattern that says nothing unusual.
pub(super) struct Sketch<'t> {
    pub(super) base: AbsPath,
    pub(super) names: SmallVec<[&'t str; 8]>,
    /// From the first wildcard on, as far as it is looked at.
    rest: SmallVec<[&'t str; 8]>,
}

impl<'t> Sketch<'t> {
    /// Reads the text of a pattern that starts at the root, at home or in the project, and has no
    /// notation in it but stars.
    pub(super) fn read(text: &'t str, context: &Context) -> Option<Sketch<'t>> {
        let unusual = |byte: u8| matches!(byte, b'{' | b'}' | b'[' | b'\\' | b'?' | b'$' | 0);
        if text.bytes().any(unusual) || text.ends_with('/') {
            return None;
        }
        let (base, path) = match text.split_once('/')? {
            ("", below) => (AbsPath::root(), below),
            ("~", below) => (context.home.clone(), below),
            ("@root", below) => (context.root.clone()?, below),
            ("**", _) => (AbsPath::root(), text),
            _ => return None,
        };
        let mut sketch = Sketch { base, names: SmallVec::new(), rest: SmallVec::new() };
        for part in path.split('/') {
            match part {
                "" | "." | ".." => return None,
                name if sketch.rest.is_empty() && !name.contains('*') => sketch.names.push(name),
                part => sketch.rest.push(part),
            }
        }
        Some(sketch)
    }

    /// The same of a pattern that was parsed; what follows its first wildcard is not looked at.
    pub(super) fn of(pattern: &'t PathAlternative, context: &Context) -> Option<Sketch<'t>> {
        let base = match &pattern.base {
            Base::Slash => AbsPath::root(),
            Base::Home => context.home.clone(),
            Base::Cwd => context.cwd.clone(),
            Base::Root(0) => context.root.clone()?,
            Base::Root(_) | Base::Tmp | Base::System | Base::Var(_) => return None,
        };
        let literal = |component: &'t Component| match component {
            Component::Literal(name) => Some(&**name),
            Component::Glob(_) | Component::Deep => None,
        };
        let names = pattern.components.iter().map_while(literal).collect();
        Some(Sketch { base, names, rest: SmallVec::new() })
    }

    /// Whether the path may have what the pattern wants behind its first wildcard.
    pub(super) fn may_end_like(&self, path: &AbsPath) -> bool {
        let has = |part: &&str| part.contains('*') || path.components().any(|name| name == *part);
        let ends = match self.rest.last().map(|last| last.split_once('*')) {
            None | Some(None) => true,
            Some(Some((start, end))) => {
                let name = path.file_name().strip_prefix(start);
                end.contains('*') || name.is_some_and(|name| name.ends_with(end))
            }
        };
        ends && self.rest.iter().all(has)
    }

    /// Whether the path lies where the pattern starts, by its text.
    pub(super) fn starts(&self, path: &AbsPath) -> bool {
        let base = if self.base.is_root() { "" } else { self.base.as_str() };
        let start = path.as_str().strip_prefix(base);
        let below =
            self.names.iter().fold(start, |at, name| at?.strip_prefix('/')?.strip_prefix(name));
        below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}
