//! The terminal of this process, where the command does not have it.

use std::fs::{File, OpenOptions};
use std::sync::{Mutex, PoisonError};

use ringfence_exec::ApprovalAnswer;
use ringfence_exec::queue::{PendingQuestion, QuestionDisplay, RunInfo};
use rustix::process::{getpgrp, getpid};
use rustix::termios::tcgetpgrp;

use super::{Choice, ask, carry_out, lines};
use crate::show;

/// The terminal from which this process was started.
pub(super) struct Terminal {
    run: RunInfo,
    /// One question at a time.
    file: Mutex<File>,
}

impl Terminal {
    /// The terminal, if it is neither the command's nor anybody else's: a shell started this
    /// process, put it in front, and its streams lead elsewhere. A program that only passed its
    /// own terminal on, such as an agent that started this as its child, has the use of it.
    pub(super) fn free(run: RunInfo) -> Option<Terminal> {
        if ringfence_sandbox::uses_terminal() || getpgrp() != getpid() {
            return None;
        }
        let file = OpenOptions::new().read(true).write(true).open("/dev/tty").ok()?;
        let in_front = tcgetpgrp(&file).is_ok_and(|group| group == getpgrp());
        in_front.then(|| Terminal { run, file: Mutex::new(file) })
    }
}

impl QuestionDisplay for Terminal {
    fn show(&self, waiting: &PendingQuestion) {
        let file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(question) = waiting.question() else { return };
        let waits = || waiting.question().is_some();
        // Without an answer, the queue still has it.
        let Ok(Some(choice)) = ask(&file, &lines(&self.run, &question), waits) else { return };
        let answer = match carry_out(&self.run, &question, choice) {
            Ok((answer, said)) => {
                said.iter().for_each(|said| show::say(said));
                answer
            }
            Err(failure) => {
                show::say(&failure.message);
                match choice {
                    Choice::Never(_) | Choice::No => ApprovalAnswer::No,
                    // A yes that cannot be kept is a yes for now, if it was for exactly this.
                    Choice::Always(None) | Choice::Here(None) => ApprovalAnswer::Session,
                    // The person meant something else.
                    _ => return,
                }
            }
        };
        waiting.answer(answer);
    }
}
