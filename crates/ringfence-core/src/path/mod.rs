//! Absolute paths, as requested and as resolved.
//!
//! A path is judged in two spellings: as requested, and as the kernel resolves it. A path that
//! tools could read in another way is refused. Nothing here opens a file; facts about the file
//! system come from the [`Host`](crate::host::Host).

mod abs_path;
mod bad_path;
mod components;
mod expand;
mod file_path;
mod name_end;
mod path_fault;
mod path_rules;
mod proc_names;
mod resolve;
mod walk;
mod windows;

pub(crate) use walk::names;

pub use abs_path::AbsPath;
pub use bad_path::BadPath;
pub use components::Components;
pub use file_path::{EntryKind, FilePath};
pub use name_end::NameEnd;
pub use path_fault::PathFault;
pub use path_rules::PathRules;
pub use resolve::{Follow, resolve, resolve_as, resolve_literal, resolve_path};
