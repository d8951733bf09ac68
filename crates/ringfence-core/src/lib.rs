//! The core of ringfence: accesses, patterns, documents and the judge.
//!
//! This crate is pure: it does no I/O and reads neither clock nor environment. Facts about the
//! machine come through the [`host::Host`] trait. The guard implements it for the real machine,
//! [`host::MemoryHost`] for a described machine in tests and cases.
//!
//! Words that the comments use: a *door* is a program part that receives calls (the command, a
//! hook, the MCP gateway). A document has a *stance* on a class of access if it has an allow or ask
//! rule for it. A *ceiling* is a document that only narrows. The *danger list* holds accesses that
//! need an *opt-in* besides a grant. A pattern *floats* if it starts with `**`. A *deep wildcard*
//! is `**` in a path or `*` in a command: any number of elements.

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

pub mod access;
pub mod bytes;
pub mod class;
pub mod context;
pub mod date;
pub mod document;
pub mod effect;
pub mod effects;
pub mod enforcement;
pub mod facet;
pub mod host;
pub mod inclusion;
mod index;
pub mod judge;
pub mod limits;
pub mod net;
pub mod origin;
pub mod path;
pub mod pattern;
pub mod program;
pub mod rule;
pub mod settings;
pub mod text;
pub mod verdict;

pub use access::{Access, AccessKind, AccessScope};
pub use class::Class;
pub use context::Context;
pub use date::Date;
pub use document::{Document, McpServer, ProgramEntry, Role};
pub use effect::Effect;
pub use effects::Effects;
pub use enforcement::Enforcement;
pub use facet::Facet;
pub use judge::Policy;
pub use limits::Limits;
pub use origin::Origin;
pub use pattern::{Pattern, PatternError};
pub use rule::{Rule, RuleNote, Scope};
pub use settings::{HookShell, Hooks, Mode, Settings, UnlistedCalls};
pub use verdict::{Doubt, DoubtConstruct, DoubtKind, Ground, Grounds, HeldByFence, Verdict};
