//! What can be told of a path pattern at a glance.

use smallvec::SmallVec;

use crate::context::Context;
use crate::path::AbsPath;
use crate::pattern::{Base, Component, PathAlternative};
use crate::text::{cut, parts};

/// A path pattern that says nothing unusual.
pub(super) struct Sketch<'t> {
    pub(super) base: AbsPath,
    pub(super) names: SmallVec<[&'t str; 8]>,
    /// From the first wildcard on, as far as it is looked at.
    rest: SmallVec<[(&'t str, Part); 4]>,
}

/// What a part of a path pattern is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// A name and nothing else.
    Name,
    /// Has a star in it.
    Starred,
}

impl Part {
    fn of(text: &str) -> Option<Part> {
        if matches!(text, "" | "." | "..") {
            return None;
        }
        let mut part = Part::Name;
        for byte in text.bytes() {
            match byte {
                b'*' => part = Part::Starred,
                b'{' | b'}' | b'[' | b'\\' | b'?' | b'$' | 0 => return None,
                _ => {}
            }
        }
        Some(part)
    }
}

impl<'t> Sketch<'t> {
    /// Reads the text of a pattern that starts at the root, at home or in the project, and has no
    /// notation in it but stars.
    pub(super) fn read(text: &'t str, context: &Context) -> Option<Sketch<'t>> {
        let (base, path) = match cut(text, b'/')? {
            ("", below) => (AbsPath::root(), below),
            ("~", below) => (context.home.clone(), below),
            ("@root", below) => (context.root.clone()?, below),
            ("**", _) => (AbsPath::root(), text),
            _ => return None,
        };
        let mut sketch = Sketch { base, names: SmallVec::new(), rest: SmallVec::new() };
        for part in parts(path, b'/') {
            match Part::of(part)? {
                Part::Name if sketch.rest.is_empty() => sketch.names.push(part),
                kind => sketch.rest.push((part, kind)),
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
        let has = |(part, kind): &(&str, Part)| {
            *kind == Part::Starred || path.components().any(|name| name == *part)
        };
        let ends = match self.rest.last().and_then(|(last, _)| cut(last, b'*')) {
            None => true,
            Some((start, end)) => {
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
