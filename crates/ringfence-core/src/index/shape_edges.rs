//! The edges of a trie for globs and other token shapes.

use std::borrow::Cow;
use std::fmt::Write as _;

use smallvec::SmallVec;

use super::glob_trie::GlobTrie;
use super::hash::{FastMap, fast_map};
use crate::pattern::{Glob, GlobPart};

/// The edges of all nodes whose label is a token shape: a glob or a set of words.
///
/// Each shape is stored once. If a hundred thousand rules end in `*.rs`, they share one shape, and
/// it stays in the CPU cache.
#[derive(Debug, Default, Clone)]
pub(super) struct ShapeEdges {
    shapes: Cow<'static, [Shape]>,
    numbers: FastMap<Glob, u32>,
    /// The child for a node's edge index and a shape index.
    children: FastMap<(u32, u32), u32>,
    nodes: Cow<'static, [ShapeNode]>,
}

/// The shape edges of one node.
#[derive(Debug, Default, Clone)]
pub struct ShapeNode {
    /// The first edges as pairs of shape and child, compared one by one.
    few: Few,
    /// The edges beyond the first [`FEW`].
    many: Option<Box<Many>>,
    /// The first bytes of all tokens that an edge matches. Most other tokens are rejected by this.
    first_bytes: FirstBytes,
}

/// Pairs of shape and child, in insertion order: built at run time or at compile time.
#[derive(Debug, Clone)]
enum Few {
    Built(SmallVec<[(u32, u32); 1]>),
    Fixed(&'static [(u32, u32)]),
}

impl Default for Few {
    fn default() -> Few {
        Few::Built(SmallVec::new())
    }
}

impl Few {
    fn pairs(&self) -> &[(u32, u32)] {
        match self {
            Few::Built(pairs) => pairs,
            Few::Fixed(pairs) => pairs,
        }
    }

    fn push(&mut self, pair: (u32, u32)) {
        match self {
            Few::Built(pairs) => pairs.push(pair),
            Few::Fixed(pairs) => {
                *self = Few::Built(pairs.iter().copied().chain([pair]).collect());
            }
        }
    }
}

impl ShapeNode {
    /// Creates the edges of a node from constants: pairs of shape and child, and the set of first
    /// bytes.
    pub const fn fixed(pairs: &'static [(u32, u32)], first_bytes: [u64; 4]) -> ShapeNode {
        ShapeNode { few: Few::Fixed(pairs), many: None, first_bytes: FirstBytes(first_bytes) }
    }
}

/// A set of byte values, as a bit map.
#[derive(Debug, Default, Clone)]
struct FirstBytes([u64; 4]);

impl FirstBytes {
    /// Adds the first byte of the texts that match a glob, given the glob's first part.
    fn add(&mut self, first: Option<&GlobPart>) {
        match first {
            Some(GlobPart::Char(c)) => {
                let mut bytes = [0; 4];
                let first = c.encode_utf8(&mut bytes).bytes().next().unwrap_or_default();
                self.add_byte(first);
            }
            _ => self.0 = [u64::MAX; 4],
        }
    }

    fn add_byte(&mut self, byte: u8) {
        if let Some(word) = self.0.get_mut(usize::from(byte / 64)) {
            *word |= 1 << (byte % 64);
        }
    }

    /// Returns whether some edge may match the token.
    fn may_take(&self, token: &str) -> bool {
        let has = |byte: u8| self.0.get(usize::from(byte / 64)).map(|word| word >> (byte % 64) & 1);
        token.bytes().next().is_none_or(|first| has(first) == Some(1))
    }
}

#[derive(Debug, Default, Clone)]
struct Many {
    trie: GlobTrie,
    /// Every edge with its child.
    edges: Vec<(Edge, u32)>,
}

/// The label of an edge in [`Many`].
#[derive(Debug, Clone)]
enum Edge {
    /// The shape with this index.
    Shape(u32),
    /// Any of these tokens.
    OneOf(Vec<String>),
}

/// Up to this number of edges, comparing one by one is faster than a trie.
const FEW: usize = 8;

/// The form of the tokens that an edge matches.
#[derive(Debug, Clone)]
pub enum Shape {
    /// A glob with a single star: a prefix and a suffix.
    Ends {
        /// The text before the star.
        start: Cow<'static, str>,
        /// The text after the star.
        end: Cow<'static, str>,
    },
    /// Any of these tokens. Only tries that are built at compile time have this shape.
    OneOf(&'static [&'static str]),
    /// Any other glob.
    Glob(Glob),
}

impl ShapeEdges {
    /// Creates edges from the constants that [`ShapeEdges::source`] printed.
    pub(super) const fn fixed(shapes: &'static [Shape], nodes: &'static [ShapeNode]) -> ShapeEdges {
        ShapeEdges {
            shapes: Cow::Borrowed(shapes),
            numbers: fast_map(),
            children: fast_map(),
            nodes: Cow::Borrowed(nodes),
        }
    }

