//! Compiled rules: the parts of a rule that a decision reads.

use super::scope::CompiledScope;
use super::table::Row;
use crate::access::FileOp;
use crate::class::Class;
use crate::effect::Effect;
use crate::index::RuleNumber;
use crate::pattern::{NetTarget, Pattern, Rights};

/// The parts of a rule that a decision reads. The rule list has the rest under the same number.
///
/// An entry fills half a cache line, so that a decision among many rules touches little memory.
#[derive(Debug)]
#[repr(align(32))]
pub(super) struct RuleEntry {
    /// The scope of the rule; `None` means everywhere.
    pub(super) scope: Option<Box<CompiledScope>>,
    pub(super) kind: EntryKind,
    /// The number of the rule's document.
    pub(super) document: u32,
    /// The port of a host pattern, if it names one.
    pub(super) port: Option<u16>,
    /// The class of the rule's pattern.
    pub(super) class: Class,
    /// The rights of a file pattern.
    pub(super) rights: Rights,
    /// Whether the pattern matches hosts by a wildcard.
    pub(super) wild: bool,
    /// Whether the rule has expired. It then matches nothing, but still gives its document a
    /// stance.
    pub(super) expired: bool,
}

impl RuleEntry {
    /// Creates the entry of a rule without scope.
    pub(super) fn new(pattern: &Pattern, kind: EntryKind, document: u32) -> RuleEntry {
        let (rights, net) = match pattern {
            Pattern::File(rights, _) => (*rights, None),
            Pattern::Net(net) => (Rights::default(), Some(net)),
            _ => (Rights::default(), None),
        };
        RuleEntry {
            scope: None,
            kind,
            document,
            port: net.and_then(|net| net.port),
            class: pattern.class(),
            rights,
            wild: net.is_some_and(|net| matches!(net.target, NetTarget::Any | NetTarget::Under(_))),
            expired: false,
        }
    }
}

/// An entry of the policy itself or of a built-in table.
#[derive(Debug, Clone, Copy)]
pub(super) struct EntryView<'p> {
    pub(super) scope: Option<&'p CompiledScope>,
    pub(super) kind: EntryKind,
    /// The number of the rule's document.
    pub(super) document: u32,
    /// The port of a host pattern, if it names one.
    pub(super) port: Option<u16>,
    /// The class of the rule's pattern.
    pub(super) class: Class,
    /// The rights of a file pattern.
    pub(super) rights: Rights,
    /// Whether the pattern matches hosts by a wildcard.
    pub(super) wild: bool,
    /// Whether the rule has expired.
    pub(super) expired: bool,
}

impl<'p> From<&'p RuleEntry> for EntryView<'p> {
    fn from(entry: &'p RuleEntry) -> EntryView<'p> {
        let RuleEntry { kind, document, port, class, rights, wild, expired, .. } = *entry;
        let scope = entry.scope.as_deref();
        EntryView { scope, kind, document, port, class, rights, wild, expired }
    }
}

impl EntryView<'_> {
    /// Returns the entry of a table row. `first` is the rule number of the table's first row.
    pub(super) fn of_row(row: &Row, first: RuleNumber, document: u32) -> EntryView<'static> {
        EntryView {
            scope: None,
            kind: row.kind(first),
            document,
            port: None,
            class: row.class,
            rights: row.rights,
            wild: false,
            expired: false,
        }
    }
}

/// The part that a rule plays in a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EntryKind {
    /// An allow, ask or deny rule.
    Rule(Effect),
    /// An entry of the danger list.
    Danger,
    /// An opt-in to the danger list.
    OptIn,
    /// An allow rule that applies only where no document has a stance.
    Fallback,
    /// An exception to the deny or danger rule with this number.
    Except(RuleNumber),
}

/// The two ways of matching. Rules that grant match narrowly; rules that deny match broadly, so
/// that no spelling avoids them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Side {
    Grant,
    Object,
}

impl EntryKind {
    /// Returns the side on which patterns of this kind are matched.
    pub(super) fn side(self, pattern: &Pattern) -> Side {
        match self {
            EntryKind::Rule(Effect::Deny) | EntryKind::Danger => Side::Object,
            // An opt-in must match every spelling that the danger list matches.
            EntryKind::OptIn if matches!(pattern, Pattern::Command(_)) => Side::Object,
            EntryKind::Rule(_) | EntryKind::OptIn | EntryKind::Fallback | EntryKind::Except(_) => {
                Side::Grant
            }
        }
    }

    /// Returns whether a pattern of several words without a star also matches with further words.
    pub(super) fn takes_further_words(self) -> bool {
        self == EntryKind::Rule(Effect::Deny)
    }
}

/// Returns whether a rule with these rights matches an operation.
pub(super) fn has_right(rights: Rights, op: FileOp, side: Side) -> bool {
    match (op, side) {
        (FileOp::Read, Side::Grant) => rights.read || rights.write,
        (FileOp::Read, Side::Object) => rights.read,
        (FileOp::Write, _) => rights.write,
        (FileOp::Delete, _) => rights.delete || rights.write,
    }
}

/// Returns whether a file pattern names the right for an operation, instead of implying it.
pub(super) fn names_right(pattern: &Pattern, op: FileOp) -> bool {
    match (pattern, op) {
        (Pattern::File(rights, _), FileOp::Read) => rights.read,
        (Pattern::File(rights, _), FileOp::Write) => rights.write,
        (Pattern::File(rights, _), FileOp::Delete) => rights.delete,
        _ => false,
    }
}
