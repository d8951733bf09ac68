//! Permits: proof that the guard let something happen, with the object that was judged.
//!
//! A function that acts takes a [`Permit`] by value and uses what is inside it. The guard alone
//! makes permits: no type here has a public constructor, and none can be cloned. Nothing here
//! decides; [`Outcome`] only sorts a judgement.

mod call;
mod connect_host;
mod forward_message;
mod open_file;
mod outcome;
mod run_command;

pub use call::{NotOne, WholeCall};
pub use connect_host::{ConnectHost, ResolveHost};
pub use forward_message::ForwardMessage;
pub use open_file::OpenFile;
pub use outcome::{Approval, Outcome, Unanswered};
pub use run_command::RunCommand;

/// Proof that one act may be done, with the object that was judged.
///
/// `A` is the act: [`OpenFile`], [`RunCommand`], [`ResolveHost`], [`ConnectHost`],
/// [`ForwardMessage`], or a [`WholeCall`] with all that it would do. The function that acts takes
/// the permit by value, so that one permit is good for one act.
#[derive(Debug)]
#[must_use = "a permit does nothing until the function that acts takes it"]
pub struct Permit<A = WholeCall> {
    act: A,
    basis: PermitBasis,
}

/// The reason for which a permit was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PermitBasis {
    /// Rules allow the act.
    Allowed,
    /// Rules ask, and a person agreed.
    Approved,
    /// Rules ask or deny, and the policy only records verdicts (`mode = "observe"`).
    Observed,
    /// A person typed the command.
    Typed,
    /// The command is ringfence itself, as the launcher of a session.
    Launcher,
}

impl<A> Permit<A> {
    /// Makes a permit. Only the modules of the guard can call this.
    pub(crate) fn new(act: A, basis: PermitBasis) -> Permit<A> {
        Permit { act, basis }
    }

    /// Returns the act with the object that was judged.
    pub fn act(&self) -> &A {
        &self.act
    }

    /// Returns the reason for which the permit was made.
    pub fn basis(&self) -> PermitBasis {
        self.basis
    }

    /// Uses the permit up, and returns the act for the function that does it.
    pub fn into_act(self) -> A {
        self.act
    }
}

#[cfg(test)]
#[path = "permit_tests.rs"]
mod tests;
