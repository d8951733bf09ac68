//! Rule lists that are compiled when the program is built.
//!
//! The danger list, the protected paths and the profiles never change, and most calls meet few of
//! their rules. A table holds the rules of such a list as tries in read-only memory. Paths in the
//! tries are relative to an anchor (`/`, `~`, `@root`, …), which a policy binds to a directory of
//! this host. The tries are searched by the same code as those of other documents.

use super::entry::{Side, Sort};
use super::places::Stand;
use super::side_index::SideIndex;
use super::table_source::sort_of;
use crate::access::FileOp;
use crate::class::Class;
use crate::index::EntryId;
pub use crate::index::{More, Node, Shape, ShapeNode, Slot, TokenTrie};
use crate::pattern::{Base, Rights};
use crate::rule::Rule;

/// A list of rules in read-only memory.
#[derive(Debug)]
pub struct RuleTable {
    /// The name by which people know the list, such as `@workspace`.
    pub name: &'static str,
    /// The rules and their exceptions, each exception behind its rule.
    pub rows: &'static [Row],
    /// Returns the rule of a row. An exception is a rule with the pattern of the exception.
    pub rule: fn(u32) -> Option<&'static Rule>,
    /// The classes on which the rules of the table, apart from the host's own, have a stance.
    pub stances: &'static [Class],
    /// What the rows that grant and the rows that object match.
    pub sides: [TableSide; 2],
    /// The programs that deny and danger rules name, and those that deny and ask rules name: each
    /// name between line feeds.
    pub programs: [&'static str; 2],
    /// Whether a deny rule, or a deny or danger rule, floats: by operation.
    pub floating: [[bool; 2]; 3],
}

/// What a decision needs to know of one row.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// What the row does in a decision.
    pub stand: Stand,
    /// The row that an exception narrows.
    pub narrows: u32,
    /// The class of its pattern.
    pub class: Class,
    /// The rights of a pattern on files.
    pub rights: Rights,
    /// Whether a policy has to compile the rule on its host: it names a host, a socket or a
    /// variable's directory, or holds for some commands only.
    pub is_of_host: bool,
}

impl Row {
    /// Returns a row. The letters are those of `Rights`, each with whether it is set.
    pub const fn new(
        stand: Stand,
        narrows: u32,
        class: Class,
        [read, write, delete]: [bool; 3],
        is_of_host: bool,
    ) -> Row {
        Row { stand, narrows, class, rights: Rights { read, write, delete }, is_of_host }
    }

    /// Returns the sort of the row in a policy in which the table's first row has this number.
    pub(super) fn sort(&self, first: EntryId) -> Sort {
        sort_of(self.stand, first.saturating_add(self.narrows))
    }
}

/// The patterns of the rows of one side.
#[derive(Debug)]
pub struct TableSide {
    /// The patterns on commands and variables.
    pub(super) index: SideIndex,
    /// The patterns on files.
    pub(super) anchors: &'static [Anchor],
}

impl TableSide {
    /// Returns the patterns of one side: commands by program, variables by name, files by anchor.
    pub const fn new(
        commands: TokenTrie,
        variables: TokenTrie,
        anchors: &'static [Anchor],
    ) -> TableSide {
        TableSide { index: SideIndex::fixed(commands, variables), anchors }
    }
}

/// The patterns on files that start at the same place.
#[derive(Debug)]
pub struct Anchor {
    /// The place.
    pub at: AnchorBase,
    /// The patterns below it.
    pub files: TokenTrie,
    /// The literal beginnings of the patterns as a tree, parents before their children.
    pub prefixes: &'static [Prefix],
    /// The rows of the patterns, in the order of the tree.
    pub rows: &'static [u32],
}

/// A place at which patterns on files may start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AnchorBase {
    /// `/`, and patterns that float.
    Slash,
    /// `~`
    Home,
    /// `@root`
    Root,
    /// `@cwd`
    Cwd,
    /// `@tmp`
    Tmp,
    /// `@system`
    System,
}

impl AnchorBase {
    pub(super) fn of(base: &Base) -> Option<AnchorBase> {
        match base {
            Base::Slash => Some(AnchorBase::Slash),
            Base::Home => Some(AnchorBase::Home),
            Base::Root(0) => Some(AnchorBase::Root),
            Base::Cwd => Some(AnchorBase::Cwd),
            Base::Tmp => Some(AnchorBase::Tmp),
            Base::System => Some(AnchorBase::System),
            Base::Root(_) | Base::Var(_) => None,
        }
    }

    pub(super) fn base(self) -> Base {
        match self {
            AnchorBase::Slash => Base::Slash,
            AnchorBase::Home => Base::Home,
            AnchorBase::Root => Base::Root(0),
            AnchorBase::Cwd => Base::Cwd,
            AnchorBase::Tmp => Base::Tmp,
            AnchorBase::System => Base::System,
        }
    }
}

/// A name in the literal beginning of patterns.
#[derive(Debug, Clone, Copy)]
pub struct Prefix {
    /// How many names stand before it.
    pub depth: usize,
    /// The name.
    pub name: &'static str,
    /// The first of the anchor's rows that begin so, and the end of these rows.
    pub rows: (usize, usize),
}

impl RuleTable {
    pub(super) fn side(&self, side: Side) -> &TableSide {
        let [grants, objections] = &self.sides;
        match side {
            Side::Grant => grants,
            Side::Object => objections,
        }
    }

    /// Returns the rules of these classes that have to be compiled on the host, or all rules.
    pub(crate) fn rules(
        &'static self,
        of_host_only: bool,
    ) -> impl Iterator<Item = (Stand, &'static Rule)> {
        let rows = (0..).zip(self.rows);
        let rows = rows.filter(move |(_, row)| {
            row.stand != Stand::Except && (row.is_of_host || !of_host_only)
        });
        rows.filter_map(|(number, row)| Some((row.stand, (self.rule)(number)?)))
    }

    /// Returns whether a deny rule, or one of the danger list, names a program; or a deny or ask rule.
    pub(super) fn names_program(&self, name: &str, narrows: bool) -> bool {
        let [objected, narrowed] = self.programs;
        let names = if narrows { narrowed } else { objected };
        names.split('\n').any(|own| own == name && !own.is_empty())
    }

    pub(super) fn floats(&self, op: FileOp, with_danger: bool) -> bool {
        let row = self.floating.get(op as usize);
        row.and_then(|row| row.get(usize::from(with_danger))).copied().unwrap_or(true)
    }
}
