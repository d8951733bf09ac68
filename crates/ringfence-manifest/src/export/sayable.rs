//! What other formats can say of hosts, tools and paths.

use ringfence_core::pattern::{Base, Component, PathAlternative};

/// Where a path starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Root,
    Home,
    Slash,
}

/// A host as others can say it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Host {
    Any,
    Exact(String),
    Under(String),
}

/// A tool as others can say it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Tool {
    Mcp(String, String),
    Named(String),
}

pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}

pub(super) fn is_glob(text: &str) -> bool {
    text.split('*').all(|part| part.is_empty() || is_name(part))
}

/// The components of a path, where its start and all of them can be said.
pub(super) fn names(path: &PathAlternative) -> Option<(Place, Vec<String>)> {
    let place = match &path.base {
        Base::Root(0) => Place::Root,
        Base::Home => Place::Home,
        Base::Slash => Place::Slash,
        _ => return None,
    };
    let name = |component: &Component| match component {
        Component::Literal(name) => {
            (!name.contains(['*', '?', '[', '{', '\\', '!'])).then(|| name.to_string())
        }
        Component::Glob(glob) => Some(glob.to_string()).filter(|glob| !glob.contains('\\')),
        Component::Deep => Some("**".to_owned()),
    };
    let names: Option<Vec<String>> = path.components.iter().map(name).collect();
    Some((place, names?))
}
