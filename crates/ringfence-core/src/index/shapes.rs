//! The edges of a trie that take tokens by their shape.

use smallvec::SmallVec;

use super::glob_trie::GlobTrie;
use super::hash::FastMap;
use crate::pattern::{Glob, GlobPart};

/// The edges of all nodes of a trie that take tokens by their shape.
///
/// Shapes are kept once: a hundred thousand rules that end in `*.rs` share one, and a walk finds
/// it in the cache.
#[derive(Debug, Default, Clone)]
pub(super) struct ShapeEdges {
    shapes: Vec<Shape>,
    numbers: FastMap<Glob, u32>,
    /// Which child a shape leads to from a node that has edges.
    children: FastMap<(u32, u32), u32>,
    nodes: Vec<Edges>,
}

/// The edges of one node.
#[derive(Debug, Default, Clone)]
struct Edges {
    /// Shape and child, compared one by one.
    few: SmallVec<[(u32, u32); 1]>,
    /// All beyond the first few.
    many: Option<Box<Many>>,
    /// The bytes with which a token may begin that an edge takes: most tokens need no closer look.
    firsts: Firsts,
}

/// A set of bytes.
#[derive(Debug, Default, Clone)]
struct Firsts([u64; 4]);

impl Firsts {
    /// Adds what a text begins with that the parts take.
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

    /// Whether a token may be one that an edge takes.
    fn may_take(&self, token: &str) -> bool {
        let has = |byte: u8| self.0.get(usize::from(byte / 64)).map(|word| word >> (byte % 64) & 1);
        token.bytes().next().is_none_or(|first| has(first) == Some(1))
    }
}

#[derive(Debug, Default, Clone)]
struct Many {
    trie: GlobTrie,
    children: Vec<u32>,
    /// The children that one of several tokens leads to.
    one_of: Vec<u32>,
}

/// Up to here comparing one by one is faster than a trie, and needs no building.
const FEW: usize = 8;

#[derive(Debug, Clone)]
enum Shape {
    /// One star between two texts.
    Ends { start: Box<str>, end: Box<str> },
    /// Anything else.
    Glob(Glob),
}

impl ShapeEdges {
    /// Makes room for the edges of one more node; they have the number that is returned.
    pub(super) fn add_node(&mut self) -> usize {
        self.nodes.push(Edges::default());
        self.nodes.len().saturating_sub(1)
    }

    /// The child to which the glob leads: the one that is there, else the fresh one.
    pub(super) fn get_or_insert(&mut self, node: usize, glob: &Glob, fresh: u32) -> u32 {
        let shape = self.shape(glob);
        let key = (u32::try_from(node).unwrap_or(u32::MAX), shape);
        if let Some(known) = self.children.get(&key) {
            return *known;
        }
        if let Some(edges) = self.nodes.get_mut(node) {
            self.children.insert(key, fresh);
            edges.firsts.add(glob.parts().first());
            match edges.few.len() < FEW {
                true => edges.few.push((shape, fresh)),
                false => {
                    let many = edges.many.get_or_insert_default();
                    many.trie.insert(glob, fresh);
                    many.children.push(fresh);
                }
            }
        }
        fresh
    }

    /// Lets each of the tokens lead to the child; another edge may take the same tokens.
    pub(super) fn insert_tokens(&mut self, node: usize, tokens: &[String], child: u32) {
        if let Some(edges) = self.nodes.get_mut(node) {
            let many = edges.many.get_or_insert_default();
            tokens.iter().for_each(|token| many.trie.insert(&Glob::literal(token), child));
            let firsts = tokens.iter().filter_map(|token| token.bytes().next());
            firsts.for_each(|first| edges.firsts.add_byte(first));
            many.one_of.push(child);
        }
    }

    /// Calls `found` with the child of every edge that takes the token.
    pub(super) fn each_match(&self, node: usize, token: &str, mut found: impl FnMut(u32)) {
        let edges = self.nodes.get(node).filter(|edges| edges.firsts.may_take(token));
        let Some(edges) = edges else { return };
        for (shape, child) in &edges.few {
            if self.shapes.get(*shape as usize).is_some_and(|shape| shape.takes(token)) {
                found(*child);
            }
        }
        if let Some(many) = &edges.many {
            many.trie.each_match(token, found);
        }
    }

    /// The children behind the globs of a node.
    pub(super) fn children(&self, node: usize) -> impl Iterator<Item = u32> {
        let edges = self.nodes.get(node);
        let few = edges.into_iter().flat_map(|edges| edges.few.iter().map(|(_, child)| *child));
        let many = edges.and_then(|edges| edges.many.as_ref());
        few.chain(many.into_iter().flat_map(|many| many.children.iter().copied()))
    }

    /// The children that one of several tokens leads to.
    pub(super) fn one_of(&self, node: usize) -> impl Iterator<Item = u32> {
        let many = self.nodes.get(node).and_then(|edges| edges.many.as_ref());
        many.into_iter().flat_map(|many| many.one_of.iter().copied())
    }

    fn shape(&mut self, glob: &Glob) -> u32 {
        if let Some(known) = self.numbers.get(glob) {
            return *known;
        }
        let number = u32::try_from(self.shapes.len()).unwrap_or(u32::MAX);
        self.shapes.push(Shape::from(glob));
        self.numbers.insert(glob.clone(), number);
        number
    }
}

impl From<&Glob> for Shape {
    fn from(glob: &Glob) -> Shape {
        let text = |parts: &[GlobPart]| -> Option<Box<str>> {
            let chars = parts.iter().map(|part| match part {
                GlobPart::Char(c) => Some(*c),
                _ => None,
            });
            chars.collect::<Option<String>>().map(String::into_boxed_str)
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
            // The two must not lie over each other: `a*a` does not take `a`. Nothing is compared
            // with an empty text: where there is no text to point at, processors stumble over it.
            Shape::Ends { start, end } => {
                let rest =
                    if start.is_empty() { Some(token) } else { token.strip_prefix(&**start) };
                rest.is_some_and(|rest| end.is_empty() || rest.ends_with(&**end))
            }
            Shape::Glob(glob) => glob.matches(token),
        }
    }
}
