//! What a judgement leads to: a permit, a question to a person, or a refusal.

use ringfence_core::Effect;

use super::{Permit, PermitBasis};
use crate::guard::Judgement;

/// What the guard says of one act.
#[derive(Debug)]
#[must_use = "an outcome that nobody looks at permits nothing"]
pub enum Outcome<A> {
    /// Rules allow the act.
    Allowed(Permit<A>),
    /// Rules ask or deny, and the policy only records verdicts: the act may be done, and the
    /// judgement is to be recorded.
    Observed(Permit<A>, Box<Judgement>),
    /// A person has to agree first.
    Asks(Unanswered<A>),
    /// The act must not be done. Nothing turns a refusal into a permit.
    Refused(Box<Judgement>),
}

impl<A> Outcome<A> {
    /// Converts the judgement about an act into the outcome. The outcome contains a permit if the
    /// act may be done.
    pub(crate) fn of(act: A, judgement: Judgement) -> Outcome<A> {
        match judgement.verdict.effect {
            Effect::Allow => Outcome::Allowed(Permit::new(act, PermitBasis::Allowed)),
            _ if judgement.is_observed() => {
                let permit = Permit::new(act, PermitBasis::Observed);
                Outcome::Observed(permit, Box::new(judgement))
            }
            Effect::Ask => Outcome::Asks(Unanswered { act, judgement: Box::new(judgement) }),
            Effect::Deny => Outcome::Refused(Box::new(judgement)),
        }
    }
}

/// An act that a person has to agree to, with the judgement that says why.
#[derive(Debug)]
#[must_use = "a question that nobody answers permits nothing"]
pub struct Unanswered<A> {
    act: A,
    judgement: Box<Judgement>,
}

impl<A> Unanswered<A> {
    /// Returns the act that is asked about.
    pub fn act(&self) -> &A {
        &self.act
    }

    /// Returns the judgement that asks.
    pub fn judgement(&self) -> &Judgement {
        &self.judgement
    }

    /// Makes the permit, now that a person has agreed.
    pub fn approved(self, approval: Approval) -> Permit<A> {
        let Approval(()) = approval;
        Permit::new(self.act, PermitBasis::Approved)
    }

    /// Gives the question up, and returns the judgement for the refusal.
    pub fn declined(self) -> Box<Judgement> {
        self.judgement
    }

    /// Makes the permit without a question: an earlier agreement covers this act.
    pub(super) fn covered(self) -> Permit<A> {
        Permit::new(self.act, PermitBasis::Approved)
    }

    /// Makes the same question about the act in another form.
    pub(crate) fn map<B>(self, change: impl FnOnce(A) -> B) -> Unanswered<B> {
        Unanswered { act: change(self.act), judgement: self.judgement }
    }
}

/// Proof that a person agreed to one act.
///
/// An approval answers one question and cannot be copied. Code that asks people makes one where it
/// reads a yes, and nowhere else; `cargo xtask tidy` lists these places.
#[derive(Debug)]
#[must_use = "an approval does nothing until `Unanswered::approved` takes it"]
pub struct Approval(());

impl Approval {
    /// States that a person agreed to the act that is asked about, now or earlier for as long as
    /// the answer holds.
    pub fn by_person() -> Approval {
        Approval(())
    }
}
