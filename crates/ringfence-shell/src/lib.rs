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
//! [`parse`] makes a tree of a line, [`commands`] finds every simple command in it wherever it stands,
//! [`list()`] says both in the schema of `ringfence parse`.
//!
//! The parser reads what bash 5.2 reads when it is not interactive and started without options. It
//! accepts less and never differently: what bash refuses is [`ParseError::Syntax`], what is not read
//! with certainty is [`ParseError::Unsupported`]. Either way nothing is known of what the line would
//! run, and bash may run some of it: it reads and runs line by line.
//!
//! Limits: lines of [`MAX_BYTES`], [`MAX_DEPTH`] levels of nesting, brace expansions of 4096 words
//! (longer ones are words of unknown text). Names in `~` and values of variables are not known here;
//! nor is what earlier commands of the same line change: `set +B`, `shopt`, `IFS`, `alias`.
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

pub mod argv;
pub mod ast;
pub mod effects;
mod error;
mod expand;
mod field;
pub mod lang;
mod listing;
mod parse;
mod span;
mod walk;

pub use error::{ParseError, Syntax, Unsupported};
pub use field::{Dynamic, Field, FieldText};
pub use listing::{ListedCommand, Listing, list, list_script};
pub use parse::{MAX_BYTES, MAX_DEPTH, Options, parse, parse_with};
pub use span::Span;
pub use walk::{CompoundRedirect, Context, Found, commands, compound_redirects};
