//! Runs commands in the fence; the guard judges what the plan leaves open.
//!
//! A [`Fence`] is a plan and the guard that it was made from. Running a command in it starts the
//! egress if the plan allows connections. The run ends with a [`Report`] of everything that was
//! refused.

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

mod aliases;
mod argv0;
mod ask;
mod child_policies;
mod exact_call;
mod fence;
mod git;
mod judge;
mod kernel_files;
mod linked_programs;
mod lookup_cache;
mod network;
mod new_links;
mod ports;
pub mod process_line;
mod prompt_marker;
pub mod queue;
mod rebase_todo;
pub mod refusal_log;
mod refusal_reasons;
mod report;
mod run_host;
pub mod session;
mod start_effects;
mod starts;
mod suggestion;
pub mod tickets;
mod time;

pub use ask::{ApprovalAnswer, ApprovalQuestion, Approver, NoApprover};
pub use fence::{Fence, Finished, Way};
pub use network::asker;
pub use ports::{PublishedPorts, UnpublishedPort};
pub use prompt_marker::mark_prompt;
pub use report::{RefusedAction, Report};
