//! A trie that matches sequences of tokens (commands, paths, host labels, MCP names) against
//! patterns.

mod source;
mod walk;

pub(crate) use walk::WalkedPrefix;

use std::borrow::Cow;
use std::num::NonZeroU32;

use smallvec::SmallVec;

use super::RuleNumber;
use super::input_token::InputToken;
use super::literal_edges::LiteralEdges;
use super::shape_edges::ShapeEdges;
use crate::pattern::Glob;

/// A sequence of input tokens. Up to twelve are stored without allocation.
pub(crate) type Tokens<'t> = SmallVec<[InputToken<'t>; 12]>;

/// A trie of token patterns.
#[derive(Debug, Clone)]
pub struct TokenTrie {
    nodes: Cow<'static, [Node]>,
    literals: LiteralEdges,
    shapes: ShapeEdges,
    /// For nodes at which several patterns end: all entries except the first.
    more: Cow<'static, [EntryLink]>,
}

/// A state of a trie. It fills half a cache line, so that walks with many rules touch little
/// memory.
#[derive(Debug, Default, Clone)]
#[repr(align(32))]
pub struct Node {
    any: OptIndex,
    deep: OptIndex,
    /// The first child by a literal token; `sibling` links to the next such child of the same
    /// parent.
    literal: OptIndex,
    sibling: OptIndex,
    /// The index of the node's shape edges.
    shapes: OptIndex,
    /// The first pattern that ends here; `more` links to the others.
    entry: RuleNumber,
    more: OptIndex,
    is_end: bool,
    /// Whether a deep wildcard ends here, so that any token leads back to this node.
    loops: bool,
}

impl Node {
    /// Returns whether any further token leads back to this node and nowhere else.
    fn is_settled(&self) -> bool {
        let leads = [self.any, self.deep, self.literal, self.shapes] != [OptIndex::default(); 4];
        self.loops && !leads
    }
}

/// A linked list element: one more pattern that ends at a node.
#[derive(Debug, Clone)]
pub struct EntryLink {
    entry: RuleNumber,
    next: OptIndex,
}

/// An optional list index in four bytes.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct OptIndex(Option<NonZeroU32>);

impl OptIndex {
    fn to(place: usize) -> OptIndex {
        OptIndex(u32::try_from(place).ok().and_then(|at| NonZeroU32::new(at.saturating_add(1))))
    }

    fn get(self) -> Option<u32> {
        self.0.map(|at| at.get().saturating_sub(1))
    }

    fn place(self) -> Option<usize> {
        self.get().map(|at| at as usize)
    }

    /// Returns the index; stores `fresh` first if there is none.
    fn get_or_insert(&mut self, fresh: u32) -> u32 {
        self.get().unwrap_or_else(|| {
            *self = OptIndex::to(fresh as usize);
            fresh
        })
    }
}

/// One element of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step<'a> {
    /// This token.
    Literal(&'a str),
    /// Any of these tokens.
    OneOf(Vec<String>),
    /// A token that matches this glob.
    Glob(&'a Glob),
    /// Any number of tokens, also none (a deep wildcard).
    Deep,
}

/// How a pattern matched a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MatchKind {
    /// The last token matched the last element of the pattern.
    Full,
    /// A deep wildcard at the end of the pattern matched no token: `dir/**` matched `dir`.
    Itself,
}

impl Default for TokenTrie {
    fn default() -> TokenTrie {
        TokenTrie {
            nodes: vec![Node::default()].into(),
            literals: LiteralEdges::default(),
            shapes: ShapeEdges::default(),
            more: Cow::default(),
        }
    }
}

