//! A file tree in memory. It stores symbolic links but never follows them.

use super::FileEntry;
use crate::index::FastMap;
use crate::path::{AbsPath, PathRules};

/// An entry of the tree.
#[derive(Debug, Clone)]
pub(super) enum Node {
    /// A directory.
    Dir,
    /// A name of the file with this index in `contents`.
    File(usize),
    /// A symbolic link.
    Link(Box<str>),
    /// A device, socket or pipe.
    Other,
    /// An entry that cannot be inspected.
    Unreadable(Box<str>),
}

impl Node {
    /// Returns whether a path through this entry may continue somewhere else.
    fn may_redirect(&self) -> bool {
        matches!(self, Node::Link(_) | Node::Unreadable(_))
    }
}

/// The largest number of redirects that are compared one by one. With more, paths are resolved step
/// by step.
const MAX_LISTED_REDIRECTS: usize = 16;

/// A regular file, which may have several names.
#[derive(Debug, Clone)]
struct Content {
    bytes: Vec<u8>,
    links: u64,
}

/// A tree of files. Every parent of an entry exists and is a directory.
#[derive(Debug, Clone)]
pub(super) struct FileTree {
    rules: PathRules,
    /// The entries with the path as given, by the case-folded path.
    nodes: FastMap<AbsPath, (AbsPath, Node)>,
    /// The case-folded paths of links and unreadable entries: paths through them may continue
    /// elsewhere.
    redirects: Vec<AbsPath>,
    contents: Vec<Content>,
}

impl FileTree {
    /// Creates a tree that contains only the root directory.
    pub(super) fn new() -> FileTree {
        let root = AbsPath::root();
        FileTree {
            rules: PathRules::LINUX,
            nodes: FastMap::from_iter([(root.clone(), (root, Node::Dir))]),
            redirects: Vec::new(),
            contents: Vec::new(),
        }
    }

    pub(super) fn rules(&self) -> PathRules {
        self.rules
    }

    /// Changes the rules for comparing paths.
    pub(super) fn set_rules(&mut self, rules: PathRules) {
        self.rules = rules;
        let nodes = std::mem::take(&mut self.nodes).into_values();
        self.nodes = nodes.map(|(path, node)| (rules.fold(&path), (path, node))).collect();
        self.collect_redirects();
    }

    fn collect_redirects(&mut self) {
        let nodes = self.nodes.iter().filter(|(_, (_, node))| node.may_redirect());
        self.redirects = nodes.map(|(key, _)| key.clone()).collect();
    }

    pub(super) fn node(&self, path: &AbsPath) -> Option<&Node> {
        self.nodes.get(&*self.rules.folded(path)).map(|(_, node)| node)
    }

    /// Returns the entry at a path, or `None` if a link may be among its parents.
    pub(super) fn entry_if_link_free(&self, path: &AbsPath) -> Option<FileEntry> {
        let path = self.rules.folded(path);
        // The byte test is false for most paths, and saves the comparison of the texts.
        let leads_by = |redirect: &AbsPath| {
            let (text, redirect) = (path.as_str(), redirect.as_str());
            text.as_bytes().get(redirect.len()) == Some(&b'/') && text.starts_with(redirect)
        };
        if self.redirects.len() > MAX_LISTED_REDIRECTS || self.redirects.iter().any(leads_by) {
            return None;
        }
        let node = self.nodes.get(&*path).map(|(_, node)| node);
        Some(node.map_or(FileEntry::Missing, |node| self.entry_of(node)))
    }

    /// Puts a node at a path, and creates missing parent directories.
    pub(super) fn put(&mut self, path: &AbsPath, node: Node) {
        let mut above = path.parent();
        while let Some(directory) = above {
            above = directory.parent();
            let key = self.rules.fold(&directory);
            self.nodes.entry(key).or_insert((directory, Node::Dir));
        }
        let key = self.rules.fold(path);
        self.redirects.retain(|own| *own != key);
        if node.may_redirect() {
            self.redirects.push(key.clone());
        }
        self.nodes.insert(key, (path.clone(), node));
    }

    /// Removes and returns everything below a path, and also a file at the path itself.
    pub(super) fn take_below(&mut self, path: &AbsPath) -> Vec<(AbsPath, Node)> {
        let top = self.rules.fold(path);
        let is_below = |key: &AbsPath, node: &Node| match node {
            Node::File(_) => key.starts_with(&top),
            _ => key != &top && key.starts_with(&top),
        };
        let taken = self.nodes.extract_if(|key, (_, node)| is_below(key, node));
        let mut taken: Vec<(AbsPath, Node)> = taken.map(|(_, entry)| entry).collect();
        self.collect_redirects();
        // Sorted, so that parents come before their entries when the caller adds them again.
        taken.sort_by(|(one, _), (other, _)| one.cmp(other));
        taken
    }

    /// Adds a file that has no name yet, and returns its index.
    pub(super) fn new_content(&mut self, bytes: Vec<u8>) -> usize {
        self.contents.push(Content { bytes, links: 0 });
        self.contents.len().saturating_sub(1)
    }

    /// Counts one more name of a file.
    pub(super) fn link_content(&mut self, number: usize) {
        if let Some(content) = self.contents.get_mut(number) {
            content.links = content.links.saturating_add(1);
        }
    }

    pub(super) fn entry(&self, path: &AbsPath) -> FileEntry {
        self.node(path).map_or(FileEntry::Missing, |node| self.entry_of(node))
    }

    fn entry_of(&self, node: &Node) -> FileEntry {
        match node {
            Node::Dir => FileEntry::Dir,
            Node::File(number) => FileEntry::File {
                links: self.contents.get(*number).map_or(1, |content| content.links),
            },
            Node::Link(target) => FileEntry::Link(target.clone()),
            Node::Other => FileEntry::Other,
            Node::Unreadable(reason) => FileEntry::Unreadable(reason.to_string()),
        }
    }

    pub(super) fn list(&self, directory: &AbsPath) -> Option<Vec<Box<str>>> {
        if !matches!(self.node(directory)?, Node::Dir) {
            return None;
        }
        let directory = self.rules.fold(directory);
        let is_inside = |key: &AbsPath| {
            let rest = match directory.is_root() {
                true => key.as_str().strip_prefix('/').filter(|rest| !rest.is_empty()),
                false => {
                    let rest = key.as_str().strip_prefix(directory.as_str());
                    rest.and_then(|rest| rest.strip_prefix('/'))
                }
            };
            rest.is_some_and(|name| !name.contains('/'))
        };
        let inside = self.nodes.iter().filter(|(key, _)| is_inside(key));
        let mut names: Vec<Box<str>> =
            inside.map(|(_, (path, _))| path.file_name().into()).collect();
        names.sort_unstable();
        Some(names)
    }

    pub(super) fn bytes(&self, path: &AbsPath) -> Option<&[u8]> {
        match self.node(path)? {
            Node::File(number) => self.contents.get(*number).map(|content| &*content.bytes),
            _ => None,
        }
    }
}
