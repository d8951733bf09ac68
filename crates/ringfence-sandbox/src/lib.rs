//! Holds a process tree to a plan, in the kernel: without privileges, without a daemon.
//!
//! This crate applies a [`Plan`] and supervises what runs under it. It has no opinion about what
//! is dangerous: whatever is decided while the tree runs is asked of a judge.
//!
//! It is the only crate with `unsafe` code. What runs between the making of a process and its
//! `execve` shares the memory of the supervisor and follows the rules of `child`.

#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "a test that meets the unexpected should stop"
    )
)]

mod bell;
mod child;
mod deadline;
mod delayed_task;
mod filter;
pub mod gate;
mod line;
mod made;
mod missing;
mod net;
mod objects;
pub mod plan;
mod poll;
pub mod probe;
mod relay;
mod room;
mod run;
pub mod session;
mod signals;
mod spawn;
mod supervise;
mod sys;
mod terminal;
mod tether;
mod watch;

pub use bell::Stop;
pub use deadline::{Deadline, LastWord};
pub use delayed_task::DelayedTask;
pub use line::Line;
pub use plan::Plan;
pub use relay::{Streams, uses_terminal};
pub use room::Room;
pub use run::{Begin, Ended, Failed, Keep, Sockets, Terms, run, run_in};
pub use spawn::Command;
pub use tether::{detach, tether};

#[cfg(test)]
#[path = "../../../tests/support/skip.rs"]
mod skip;
