//! ringfence for programs that run agents: one guard decides every call by a policy.
//!
//! ```
//! use std::sync::Arc;
//!
//! use ringfence::core::host::MemoryHost;
//! use ringfence::core::path::AbsPath;
//! use ringfence::core::{Context, Date, Role};
//! use ringfence::guard::{Action, Call, Guard, PolicyBuilder};
//! use ringfence::manifest::{Format, NoLibrary, Source, read};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // A policy, read from text; real doors find theirs with `guard::world`.
//! let text = "allow = [\"fs:r:@root/**\"]\ndeny = [\"fs:r:**/.env\"]\n";
//! let source = Source::new("policy.toml", Format::Toml, text)?;
//! let loaded = read(&source, Role::User, &NoLibrary)?;
//!
//! // The surroundings are fixed when a door starts; nothing is ever taken from a call.
//! let project = AbsPath::new("/home/u/proj")?;
//! let home = AbsPath::new("/home/u")?;
//! let context = Context::new(Some(project.clone()), home, project, Date::from_unix_days(20_000));
//! let host = Arc::new(MemoryHost::new());
//! let built = PolicyBuilder::new().loaded(loaded).build(&context, &*host)?;
//! let guard = Guard::new(built.policy, host, context);
//!
//! // A call passes with a permit, or is answered with a refusal that the agent can act on.
//! let read_file = |path: &str| {
//!     let input = serde_json::json!({ "path": path });
//!     Call::new(Action::Tool { name: "read_file".to_owned(), input })
//! };
//! assert!(guard.judge(&read_file("src/main.rs")).is_ok());
//! let refusal = guard.judge(&read_file(".env")).unwrap_err();
//! assert_eq!(refusal.to_json()["code"], "denied");
//! # Ok(())
//! # }
//! ```
//!
//! Commands run in a fence that the kernel holds. A [`Door`] is opened once for a directory; each
//! command gets a [`Fence`], whose plan can be looked at before anything is started.
//! Runs can be started from programs with any number of threads and of any size: nothing is forked.
//!
//! ```
//! use std::sync::Arc;
//!
//! use ringfence::{Command, Door, Stdio};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let project = tempfile::tempdir()?;
//! let policy = project.path().join("policy.toml");
//! std::fs::write(&policy, "extends = [\"@workspace\"]\nallow = [\"cmd:cat:*\"]\n")?;
//! std::fs::write(project.path().join("notes"), "hello")?;
//! std::fs::write(project.path().join(".env"), "TOKEN=secret")?;
//!
//! let door = Door::open(project.path(), [&policy])?;
//! let cat = Command::new("cat").args(["notes", ".env"]);
//! let cat = cat.stdin(Stdio::Null).stdout(Stdio::Piped).stderr(Stdio::Piped);
//! let fence = Arc::new(door.fence(&cat)?);
//! assert_eq!(fence.plan().cwd, project.path().canonicalize()?);
//!
//! let outcome = ringfence::run(&fence, &cat)?;
//! assert_eq!(outcome.stdout, b"hello");
//! assert!(String::from_utf8(outcome.stderr)?.contains(".env: Permission denied"));
//! # Ok(())
//! # }
//! ```
//!
//! [`spawn`] gives a handle with pipes; when it is dropped, the command and all it started end. With
//! the feature `tokio` the module `asynchronous` has the same for tasks.

mod child;
mod command;
mod door;
mod error;
mod plan_file;
mod ready;

#[cfg(feature = "tokio")]
pub mod asynchronous;

pub use child::{Child, Outcome, run, spawn};
pub use command::{Command, Stdio};
pub use door::{Beside, Door, Planned};
pub use error::Error;
pub use ready::{Ready, Unready, Wanted};
pub use ringfence_exec::{Approver, Fence, Report};
pub use ringfence_sandbox::Ended;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/guides/embed.md")]
mod guide {}

pub use ringfence_analysis as analysis;
pub use ringfence_core as core;
pub use ringfence_egress as egress;
pub use ringfence_exec as exec;
pub use ringfence_guard as guard;
pub use ringfence_hooks as hooks;
pub use ringfence_manifest as manifest;
pub use ringfence_mcp as mcp;
pub use ringfence_sandbox as sandbox;
pub use ringfence_shell as shell;
