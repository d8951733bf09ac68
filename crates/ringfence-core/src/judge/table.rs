//! Rule lists that are compiled into the program.
//!
//! The danger list, the protected paths and the profiles never change, and most calls match few of
//! their rules. A table holds such a list as tries in read-only memory. Paths in the tries are
//! relative to an anchor (`/`, `~`, `@root`, …), which a policy binds to a directory of this host.
//! The same code searches these tries and those of other documents.

use super::entry::{EntryKind, Side};
use super::exec_index::ExecIndex;
pub use super::floating::FloatingRules;
use super::rule_places::RuleKind;
use super::table_source::entry_kind_of;
use crate::class::Class;
use crate::index::RuleNumber;
pub use crate::index::{EntryLink, Node, Shape, ShapeNode, Slot, TokenTrie};
use crate::pattern::{Base, Rights};
use crate::rule::Rule;

/// A built-in list of rules in read-only memory.
#[derive(Debug)]
pub struct RuleTable {
    /// The list's name in messages, such as `@workspace`.
    pub name: &'static str,
    /// The rules and exceptions; each exception stands after its rule.
    pub rows: &'static [Row],
    /// Returns the rule of a row. For an exception, it is a rule with the exception's pattern.
    pub rule: fn(u32) -> Option<&'static Rule>,
    /// The classes on which the table's rules have a stance, without the host-dependent rules.
    pub stances: &'static [Class],
    /// The patterns of the rows that grant, then of the rows that deny.
    pub sides: [TableSide; 2],
    /// The program names in deny and danger rules, then those in deny and ask rules. The names in
    /// each text are separated by line feeds.
    pub programs: [&'static str; 2],
    /// The operations for which a deny or danger rule floats.
    pub floating: FloatingRules,
}

/// The parts of a table rule that a decision reads.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// The part that the rule plays in a decision.
    pub kind: RuleKind,
    /// For an exception: the row that it narrows.
    pub narrows: u32,
    /// The class of the rule's pattern.
    pub class: Class,
    /// The rights of a file pattern.
    pub rights: Rights,
    /// Whether each policy must compile the rule itself: it names a host, a socket or a directory
    /// in a variable, or it is limited to some commands.
    pub is_of_host: bool,
}

impl Row {
    /// Creates a row. The flags are read, write and delete rights.
    pub const fn new(
        kind: RuleKind,
        narrows: u32,
        class: Class,
        [read, write, delete]: [bool; 3],
        is_of_host: bool,
    ) -> Row {
        Row { kind, narrows, class, rights: Rights { read, write, delete }, is_of_host }
    }

    /// Returns the row's kind in a policy. `first` is the rule number of the table's first row.
    pub(super) fn kind(&self, first: RuleNumber) -> EntryKind {
        entry_kind_of(self.kind, first.saturating_add(self.narrows))
    }
}

/// The patterns of one side of a table.
#[derive(Debug)]
pub struct TableSide {
    /// The command patterns.
    pub(super) commands: ExecIndex,
    /// The variable patterns.
    pub(super) variables: TokenTrie,
    /// The file patterns.
    pub(super) anchors: &'static [Anchor],
}

impl TableSide {
    /// Creates one side from its command patterns, variable patterns and file patterns.
    pub const fn new(
        commands: TokenTrie,
        variables: TokenTrie,
        anchors: &'static [Anchor],
    ) -> TableSide {
        TableSide { commands: ExecIndex::fixed(commands), variables, anchors }
    }
}

/// The file patterns that start at the same base directory.
#[derive(Debug)]
pub struct Anchor {
    /// The base directory.
    pub at: AnchorBase,
    /// The patterns, relative to the base directory.
    pub files: TokenTrie,
    /// The literal path prefixes of the patterns as a flattened tree, parents before children.
    pub prefixes: &'static [Prefix],
    /// The rows of the patterns, in the order of the tree.
    pub rows: &'static [u32],
}

/// A base directory that patterns in a table may start from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AnchorBase {
    /// `/`; also used for patterns that start with `**`.
    Slash,
    /// The home directory, `~`.
    Home,
    /// The project root, `@root`.
    Root,
    /// The working directory, `@cwd`.
    Cwd,
    /// The directories for temporary files, `@tmp`.
    Tmp,
    /// The system directories, `@system`.
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

/// A component in the tree of literal path prefixes.
#[derive(Debug, Clone, Copy)]
pub struct Prefix {
    /// The number of components before this one.
    pub depth: usize,
    /// The component's name.
    pub name: &'static str,
    /// The range of the anchor's rows that have this prefix: start and end.
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

    /// Returns all rules without exceptions, or only those that each host must compile itself.
    pub(crate) fn rules(
        &'static self,
        of_host_only: bool,
    ) -> impl Iterator<Item = (RuleKind, &'static Rule)> {
        let rows = (0..).zip(self.rows);
        let rows = rows.filter(move |(_, row)| {
            row.kind != RuleKind::Except && (row.is_of_host || !of_host_only)
        });
        rows.filter_map(|(number, row)| Some((row.kind, (self.rule)(number)?)))
    }

    /// Returns whether a deny or danger rule names a program. If `narrows` is set, deny and ask
    /// rules are searched instead.
    pub(super) fn names_program(&self, name: &str, narrows: bool) -> bool {
        let [objected, narrowed] = self.programs;
        let names = if narrows { narrowed } else { objected };
        names.split('\n').any(|own| own == name && !own.is_empty())
    }
}
