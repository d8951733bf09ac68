//! Opt-ins to the danger list that reach too far or nowhere.

mod idle_opt_in;
mod unshared_opt_in;
mod wide_opt_in;

pub(super) use idle_opt_in::{IDLE_OPT_IN, idle_opt_in};
pub(super) use unshared_opt_in::{UNSHARED_OPT_IN, unshared_opt_in};
pub(super) use wide_opt_in::{WIDE_OPT_IN, wide_opt_in};

use ringfence_core::Pattern;

use super::compare::Compare;
use super::rights;
use super::spelling;

/// Whether an opt-in may lift something of an entry of the danger list.
fn may_lift(compare: &Compare, opt_in: &Pattern, danger: &Pattern) -> bool {
    let mut ops = rights::granted_ops(opt_in).into_iter();
    ops.any(|op| rights::objects(danger, op)) && may_meet(compare, opt_in, danger)
}

/// Whether two patterns may match one access, whatever the spelling of its options.
fn may_meet(compare: &Compare, one: &Pattern, two: &Pattern) -> bool {
    if one.class() != two.class() {
        return false;
    }
    match (spelling::loosened(one), spelling::loosened(two)) {
        (Some(one), Some(two)) => compare.overlaps(&one, &two),
        _ => true,
    }
}
