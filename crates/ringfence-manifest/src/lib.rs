//! Text to documents: formats, spans, schema, profiles.
//!
//! ```
//! use ringfence_core::Role;
//! use ringfence_manifest::{Format, NoLibrary, Source, read};
//!
//! let text = "allow = [\"cmd:git:*\"]\ndeny = [\"sh\"]\n";
//! let source = Source::new("user policy.toml", Format::Toml, text)?;
//! let loaded = read(&source, Role::User, &NoLibrary)?;
//! assert_eq!(loaded.document.rules.len(), 2);
//! assert_eq!(loaded.document.rules[1].origin.to_string(), "user policy.toml:2");
//! # Ok::<(), ringfence_manifest::Errors>(())
//! ```
//!
//! TOML, YAML and JSON are one document. A text becomes a tree that knows where everything stands
//! (`tree`), the tree becomes typed data (`de`, `raw`), and every notation is lowered to the rules
//! that the judge knows (`lower`). Errors name file, line and column, and refuse the whole
//! document. No text, however it was made, stops the process or costs more than its length allows.
//!
//! This crate never decides anything, and it touches no file: whoever extends files brings a
//! [`Library`].

#![cfg_attr(
    test,
    allow(clippy::unwrap_used, reason = "a test that meets the unexpected should stop")
)]

pub mod amend;
pub mod builtin;
pub mod catalogue;
mod compiled;
mod de;
pub mod export;
mod fmt;
pub mod import;
mod load;
mod lower;
mod name_hash;
mod node;
pub mod profiles;
mod quantity;
mod raw;
mod rule_record;
mod schema;
mod text;
mod tree;
mod words;

pub use fmt::{canonical, fmt};
pub use load::{Extended, Library, Loaded, NoLibrary, plain, read, read_with_tables};
pub use lower::{PolicyTest, TestCall};
pub use schema::schema;
pub use text::{Diagnostic, Errors, Format, MAX_BYTES, Severity, Source, Span};
