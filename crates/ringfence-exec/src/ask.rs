//! Who is asked where the policy says `ask`.

use std::path::{Path, PathBuf};

use ringfence_guard::Refusal;

/// What a person is asked.
#[derive(Debug, Clone, Default)]
pub struct Question {
    /// What would be done, in words.
    pub what: String,
    /// The pattern that would spare the question.
    pub pattern: Option<String>,
    /// The program that wants it.
    pub program: String,
    /// Why it is asked.
    pub why: String,
    /// What an answer is bound to beside the words: the directory, the variables, the content of a
    /// script. Questions are equal where this is equal too. It is shown to nobody.
    pub exact: String,
    /// Exactly what would be done, as a pattern, where that can be told: who agreed to it at a hook
    /// inside is not asked again.
    pub deed: Option<String>,
    /// The grounds, as the one who is refused reads them.
    pub refusal: Option<Refusal>,
}

/// What a person answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// No.
    No,
    /// What waits for the answer may be done; the next one is asked about again.
    Once,
    /// It may be done until the run ends.
    Session,
}

impl Answer {
    /// Whether it may be done.
    pub fn is_yes(self) -> bool {
        self != Answer::No
    }
}

/// Puts questions to a person. No answer is a no.
pub trait Approver: Send + Sync {
    /// Whether it may be done. It may block; it is called in a thread of its own.
    fn ask(&self, question: &Question) -> Answer;

    /// As `ask`; none where nobody answered.
    fn answer(&self, question: &Question) -> Option<Answer> {
        Some(self.ask(question))
    }

    /// As `answer`; none as well once whoever asks waits no more, which is looked at now and then. A
    /// question that nobody waits for is shown to nobody.
    fn answer_while(&self, question: &Question, waits: &dyn Fn() -> bool) -> Option<Answer> {
        let _ = waits;
        self.answer(question)
    }

    /// The socket at which hooks inside hand over their events, where there is one.
    fn hears_hooks(&self) -> Option<&Path> {
        None
    }

    /// Directories in which answers are taken. Nothing in a run reaches them, whatever its policy
    /// says: the tree must not answer its own questions.
    fn sealed(&self) -> Vec<PathBuf> {
        Vec::new()
    }
}

/// For a run where nobody can be asked: every question is a refusal.
#[derive(Debug, Clone, Copy)]
pub struct Nobody;

impl Approver for Nobody {
    fn ask(&self, _question: &Question) -> Answer {
        Answer::No
    }

    fn answer(&self, _question: &Question) -> Option<Answer> {
        None
    }
}
