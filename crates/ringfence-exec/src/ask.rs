//! Who is asked where the policy says `ask`.

use ringfence_guard::Refusal;

/// What a person is asked.
#[derive(Debug, Clone)]
pub struct Question {
    /// What would be done, in words.
    pub what: String,
    /// The pattern that would spare the question.
    pub pattern: Option<String>,
    /// The program that wants it.
    pub program: String,
    /// The grounds, as the one who is refused reads them.
    pub refusal: Option<Refusal>,
}

/// Puts questions to a person. No answer is a no.
pub trait Approver: Send + Sync {
    /// Whether it may be done. It may block; it is called in a thread of its own.
    fn ask(&self, question: &Question) -> bool;
}

/// For a run where nobody can be asked: every question is a refusal.
#[derive(Debug, Clone, Copy)]
pub struct Nobody;

impl Approver for Nobody {
    fn ask(&self, _question: &Question) -> bool {
        false
    }
}
