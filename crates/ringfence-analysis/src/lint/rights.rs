//! What file patterns take in, operation by operation, as the judge reads them.

use ringfence_core::Pattern;
use ringfence_core::access::FileOp;

/// An operation on files; `None` for accesses of every other class.
pub(super) type Op = Option<FileOp>;

const FILE_OPS: [Op; 3] = [Some(FileOp::Read), Some(FileOp::Write), Some(FileOp::Delete)];

/// The operations that an allow, ask or opt-in rule on this pattern takes in.
pub(super) fn granted_ops(pattern: &Pattern) -> Vec<Op> {
    ops(pattern, grants)
}

/// The operations that a deny or danger rule on this pattern takes in.
pub(super) fn objected_ops(pattern: &Pattern) -> Vec<Op> {
    ops(pattern, objects)
}

/// Whether an allow, ask or opt-in rule on this pattern takes in the operation.
pub(super) fn grants(pattern: &Pattern, op: Op) -> bool {
    match (pattern, op) {
        // Whoever may write may read as well.
        (Pattern::File(rights, _), Some(FileOp::Read)) => rights.read || rights.write,
        _ => objects(pattern, op),
    }
}

/// Whether a deny or danger rule on this pattern takes in the operation.
pub(super) fn objects(pattern: &Pattern, op: Op) -> bool {
    match (pattern, op) {
        (Pattern::File(rights, _), Some(FileOp::Read)) => rights.read,
        (Pattern::File(rights, _), Some(FileOp::Write)) => rights.write,
        (Pattern::File(rights, _), Some(FileOp::Delete)) => rights.delete || rights.write,
        (Pattern::File(..), None) => false,
        (_, op) => op.is_none(),
    }
}

/// Whether the pattern names the operation's right itself, instead of implying it.
pub(super) fn names(pattern: &Pattern, op: Op) -> bool {
    match (pattern, op) {
        (Pattern::File(rights, _), Some(FileOp::Read)) => rights.read,
        (Pattern::File(rights, _), Some(FileOp::Write)) => rights.write,
        (Pattern::File(rights, _), Some(FileOp::Delete)) => rights.delete,
        _ => false,
    }
}

/// Whether the operation can replace what it is done to.
pub(super) fn replaces(op: &Op) -> bool {
    matches!(op, Some(FileOp::Write | FileOp::Delete))
}

fn ops(pattern: &Pattern, has: impl Fn(&Pattern, Op) -> bool) -> Vec<Op> {
    FILE_OPS.into_iter().chain([None]).filter(|op| has(pattern, *op)).collect()
}
