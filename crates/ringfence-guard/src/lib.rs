//! The guard: turns a call into a verdict on this host.
//!
//! Every door passes its calls to the guard. The guard resolves a call to its effects and decides
//! them by the policy in force. Only the guard creates permits. It never acts itself.

#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::string_slice,
        clippy::arithmetic_side_effects,
        reason = "a test that meets the unexpected should stop"
    )
)]

pub mod call;
pub mod case;
mod describe;
mod doubt_hint;
mod filter;
mod guard;
mod in_force;
mod joined_name;
mod permit;
mod policy_builder;
mod programs;
mod quote;
pub mod redact;
mod refusal;
mod resolve;
pub mod strict_json;
pub mod wire;
pub mod world;
mod wrapper;

pub use call::{Action, Call, McpAction};
pub use describe::{
    describe, exact_access_text, exact_pattern_for, outranking_pattern_for, pattern_for,
};
pub use filter::{Classification, SmartFilter};
pub use guard::{Guard, Judgement, Part, Resolved};
pub use joined_name::{JoinedName, KnownServers, NameReading};
pub use permit::{
    Approval, ConnectHost, ForwardMessage, NotOne, OpenFile, Outcome, Permit, PermitBasis,
    ResolveHost, RunCommand, Unanswered, WholeCall,
};
pub use policy_builder::{BuildError, BuiltPolicy, PolicyBuilder};
pub use programs::Programs;
pub use quote::{policy_text, shell_word};
pub use refusal::{Refusal, RefusalCode, RetryAdvice};
pub use resolve::tool_named;
pub use wrapper::without_wrapper;

#[cfg(test)]
#[allow(dead_code, unreachable_pub, clippy::print_stdout, reason = "tests elsewhere need the rest")]
#[path = "../../../tests/support/everyone.rs"]
mod everyone;
#[cfg(test)]
#[path = "../../../tests/support/skip.rs"]
mod skip;
