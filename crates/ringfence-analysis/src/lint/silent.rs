//! Rules that can never speak.

mod dangerous_grant;
mod denied_grant;
mod duplicate_rule;
mod idle_exception;
mod outside_ceiling;
mod redundant_rule;
mod shadowed_allow;
mod undone_deny;

pub(super) use dangerous_grant::{DANGEROUS_GRANT, dangerous_grant};
pub(super) use denied_grant::{DENIED_GRANT, denied_grant};
pub(super) use duplicate_rule::{DUPLICATE_RULE, duplicate_rule};
pub(super) use idle_exception::{IDLE_EXCEPTION, idle_exception};
pub(super) use outside_ceiling::{OUTSIDE_CEILING, outside_ceiling};
pub(super) use redundant_rule::{REDUNDANT_RULE, redundant_rule};
pub(super) use shadowed_allow::{SHADOWED_ALLOW, shadowed_allow};
pub(super) use undone_deny::{UNDONE_DENY, undone_deny};
