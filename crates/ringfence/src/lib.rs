//! ringfence for programs that run agents: one guard decides every call by a policy.
//!
//! ```
//! use std::sync::Arc;
//!
//! use ringfence::core::host::MemoryHost;
//! use ringfence::core::path::AbsPath;
//! use ringfence::core::{Context, Date, Policy, Role};
//! use ringfence::guard::{Action, Call, Guard};
//! use ringfence::manifest::{Format, NoLibrary, Source, builtin, read};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // A policy, read from text; real doors find theirs with `guard::world`.
//! let text = "allow = [\"fs:r:@root/**\"]\ndeny = [\"fs:r:**/.env\"]\n";
//! let source = Source::new("policy.toml", Format::Toml, text)?;
//! let document = read(&source, Role::User, &NoLibrary)?.document;
//!
//! // The surroundings are fixed when a door starts; nothing is ever taken from a call.
//! let project = AbsPath::new("/home/u/proj")?;
//! let home = AbsPath::new("/home/u")?;
//! let context = Context::new(Some(project.clone()), home, project, Date::from_unix_days(20_000));
//! let host = Arc::new(MemoryHost::new());
//! let documents = vec![builtin::protected_document(), document];
//! let policy = Policy::compile(documents, builtin::danger_rules(), &context, &*host)
//!     .map_err(|problems| format!("{problems:?}"))?;
//! let guard = Guard::new(policy, host, context);
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

pub use ringfence_analysis as analysis;
pub use ringfence_core as core;
pub use ringfence_exec as exec;
pub use ringfence_guard as guard;
pub use ringfence_hooks as hooks;
pub use ringfence_manifest as manifest;
pub use ringfence_sandbox as sandbox;
pub use ringfence_shell as shell;
