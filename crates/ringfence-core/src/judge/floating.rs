//! The deny and danger rules that may match at any depth of a tree.

use super::entry::{EntryKind, Side, has_right};
use crate::access::FileOp;
use crate::pattern::{Component, PathPattern, Pattern};

/// For each file operation: whether a deny rule floats, and whether a deny or danger rule floats.
///
/// A rule floats if its pattern has components after a wildcard. Only walking a tree can tell whether
/// such a rule applies to it.
#[derive(Debug, Default, Clone, Copy)]
pub struct FloatingRules(pub [[bool; 2]; 3]);

impl FloatingRules {
    /// Adds a rule.
    pub(super) fn add(&mut self, kind: EntryKind, pattern: &Pattern) {
        let Pattern::File(rights, path) = pattern else { return };
        if !kind.objects_to_files(true) || !floats(path) {
            return;
        }
        for (op, row) in [FileOp::Read, FileOp::Write, FileOp::Delete].into_iter().zip(&mut self.0)
        {
            let counts = has_right(*rights, op, Side::Object);
            for (with_danger, cell) in [false, true].into_iter().zip(row) {
                *cell |= counts && kind.objects_to_files(with_danger);
            }
        }
    }

    /// Returns whether a deny rule floats for an operation, or a danger rule if they count.
    pub(super) fn has(&self, op: FileOp, with_danger: bool) -> bool {
        let row = self.0.get(op as usize);
        row.and_then(|row| row.get(usize::from(with_danger))).copied().unwrap_or(true)
    }
}

/// Returns whether a file pattern has components after a wildcard.
fn floats(path: &PathPattern) -> bool {
    path.alternatives().iter().any(|alternative| {
        let literal = |component: &Component| matches!(component, Component::Literal(_));
        let mut behind = alternative.components.iter().skip_while(|component| literal(component));
        behind.next().is_some() && behind.next().is_some()
    })
}
