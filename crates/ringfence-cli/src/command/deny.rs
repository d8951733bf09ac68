//! `ringfence deny`: no to a question, or a rule that forbids.
//!
//! A no takes nothing but a run's hope, so that no terminal is needed. A rule lasts, and does.

use ringfence_core::Effect;
use ringfence_core::pattern::Pattern;
use ringfence_exec::ApprovalAnswer;

use super::allow::add;
use super::approve::settle;
use crate::args::DenyArgs;
use crate::asking::places;
use crate::exit::{Exit, Failure};
use crate::manual_rules::Whose;

pub(crate) fn run(args: &DenyArgs) -> Result<Exit, Failure> {
    // No name of a question reads as a pattern.
    let is_rule = args.what.contains(':') || Pattern::parse(&args.what).is_ok();
    if is_rule || args.why.is_some() || args.whose.project || args.whose.here || args.whose.user {
        return add(Effect::Deny, &args.what, Whose::choose(args.whose)?, args.why.as_deref());
    }
    settle(&places()?, &args.what, ApprovalAnswer::No)
}
