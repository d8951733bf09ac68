//! Runs commands in the fence: the guard judges what the plan leaves open.
//!
//! A [`Fence`] is a plan with the guard that it was made from. Running a command in it starts the
//! egress where the plan has a way out, and ends with a [`Report`] of what was refused.

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

mod ask;
mod called;
pub mod diary;
mod elsewhere;
mod family;
mod fence;
mod git;
mod grounds;
mod judge;
mod links;
mod names;
mod network;
mod ports;
pub mod queue;
mod report;
mod script;
mod seen;
pub mod session;
mod spare;
mod start_effects;
mod starts;
mod time;
mod todo;
mod usual;
mod view;

pub use ask::{Answer, Approver, Nobody, Question};
pub use fence::{Fence, Finished, Way};
pub use network::asker;
pub use ports::{Ports, Unpublished};
pub use report::{Refused, Report};
