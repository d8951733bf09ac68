//! The verbs that answer questions, and the one that looks at the host.

use clap::Args as ClapArgs;

pub(super) const DOCTOR_EXAMPLES: &str = "\
Examples:
  ringfence doctor
  ringfence doctor --json";

pub(super) const APPROVE_EXAMPLES: &str = "\
Examples:
  ringfence approve k3f9xa
  ringfence approve k3f9xa --session --scope 2
  ringfence approve k3f9xa --always --here
  ringfence approve --all

It needs a person at a terminal; nothing inside a run can use it.
Exit status: 0 answered, 1 no such question is waiting, 2 error";

pub(super) const PENDING_EXAMPLES: &str = "\
Examples:
  ringfence pending
  ringfence pending --watch
  ringfence pending --json

Exit status: 0 done, 2 error";

#[derive(Debug, ClapArgs)]
pub(crate) struct PendingArgs {
    /// Answer in JSON; with `--watch`, one question on each line
    #[arg(long)]
    pub(crate) json: bool,
    /// Stay, and show each question as it comes
    #[arg(long)]
    pub(crate) watch: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ApproveArgs {
    /// The question, as `ringfence pending` names it
    #[arg(value_name = "ID", required_unless_present_any = ["all", "last"])]
    pub(crate) id: Option<String>,
    /// Show every question that waits, and answer those that were shown
    #[arg(long, conflicts_with_all = ["id", "last", "ask", "scope"])]
    pub(crate) all: bool,
    /// Show the question that came last, and answer it
    #[arg(long, conflicts_with_all = ["id", "ask"])]
    pub(crate) last: bool,
    /// Until the run or the session ends, not only this once
    #[arg(long, conflicts_with_all = ["always", "ask"])]
    pub(crate) session: bool,
    /// From now on: adds one rule
    #[arg(long, conflicts_with = "ask")]
    pub(crate) always: bool,
    /// Only in the project of the question
    #[arg(long, requires = "always")]
    pub(crate) here: bool,
    /// How broad the answer is: a number that `ringfence pending` shows
    #[arg(long, value_name = "N", conflicts_with = "ask")]
    pub(crate) scope: Option<usize>,
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
