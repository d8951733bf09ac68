//! The terminal of this process, where the command does not have it.

use std::fs::{File, OpenOptions};
use std::sync::{Mutex, PoisonError};

use ringfence_core::Effect;
use ringfence_exec::ApprovalAnswer;
use ringfence_exec::queue::{PendingQuestion, QuestionDisplay, QuestionSummary, RunInfo};
use rustix::process::{getpgrp, getpid};
use rustix::termios::tcgetpgrp;

use super::{Choice, ask, lines, remember};
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

impl Terminal {
    fn remember(&self, question: &QuestionSummary, effect: Effect) {
        let done = remember(&self.run, question, effect);
        show::say(&done.unwrap_or_else(|failure| failure.message));
    }
}

impl QuestionDisplay for Terminal {
    fn show(&self, waiting: &PendingQuestion) {
        let file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(question) = waiting.question() else { return };
        let waits = || waiting.question().is_some();
        let answer = match ask(&file, &lines(&self.run, &question), waits) {
            Ok(Some(Choice::Once)) => ApprovalAnswer::Once,
            Ok(Some(Choice::Session)) => ApprovalAnswer::Session,
            Ok(Some(Choice::Always)) => {
                self.remember(&question, Effect::Allow);
                ApprovalAnswer::Session
            }
            Ok(Some(Choice::Never)) => {
                self.remember(&question, Effect::Deny);
                ApprovalAnswer::No
            }
            Ok(Some(Choice::No)) => ApprovalAnswer::No,
            // The queue still has it.
            Ok(None) | Err(_) => return,
        };
        waiting.answer(answer);
    }
}
