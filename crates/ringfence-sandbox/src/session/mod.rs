//! Many commands in one run: each enters the fence that is already there.
//!
//! The command of such a run is the launcher ([`launch`]), a program that takes on the plan like any
//! other command and then forks one keeper for each entry. The keeper forks the command of the entry.
//! So every command is in the launcher's Landlock domain and under its filter, and nothing restricts
//! itself twice. The supervisor talks to the launcher and to each keeper over socket pairs; what they
//! say is an exit status and never a decision.
//!
//! A client outside asks the supervisor over a control socket. This module has the messages between
//! the two and the client's side of streams, terminal and signals. It never says who may enter.

mod bounds;
mod channel;
mod client;
mod entrance;
mod entry;
mod frame;
mod inside;
mod keeper;
mod launcher;
mod peer;

pub use bounds::Bounds;
pub use client::{Attendant, Attended, Attending, ClientStreams, ToSupervisor, check_streams};
pub use entrance::{Entrance, Entrant, EntrantEvent};
pub use entry::{Entry, EntryTerminal};
pub use frame::{most_sent, receive_frame, send_frame};
pub use inside::processes_like;
pub use keeper::LAST_DIRECTORY;
pub use launcher::launch;
pub use peer::check_peer;
