//! Git repositories that a run makes or changes.
//!
//! Git reads settings, hooks and links to other directories from a repository, and some of these run
//! programs the next time somebody uses the repository outside. A run may change a repository as
//! long as everything that git would read there stays within a canonical subset: see
//! [`config`] for settings, [`link`] for links, [`layout`] for directories that git takes for a
//! repository whatever their name is.

mod claims;
mod config;
mod content;
mod inert;
mod judge;
mod layout;
mod link;
mod url;

pub(crate) use claims::Repositories;
pub(crate) use content::{Renewed, read_or_nothing};
pub(crate) use judge::GitChange;
