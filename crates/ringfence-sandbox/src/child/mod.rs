//! What runs between the making of the first process and the `execve` of the command.
//!
//! Three small processes are made with `CLONE_VM`, so that starting costs the same in a program of
//! any size: the **init** of the new namespaces, which prepares them and ends everything with
//! itself; the **payload**, which confines itself and becomes the command; the **broker**, which
//! stays in the payload's Landlock domain and carries out what was judged.
//!
//! All of them share the supervisor's memory and its thread-local storage, so nothing here
//! allocates, panics, locks, or calls anything but [`crate::sys`]. What they need is prepared in a
//! [`Frame`] before the first of them is made, and in a [`Blueprint`] while the init makes what is
//! the same for every plan. The blueprint may be that of an earlier run: the payload waits before
//! it becomes the command until somebody says that the plan of this run wants the same.

mod alarm;
mod blueprint;
mod broker;
mod frame;
mod init;
mod landlock;
mod loopback;
mod mounts;
mod object;
mod orders;
mod packed;
mod payload;
mod place;
mod report;
mod stack;

pub(crate) use blueprint::{
    Blueprint, Confine, Cover, Hidden, LandlockRule, Private, Setup, Start,
};
pub(crate) use frame::{Ends, Frame};
pub(crate) use init::{Request, Told, block_signals, children_ended};
pub(crate) use loopback::Purpose;
pub(crate) use object::{Object, REPLACED};
pub(crate) use orders::{ANSWER, Operation, Order};
pub(crate) use payload::{close_all_later, reset_signals};
pub(crate) use place::Place;
pub(crate) use report::{Report, Stage};
pub(crate) use stack::Stack;

/// Has the init made by a process of its own, so that this thread goes on; its number.
pub(crate) fn begin(frame: &Frame) -> std::io::Result<i32> {
    init::begin(frame)
}

/// Waits until the init has been made; its number.
pub(crate) fn begun(frame: &Frame, maker: i32) -> std::io::Result<i32> {
    init::begun(frame, maker)
}
