//! Judges git repositories that a run creates or changes.
//!
//! Git reads config, hooks and links to other directories from a repository. Some of these run
//! programs the next time somebody uses the repository outside the run. A run may change a
//! repository as long as everything that git would read stays within a safe subset: see [`config`]
//! for settings, [`link`] for links, and [`layout`] for repositories with unusual names.

mod claims;
mod config;
mod content;
mod inert;
mod judge;
mod layout;
mod link;
mod url;

pub(crate) use claims::Repositories;
pub(crate) use content::{JudgedCopy, read_or_nothing};
pub(crate) use judge::GitChange;
