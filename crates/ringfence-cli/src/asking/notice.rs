//! The line that a run shows on its terminal while it waits for an answer.
//!
//! The command has that terminal, so no question is put there: the line says what waits, and how to
//! answer it from another terminal.

use std::fs::{File, OpenOptions};
use std::io::Write;

use ringfence_exec::queue::{PendingQuestion, QuestionDisplay, RunInfo};

use super::{plain, who};

/// The terminal that the command of a run has.
pub(super) struct Notice {
    run: RunInfo,
    terminal: File,
}

impl Notice {
    /// Returns the terminal, if the command has it.
    pub(super) fn here(run: RunInfo) -> Option<Notice> {
        let terminal = OpenOptions::new().write(true).open("/dev/tty").ok()?;
        ringfence_sandbox::uses_terminal().then_some(Notice { run, terminal })
    }
}

impl QuestionDisplay for Notice {
    fn show(&self, waiting: &PendingQuestion) {
        let Some(question) = waiting.question() else { return };
        let who = who(&self.run, &question);
        let (what, id) = (plain(&question.what), &question.id);
        // The terminal may be in a mode in which a line feed alone does not go back to the margin.
        let line = format!(
            "\r\nringfence: {who} waits to {what}; answer in another terminal: \
             ringfence approve {id} (Ctrl-C refuses)\r\n"
        );
        // The question waits in the queue, whether anybody sees the line or not.
        let _ = (&self.terminal).write_all(line.as_bytes());
    }
}