impl TokenTrie {
    /// Adds a pattern. Lookups report `entry` for the sequences that it matches.
    pub(crate) fn insert<'a>(
        &mut self,
        steps: impl IntoIterator<Item = Step<'a>>,
        entry: RuleNumber,
    ) {
        let mut at = 0;
        for step in steps {
            at = self.child(at, &step);
        }
        self.end(at, entry);
    }

    /// Returns whether the trie has no pattern, except possibly patterns without tokens.
    pub(crate) fn is_empty(&self) -> bool {
        matches!(&*self.nodes, [only] if !only.is_end)
    }

    /// Calls `found` for every pattern that matches the whole sequence.
    pub(crate) fn each_match<'t>(
        &self,
        tokens: impl IntoIterator<Item = &'t str>,
        mut found: impl FnMut(RuleNumber, MatchKind),
    ) {
        let tokens: Tokens<'_> = tokens.into_iter().map(InputToken::Word).collect();
        self.each_match_from(&WalkedPrefix::default(), &tokens, &mut found);
    }

    // The following methods take slices and `dyn` functions instead of generic parameters. Paths,
    // commands and names then share one copy of the walk, which fits into the instruction cache.

    /// Like [`TokenTrie::each_match`], for a walked prefix and the tokens after it.
    pub(crate) fn each_match_from(
        &self,
        prefix: &WalkedPrefix,
        tokens: &[InputToken<'_>],
        found: &mut dyn FnMut(RuleNumber, MatchKind),
    ) {
        if self.is_empty() {
            return;
        }
        for node in self.nodes_at(self.walk(tokens, prefix, &mut Default::default())) {
            self.entries(node).for_each(|entry| found(entry, MatchKind::Full));
            if let Some(deep) = self.deep(node) {
                self.entries(deep).for_each(|entry| found(entry, MatchKind::Itself));
            }
        }
    }

    /// Calls `found` for every pattern that matches the sequence and every continuation of it.
    pub(crate) fn each_covering(
        &self,
        prefix: &WalkedPrefix,
        tokens: &[InputToken<'_>],
        found: &mut dyn FnMut(RuleNumber),
    ) {
        for node in self.nodes_at(self.walk(tokens, prefix, &mut Default::default())) {
            let end = if node.loops { Some(node) } else { self.deep(node) };
            end.into_iter().flat_map(|end| self.entries(end)).for_each(&mut *found);
        }
    }

    /// Calls `found` for every pattern that surely matches the sequence or a continuation of it.
    ///
    /// Such a pattern continues with literals, and with at most one wildcard at its end. A pattern
    /// with an earlier wildcard is not reported, because it depends on the files that exist whether
    /// it matches any of them.
    pub(crate) fn each_below(
        &self,
        prefix: &WalkedPrefix,
        tokens: &[InputToken<'_>],
        found: &mut dyn FnMut(RuleNumber),
    ) {
        let mut open: Vec<&Node> = Vec::new();
        for node in self.nodes_at(self.walk(tokens, prefix, &mut Default::default())) {
            match node.loops {
                true => self.entries(node).for_each(&mut *found),
                false => open.push(node),
            }
        }
        while let Some(node) = open.pop() {
            let shapes = node.shapes.place().into_iter();
            let wildcards = shapes.flat_map(|edges| self.shapes.children(edges));
            let ends = wildcards.chain(node.any.get()).chain(node.deep.get());
            let ends = ends.filter_map(|child| self.node(child)).chain([node]);
            ends.flat_map(|end| self.entries(end)).for_each(&mut *found);
            open.extend(self.literal_children(node).filter_map(|child| self.node(child)));
        }
    }

    fn child(&mut self, at: u32, step: &Step<'_>) -> u32 {
        let fresh = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        let Some(node) = self.nodes.to_mut().get_mut(at as usize) else {
            return at;
        };
        let mut shapes = || {
            let known = node.shapes.place();
            known.unwrap_or_else(|| {
                let edges = self.shapes.add_node();
                node.shapes = OptIndex::to(edges);
                edges
            })
        };
        let child = match step {
            Step::Literal(token) => self.literals.get_or_insert(at, token, fresh),
            Step::OneOf(tokens) => {
                // Uses a node of its own, because a continuation of the pattern follows all of
                // these tokens.
                let edges = shapes();
                self.shapes.insert_tokens(edges, tokens, fresh);
                fresh
            }
            Step::Glob(glob) if glob.is_any() => node.any.get_or_insert(fresh),
            Step::Glob(glob) => {
                let edges = shapes();
                self.shapes.get_or_insert(edges, glob, fresh)
            }
            Step::Deep if node.loops => at,
            Step::Deep => node.deep.get_or_insert(fresh),
        };
        if child == fresh {
            let mut new = Node { loops: *step == Step::Deep, ..Node::default() };
            if let Step::Literal(_) = step {
                new.sibling = std::mem::replace(&mut node.literal, OptIndex::to(fresh as usize));
            }
            self.nodes.to_mut().push(new);
        }
        child
    }

    /// Marks the end of a pattern at a node.
    fn end(&mut self, at: u32, entry: RuleNumber) {
        let Some(node) = self.nodes.to_mut().get_mut(at as usize) else { return };
        if !node.is_end {
            node.is_end = true;
            node.entry = entry;
            return;
        }
        let last = node.more.place().and_then(|more| self.more.get(more));
        if node.entry != entry && last.is_none_or(|last| last.entry != entry) {
            let next = std::mem::replace(&mut node.more, OptIndex::to(self.more.len()));
            self.more.to_mut().push(EntryLink { entry, next });
        }
    }

    /// Returns the numbers of the patterns that end at a node.
    fn entries(&self, node: &Node) -> impl Iterator<Item = RuleNumber> {
        let further = |link: OptIndex| link.place().and_then(|more| self.more.get(more));
        let more = std::iter::successors(further(node.more), move |more| further(more.next));
        let first = node.is_end.then_some(node.entry);
        first.into_iter().chain(more.map(|more| more.entry))
    }

    fn literal_children(&self, node: &Node) -> impl Iterator<Item = u32> {
        let next = |child: &u32| self.node(*child).and_then(|child| child.sibling.get());
        std::iter::successors(node.literal.get(), next)
    }

    fn deep(&self, node: &Node) -> Option<&Node> {
        node.deep.get().and_then(|deep| self.node(deep))
    }

    fn nodes_at(&self, states: &[u32]) -> impl Iterator<Item = &Node> {
        states.iter().filter_map(|state| self.node(*state))
    }

    fn node(&self, at: u32) -> Option<&Node> {
        self.nodes.get(at as usize)
    }
}
