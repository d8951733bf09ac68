//! A directory below which most paths lie, and how far the rules on files have come there.

use crate::index::{Begun, Seen, TokenTrie, Tokens};
use crate::path::{AbsPath, names};

/// The way to the project's directory, gone once for all paths below it.
#[derive(Debug, Default)]
pub(super) struct Landmark {
    place: Option<Place>,
    /// Where the ways of all other paths begin.
    root: Begun,
}

#[derive(Debug)]
struct Place {
    path: AbsPath,
    grants: Begun,
    objections: Begun,
}

/// From where a path is matched.
pub(super) struct Start<'l> {
    pub(super) grants: &'l Begun,
    pub(super) objections: &'l Begun,
    /// What is left of the path.
    rest: &'l str,
}

impl Landmark {
    /// A landmark at a path, in the form in which paths are compared.
    pub(super) fn new(path: AbsPath, grants: &TokenTrie, objections: &TokenTrie) -> Landmark {
        let begin = |trie: &TokenTrie| trie.begin(path.components().map(Into::into));
        let (grants, objections) = (begin(grants), begin(objections));
        Landmark { place: Some(Place { path, grants, objections }), root: Begun::default() }
    }

    /// From where to match a path, which has the form in which paths are compared.
    pub(super) fn start<'l>(&'l self, path: &'l AbsPath) -> Start<'l> {
        let below = self.place.as_ref().and_then(|place| {
            let rest = path.as_str().strip_prefix(place.path.as_str())?;
            (rest.is_empty() || rest.starts_with('/')).then_some((place, rest))
        });
        match below {
            Some((Place { grants, objections, .. }, rest)) => Start { grants, objections, rest },
            None => Start { grants: &self.root, objections: &self.root, rest: path.as_str() },
        }
    }
}

impl<'l> Start<'l> {
    /// The components that are left.
    pub(super) fn names(&self) -> Tokens<'l> {
        names(self.rest).map(Seen::Word).collect()
    }
}
