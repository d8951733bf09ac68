//! Rules as a policy keeps them.

use super::scope::CompiledScope;
use super::table::Row;
use crate::access::FileOp;
use crate::class::Class;
use crate::effect::Effect;
use crate::index::EntryId;
use crate::pattern::{NetTarget, Pattern, Rights};

/// What a decision needs to know of a rule; the rule of the same number has the rest.
///
/// Half a cache line: with many rules nothing else of them is likely to be near.
#[derive(Debug)]
#[repr(align(32))]
pub(super) struct Entry {
    /// Where it holds; `None` is everywhere.
    pub(super) scope: Option<Box<CompiledScope>>,
    pub(super) sort: Sort,
    /// The number of its document.
    pub(super) document: u32,
    /// The port, for hosts of which only one is meant.
    pub(super) port: Option<u16>,
    /// The class of its pattern.
    pub(super) class: Class,
    /// The rights, for files.
    pub(super) rights: Rights,
    /// Whether the hosts are told by a wildcard.
    pub(super) wild: bool,
    /// Its last day is over: it matches nothing, but the stance it gave its document remains.
    pub(super) expired: bool,
}

impl Entry {
    /// The entry of a rule that holds everywhere.
    pub(super) fn new(pattern: &Pattern, sort: Sort, document: u32) -> Entry {
        let (rights, net) = match pattern {
            Pattern::File(rights, _) => (*rights, None),
            Pattern::Net(net) => (Rights::default(), Some(net)),
            _ => (Rights::default(), None),
        };
        Entry {
            scope: None,
            sort,
            document,
            port: net.and_then(|net| net.port),
            class: pattern.class(),
            rights,
            wild: net.is_some_and(|net| matches!(net.target, NetTarget::Any | NetTarget::Under(_))),
            expired: false,
        }
    }
}

/// The entry of a rule, wherever the rule lies.
#[derive(Debug, Clone, Copy)]
pub(super) struct EntryView<'p> {
    pub(super) scope: Option<&'p CompiledScope>,
    pub(super) sort: Sort,
    /// The number of its document.
    pub(super) document: u32,
    /// The port, for hosts of which only one is meant.
    pub(super) port: Option<u16>,
    /// The class of its pattern.
    pub(super) class: Class,
    /// The rights, for files.
    pub(super) rights: Rights,
    /// Whether the hosts are told by a wildcard.
    pub(super) wild: bool,
    /// Whether its last day is over.
    pub(super) expired: bool,
}

impl<'p> From<&'p Entry> for EntryView<'p> {
    fn from(entry: &'p Entry) -> EntryView<'p> {
        let Entry { sort, document, port, class, rights, wild, expired, .. } = *entry;
        let scope = entry.scope.as_deref();
        EntryView { scope, sort, document, port, class, rights, wild, expired }
    }
}

impl EntryView<'_> {
    /// Returns the entry of a row in a table whose first row has this number.
    pub(super) fn of_row(row: &Row, first: EntryId, document: u32) -> EntryView<'static> {
        EntryView {
            scope: None,
            sort: row.sort(first),
            document,
            port: None,
            class: row.class,
            rights: row.rights,
            wild: false,
            expired: false,
        }
    }
}

/// What a rule does in a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// An allow, ask or deny rule.
    Rule(Effect),
    /// An entry of the danger list.
    Danger,
    /// An opt-in to the danger list.
    OptIn,
    /// An allow rule that holds only where nobody has a stance.
    Fallback,
    /// An exception to the deny or danger rule of this number.
    Except(EntryId),
}

/// The two ways of matching: what grants is read narrowly, what objects is read broadly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Side {
    Grant,
    Object,
}

impl Sort {
    /// The side on which patterns of this sort are matched.
    pub(super) fn side(self, pattern: &Pattern) -> Side {
        match self {
            Sort::Rule(Effect::Deny) | Sort::Danger => Side::Object,
            // An opt-in must see through the spellings that the danger list sees through.
            Sort::OptIn if matches!(pattern, Pattern::Command(_)) => Side::Object,
            Sort::Rule(_) | Sort::OptIn | Sort::Fallback | Sort::Except(_) => Side::Grant,
        }
    }

    /// Whether several words without a star take further words after them.
    pub(super) fn takes_further_words(self) -> bool {
        self == Sort::Rule(Effect::Deny)
    }
}

/// Whether a file pattern's rights take in an operation.
pub(super) fn has_right(rights: Rights, op: FileOp, side: Side) -> bool {
    match (op, side) {
        (FileOp::Read, Side::Grant) => rights.read || rights.write,
        (FileOp::Read, Side::Object) => rights.read,
        (FileOp::Write, _) => rights.write,
        (FileOp::Delete, _) => rights.delete || rights.write,
    }
}

/// Whether a file pattern names the operation's right itself, instead of implying it.
pub(super) fn names_right(pattern: &Pattern, op: FileOp) -> bool {
    match (pattern, op) {
        (Pattern::File(rights, _), FileOp::Read) => rights.read,
        (Pattern::File(rights, _), FileOp::Write) => rights.write,
        (Pattern::File(rights, _), FileOp::Delete) => rights.delete,
        _ => false,
    }
}
