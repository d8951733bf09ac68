//! What the shell makes of the text of a word before it looks at anything else: braces, tildes and
//! patterns. Nothing here knows any file, user or variable.

mod atom;
mod brace;
mod glob;
mod sequence;
mod tilde;

pub(crate) use brace::{Braces, Budget, braces};
pub(crate) use glob::globs;
pub(crate) use tilde::{Tildes, is_assignment, tildes};
