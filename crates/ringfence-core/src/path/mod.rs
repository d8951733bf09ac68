//! Absolute paths, as asked for and as they really are.
//!
//! A path is judged in two spellings: as it was asked for and as the kernel would go it. What
//! tools could read in further ways is refused. Nothing here opens a file: what must be known of
//! the world is asked of the [`Host`](crate::host::Host).

mod abs_path;
mod bad_path;
mod components;
mod expand;
mod file_path;
mod name_end;
mod path_fault;
mod process;
mod resolve;
mod rules;
mod walk;
mod windows;

pub(crate) use walk::names;

pub use abs_path::AbsPath;
pub use bad_path::BadPath;
pub use components::Components;
pub use file_path::{EntryKind, FilePath};
pub use name_end::NameEnd;
pub use path_fault::PathFault;
pub use resolve::{Follow, resolve, resolve_as, resolve_literal, resolve_path};
pub use rules::PathRules;
