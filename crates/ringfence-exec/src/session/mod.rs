//! Sessions: one fence that many commands enter.
//!
//! A session has a name and belongs to one user, root, agent and policy. Its supervisor is a daemon that
//! holds the fence and listens on a control socket in the user's state directory, which no fence reaches.
//! Clients outside all fences enter commands, list sessions and end them. Nothing here widens: a command
//! that enters is held to the plan that the session began with, by the policy in force.

mod client;
mod control;
mod entries;
mod lifetime;
mod message;
mod place;
mod shared;
mod supervisor;

pub use client::{Client, Conversation, Hello, Outcome, SessionClientError};
pub use entries::{EnteredBy, SessionEntries};
pub use lifetime::{FreshPolicy, PolicySource};
pub use message::{Binding, RunningCommand, SessionInfo};
pub use place::{SessionLock, SessionName, SessionPlace};
pub use supervisor::{SessionTerms, serve_session};
