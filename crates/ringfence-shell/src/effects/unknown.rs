//! Words that cannot be told: they carry the worst that their position allows.
//!
//! Such a word asks. Where every value is granted, nothing is asked.

use ringfence_core::access::FileOp;
use ringfence_core::program::FileUse;

use super::Walker;
use super::files::operations;
use crate::argv::Hidden;
use crate::field::Dynamic;
use crate::span::Span;

impl Walker<'_> {
    /// Asks about a word that may be an option which runs a program or writes a file.
    #[cold]
    pub(super) fn may_be_option(&mut self, hidden: &Hidden) {
        let Hidden { shown, span, runs, writes } = hidden;
        if let Some(option) = runs {
            let reason =
                format!("`{shown}` may be an option that runs a program, as `{option}` is");
            self.ask(&reason, *span);
        } else if let Some(option) = writes
            && !self.world.grants_everywhere(FileOp::Write, &self.scope)
        {
            let reason = format!("`{shown}` may be an option that writes a file, as `{option}` is");
            self.ask(&reason, *span);
        }
    }

    /// Asks about a file at a place that cannot be told, unless all files are granted.
    #[cold]
    pub(super) fn unknown_place(&mut self, usage: FileUse, dynamic: &Dynamic, span: Span) {
        let reads = operations(usage).1.iter().all(|(op, _)| *op == FileOp::Read);
        // Nothing at all names no file. A file of names that is missing may be there by the time the
        // line runs, which is too late to ask about what is written or deleted.
        if dynamic.vanishes || dynamic.absent && reads {
            return;
        }
        let granted = |op: FileOp| self.world.grants_everywhere(op, &self.scope);
        let Some((op, _)) = operations(usage).1.iter().find(|(op, _)| !granted(*op)) else {
            return;
        };
        let done = match op {
            FileOp::Read => "read",
            FileOp::Write => "written",
            FileOp::Delete => "deleted",
        };
        self.ask(&format!("can't tell which file is {done}"), span);
    }
}
