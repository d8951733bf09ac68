//! The verbs that answer questions, and the one that looks at the host.

use clap::Args as ClapArgs;

pub(super) const PENDING_EXAMPLES: &str = "\
Examples:
  ringfence pending
  ringfence pending --json";

pub(super) const DOCTOR_EXAMPLES: &str = "\
Examples:
  ringfence doctor
  ringfence doctor --json";

pub(super) const APPROVE_EXAMPLES: &str = "\
Examples:
  ringfence pending
  ringfence approve k3f9xa
  ringfence approve k3f9xa --session

It needs a person at a terminal; nothing inside a run can use it.
Exit status: 0 answered, 1 no such question is waiting, 2 error";

#[derive(Debug, ClapArgs)]
pub(crate) struct PendingArgs {
    /// Answer in JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ApproveArgs {
    /// The question, as `ringfence pending` names it
    #[arg(value_name = "ID")]
    pub(crate) id: String,
    /// Until the run ends, not only this once
    #[arg(long, conflicts_with_all = ["always", "ask"])]
    pub(crate) session: bool,
    /// From now on: adds the pattern to the policy
    #[arg(long, conflicts_with = "ask")]
    pub(crate) always: bool,
    /// Show the question, and ask what the answer is
    #[arg(long)]
    pub(crate) ask: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct DoctorArgs {
    /// Answer in JSON
    #[arg(long)]
    pub(crate) json: bool,
}
