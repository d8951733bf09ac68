//! A gateway in front of an MCP server: every call is judged before it is passed on.
//!
//! [`Gateway`] knows the protocol and carries nothing itself: a line from one side becomes [`Step`]s. [`stdio`]
//! carries them out between a client and a server that is a process. Messages are passed on as they
//! came, byte by byte; only lists that name something denied, and refusals, are written here.

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

mod answer;
mod batch;
mod carry;
mod definitions;
mod desk;
mod envelope;
mod gateway;
pub mod http;
mod hub;
mod id;
mod judge;
mod lines;
mod list;
mod listing;
mod method;
mod object;
mod outgoing;
mod pending;
pub mod pin;
mod pipe;
#[doc(hidden)]
pub mod readers;
pub mod remote;
mod server;
mod session;
pub mod stdio;

pub use carry::{Member, Notes, Upstream};
pub use desk::{Desk, Said};
pub use gateway::{Gateway, Step, Waiting};
pub use hub::{Hub, Route};
pub use judge::{Judge, Told};
pub use listing::{Definition, definitions_of};
pub use outgoing::Outgoing;
pub use pipe::Pipe;
pub use server::{Process, Server};
pub use session::{Behind, Endpoint, Reach, SILENCE};
