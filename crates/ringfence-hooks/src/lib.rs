//! The hook protocols of agents: parses an agent's event and formats the answer.
//!
//! ```
//! use ringfence_guard::Call;
//! use ringfence_hooks::{Agent, HookAnswer};
//!
//! let agent: Agent = "claude-code".parse().unwrap();
//! let text = r#"{"hook_event_name": "PreToolUse", "cwd": "/home/u/proj", "tool_name": "Bash",
//!                "tool_input": {"command": "git status"}, "permission_mode": "default"}"#;
//! let event = agent.read(text, &|_| None).unwrap();
//! assert_eq!(Call::new(event.action.clone()).tool_name(), "Bash");
//!
//! let reply = agent.reply(&event, &HookAnswer::Block("no".to_owned()));
//! assert!(reply.stdout.contains(r#""permissionDecision":"deny""#));
//! ```
//!
//! Each agent has a module with its protocol. The module names the source and version of the protocol,
//! and which parts were tested against the real agent.
//!
//! This crate never decides: [`judge_event`] asks the guard and turns its verdict into a
//! [`HookAnswer`]. It never fails open: the call is blocked if the event cannot be parsed, the policy is
//! broken, or the judge panics or exceeds its time limit ([`run_with_timeout`], [`catch_panic`]).

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
mod event;
mod install;
mod judge_event;
mod presence;
mod rewriting;
mod sample;
mod servers;
mod setup;
mod watchdog;

pub use agent::{Agent, UnknownAgent};
pub use answer::{HookAnswer, HookReply};
pub use event::{AgentProject, AgentPrompt, EventError, HookEvent, HookStage};
pub use install::{HookRemoval, SettingsError};
pub use judge_event::{
    HookOutcome, OpenQuestion, QuestionOutcome, call_of, judge_event, judge_event_unless,
    settle_question,
};
pub use rewriting::{ShellCall, redeeming_line};
pub use sample::{SAMPLE_SESSION, SampleVerdict};
pub use servers::{PROJECT_KEY, ServerFile, ServerFileScope};
pub use setup::HookSetup;
pub use watchdog::{JUDGE_TIMEOUT, catch_panic, run_with_timeout, timeout_message};
