//! The hooks of agents: what an agent's event asks for, and the answer in the agent's own words.
//!
//! ```
//! use ringfence_guard::Call;
//! use ringfence_hooks::{Agent, Answer};
//!
//! let agent: Agent = "claude-code".parse().unwrap();
//! let text = r#"{"hook_event_name": "PreToolUse", "cwd": "/home/u/proj", "tool_name": "Bash",
//!                "tool_input": {"command": "git status"}, "permission_mode": "default"}"#;
//! let event = agent.read(text, &|_| None).unwrap();
//! assert_eq!(Call::new(event.action.clone()).tool_name(), "Bash");
//!
//! let reply = agent.reply(&event, &Answer::Block("no".to_owned()));
//! assert!(reply.stdout.contains(r#""permissionDecision":"deny""#));
//! ```
//!
//! One module per protocol; each says where its forms were taken from, of which version, and what
//! of it was seen at work. Nothing here decides: [`consider`] asks the guard, and turns its verdict
//! into an [`Answer`]. And nothing here fails open: an event that cannot be read, a policy that is
//! broken, a judge that panics or takes too long is a call that is blocked ([`guarded`], [`caught`]).

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

mod agent;
mod agents;
mod answer;
mod consider;
mod event;
mod guarded;
mod install;
mod presence;
mod sample;
mod servers;
mod setup;

pub use agent::{Agent, UnknownAgent};
pub use answer::{Answer, Reply};
pub use consider::{Considered, Open, Settled, call_of, consider, consider_unless, settle};
pub use event::{Event, Project, Prompt, Stage, Unreadable};
pub use guarded::{LIMIT, caught, guarded, took_longer};
pub use install::{Removed, Unmergeable};
pub use sample::{Heard, SAMPLE_SESSION};
pub use servers::{OF_PROJECT, ServerFile, Within};
pub use setup::Setup;
