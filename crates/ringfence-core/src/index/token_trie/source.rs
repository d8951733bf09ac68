//! Tries as Rust source. A build script prints them, and the program keeps them in read-only
//! memory.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::super::RuleNumber;
use super::super::literal_edges::{LiteralEdges, MAX_INLINE, Slot};
use super::super::shape_edges::{Shape, ShapeEdges, ShapeNode};
use super::{EntryLink, Node, OptIndex, Step, TokenTrie};

impl Step<'_> {
    /// Returns whether this step can be printed as Rust source.
    pub(crate) fn is_printable(&self) -> bool {
        match self {
            Step::Literal(token) => token.len() <= MAX_INLINE,
            Step::Glob(glob) => glob.is_any() || matches!(Shape::from(*glob), Shape::Ends { .. }),
            Step::OneOf(_) | Step::Deep => true,
        }
    }
}

impl TokenTrie {
    /// An empty trie.
    pub const EMPTY: TokenTrie =
        TokenTrie::fixed(&[Node::new([0; 6], 0, [false; 2])], &[], 0, &[], &[], &[]);

    /// Creates a trie from the constants that `TokenTrie::source` printed.
    pub const fn fixed(
        nodes: &'static [Node],
        slots: &'static [Slot],
        bits: u64,
        shapes: &'static [Shape],
        shape_nodes: &'static [ShapeNode],
        more: &'static [EntryLink],
    ) -> TokenTrie {
        TokenTrie {
            nodes: Cow::Borrowed(nodes),
            literals: LiteralEdges::fixed(slots, bits),
            shapes: ShapeEdges::fixed(shapes, shape_nodes),
            more: Cow::Borrowed(more),
        }
    }

    /// Prints the trie as a Rust expression. All its steps must be printable.
    pub(crate) fn source(&self) -> String {
        let mut nodes = String::new();
        for node in &*self.nodes {
            let links = [node.any, node.deep, node.literal, node.sibling, node.shapes, node.more];
            let links = links.map(|link| link.0.map_or(0, |at| at.get()));
            let (ends, loops) = (node.is_end, node.loops);
            let _ = write!(nodes, "Node::new({links:?}, {}, [{ends}, {loops}]),", node.entry);
        }
        let (slots, bits) = self.literals.slots();
        let slots = slots.iter().map(|slot| match slot.child {
            0 => "Slot::FREE,".to_owned(),
            child => {
                let token = String::from_utf8_lossy(slot.text());
                format!("Slot::new({}, {child}, {token:?}),", slot.parent)
            }
        });
        let slots: String = slots.collect();
        let (shapes, shape_nodes) = self.shapes.source();
        let mut more = String::new();
        for own in &*self.more {
            let next = own.next.0.map_or(0, |at| at.get());
            let _ = write!(more, "EntryLink::new({}, {next}),", own.entry);
        }
        format!(
            "TokenTrie::fixed(const {{ &[{nodes}] }}, const {{ &[{slots}] }}, {bits}, \
             const {{ &[{shapes}] }}, const {{ &[{shape_nodes}] }}, const {{ &[{more}] }})"
        )
    }
}

impl Node {
    /// Creates a printed node. The links are in the order of the fields, with one added; zero is
    /// none.
    pub const fn new(links: [u32; 6], entry: RuleNumber, [is_end, loops]: [bool; 2]) -> Node {
        let [any, deep, literal, sibling, shapes, more] = links;
        Node {
            any: OptIndex::printed(any),
            deep: OptIndex::printed(deep),
            literal: OptIndex::printed(literal),
            sibling: OptIndex::printed(sibling),
            shapes: OptIndex::printed(shapes),
            entry,
            more: OptIndex::printed(more),
            is_end,
            loops,
        }
    }
}

impl EntryLink {
    /// Creates a printed list element. The link has one added; zero is none.
    pub const fn new(entry: RuleNumber, next: u32) -> EntryLink {
        EntryLink { entry, next: OptIndex::printed(next) }
    }
}

impl OptIndex {
    const fn printed(at: u32) -> OptIndex {
        OptIndex(std::num::NonZeroU32::new(at))
    }
}