    /// Prints the shapes, and the edges of all nodes, as the elements of two Rust arrays.
    pub(super) fn source(&self) -> (String, String) {
        let (mut shapes, mut nodes) = (String::new(), String::new());
        let mut count = self.shapes.len();
        for shape in &*self.shapes {
            if let Shape::Ends { start, end } = shape {
                let _ = write!(
                    shapes,
                    "Shape::Ends {{ start: Cow::Borrowed({start:?}), end: Cow::Borrowed({end:?}) }},"
                );
            }
        }
        for node in &*self.nodes {
            let mut pairs: Vec<(u32, u32)> = node.few.pairs().to_vec();
            let many = node.many.iter().flat_map(|many| many.edges.iter());
            for (edge, child) in many {
                let shape = match edge {
                    Edge::Shape(shape) => *shape,
                    Edge::OneOf(tokens) => {
                        let _ = write!(shapes, "Shape::OneOf(&{tokens:?}),");
                        let number = u32::try_from(count).unwrap_or(u32::MAX);
                        count = count.saturating_add(1);
                        number
                    }
                };
                pairs.push((shape, *child));
            }
            let _ = write!(nodes, "ShapeNode::fixed(&{pairs:?}, {:?}),", node.first_bytes.0);
        }
        (shapes, nodes)
    }

    /// Adds an empty set of edges for one more node and returns its index.
    pub(super) fn add_node(&mut self) -> usize {
        self.nodes.to_mut().push(ShapeNode::default());
        self.nodes.len().saturating_sub(1)
    }

    /// Returns the child of a node by a glob; adds `fresh` as the child if there is none.
    pub(super) fn get_or_insert(&mut self, node: usize, glob: &Glob, fresh: u32) -> u32 {
        let shape = self.shape(glob);
        let key = (u32::try_from(node).unwrap_or(u32::MAX), shape);
        if let Some(known) = self.children.get(&key) {
            return *known;
        }
        if let Some(edges) = self.nodes.to_mut().get_mut(node) {
            self.children.insert(key, fresh);
            edges.first_bytes.add(glob.parts().first());
            match edges.few.pairs().len() < FEW {
                true => edges.few.push((shape, fresh)),
                false => {
                    let many = edges.many.get_or_insert_default();
                    many.trie.insert(glob, fresh);
                    many.edges.push((Edge::Shape(shape), fresh));
                }
            }
        }
        fresh
    }

    /// Adds one edge that matches any of the tokens. Other edges may match the same tokens.
    pub(super) fn insert_tokens(&mut self, node: usize, tokens: &[String], child: u32) {
        if let Some(edges) = self.nodes.to_mut().get_mut(node) {
            let many = edges.many.get_or_insert_default();
            tokens.iter().for_each(|token| many.trie.insert(&Glob::literal(token), child));
            let first_bytes = tokens.iter().filter_map(|token| token.bytes().next());
            first_bytes.for_each(|first| edges.first_bytes.add_byte(first));
            many.edges.push((Edge::OneOf(tokens.to_vec()), child));
        }
    }

    /// Calls `found` with the child of every edge that matches the token.
    pub(super) fn each_match(&self, node: usize, token: &str, mut found: impl FnMut(u32)) {
        let edges = self.nodes.get(node).filter(|edges| edges.first_bytes.may_take(token));
        let Some(edges) = edges else { return };
        for (shape, child) in edges.few.pairs() {
            if self.shapes.get(*shape as usize).is_some_and(|shape| shape.takes(token)) {
                found(*child);
            }
        }
        if let Some(many) = &edges.many {
            many.trie.each_match(token, found);
        }
    }

    /// Returns the children of a node by any of its edges.
    pub(super) fn children(&self, node: usize) -> impl Iterator<Item = u32> {
        let edges = self.nodes.get(node).into_iter();
        let few = edges.clone().flat_map(|edges| edges.few.pairs().iter().map(|(_, child)| *child));
        let many = edges.filter_map(|edges| edges.many.as_ref());
        few.chain(many.flat_map(|many| many.edges.iter().map(|(_, child)| *child)))
    }

    fn shape(&mut self, glob: &Glob) -> u32 {
        if let Some(known) = self.numbers.get(glob) {
            return *known;
        }
        let number = u32::try_from(self.shapes.len()).unwrap_or(u32::MAX);
        self.shapes.to_mut().push(Shape::from(glob));
        self.numbers.insert(glob.clone(), number);
        number
    }
}

impl From<&Glob> for Shape {
    fn from(glob: &Glob) -> Shape {
        let text = |parts: &[GlobPart]| -> Option<Cow<'static, str>> {
            let chars = parts.iter().map(|part| match part {
                GlobPart::Char(c) => Some(*c),
                _ => None,
            });
            chars.collect::<Option<String>>().map(Cow::Owned)
        };
        let mut halves = glob.parts().splitn(2, |part| *part == GlobPart::Star);
        match (halves.next().and_then(text), halves.next().and_then(text)) {
            (Some(start), Some(end)) => Shape::Ends { start, end },
            _ => Shape::Glob(glob.clone()),
        }
    }
}

impl Shape {
    fn takes(&self, token: &str) -> bool {
        match self {
            // Prefix and suffix must not overlap: `a*a` does not match `a`. Empty texts are not
            // compared: their dangling pointer would slow the comparison on some processors.
            Shape::Ends { start, end } => {
                let rest =
                    if start.is_empty() { Some(token) } else { token.strip_prefix(&**start) };
                rest.is_some_and(|rest| end.is_empty() || rest.ends_with(&**end))
            }
            Shape::Glob(glob) => glob.matches(token),
            Shape::OneOf(tokens) => tokens.contains(&token),
        }
    }
}
