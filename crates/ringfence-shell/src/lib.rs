//! From a command line to what it would do.
//!
//! ```
//! let script = ringfence_shell::parse("cd /tmp && rm -rf \"$(cat list)\"").unwrap();
//! let programs: Vec<_> = ringfence_shell::commands(&script)
//!     .iter()
//!     .filter_map(|found| found.command.words.first()?.as_static().map(|text| text.into_owned()))
//!     .collect();
//! assert_eq!(programs, ["cd", "rm", "cat"]);
//! ```
//!
//! This crate never guesses: what it cannot read with certainty it reports as a doubt, and a doubt
//! is denied unless a policy says otherwise. Nothing here decides anything.

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

pub mod ast;
mod error;
mod expand;
mod listing;
mod parse;
pub mod plain;
mod span;
mod walk;

pub use error::{ParseError, Syntax, Unsupported};
pub use listing::{ListedCommand, Listing, list, list_script};
pub use parse::{MAX_BYTES, MAX_DEPTH, Options, parse, parse_with};
pub use span::Span;
pub use walk::{CompoundRedirect, Context, Found, commands, compound_redirects};
