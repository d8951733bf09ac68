//! The project's root.
//!
//! It is found when a door starts, from the directory in which it starts or the one that the
//! agent names as its project; a call never moves it. A root that holds people's homes would turn
//! `@root` into a grant of everything they own, so there is none such.

use std::fmt;

use ringfence_core::path::AbsPath;

use super::places::PROJECT_FILES;

/// Why there is no root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoRoot {
    /// It would be the whole file system.
    Everything,
    /// It would be a home directory.
    Home(AbsPath),
    /// It would hold a home directory.
    HoldsHome {
        /// What would be the root.
        directory: AbsPath,
        /// The home directory in it.
        home: AbsPath,
    },
}

impl fmt::Display for NoRoot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = "there is no project here, so `@root` matches nothing: ";
        match self {
            NoRoot::Everything => write!(f, "{start}`/` is never one"),
            NoRoot::Home(home) => write!(f, "{start}`{home}` is a home directory"),
            NoRoot::HoldsHome { directory, home } => {
                write!(f, "{start}`{directory}` holds the home directory `{home}`")
            }
        }
    }
}

/// A root, and what should be said about how it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FoundRoot {
    pub(super) root: Result<AbsPath, NoRoot>,
    /// A policy file in a directory that can be no root, and so counts for nothing.
    pub(super) passed_over: Option<AbsPath>,
}

/// The nearest ancestor with a policy file or a repository, else the directory itself.
///
/// `directory` and `homes` are free of links.
pub(super) fn find(directory: &AbsPath, homes: &[AbsPath]) -> FoundRoot {
    let mut here = Some(directory.clone());
    while let Some(candidate) = here {
        // Everything above a directory that can be no root can be none either.
        if let Err(no_root) = check(&candidate, homes) {
            let passed_over = project_file(&candidate);
            let root = match &candidate == directory {
                true => Err(no_root),
                false => Ok(directory.clone()),
            };
            return FoundRoot { root, passed_over };
        }
        if project_file(&candidate).is_some() || is_repository(&candidate) {
            return FoundRoot { root: Ok(candidate), passed_over: None };
        }
        here = candidate.parent();
    }
    FoundRoot { root: Ok(directory.clone()), passed_over: None }
}

/// Passes on a directory that may be a root.
pub(super) fn check(directory: &AbsPath, homes: &[AbsPath]) -> Result<(), NoRoot> {
    if directory.is_root() {
        return Err(NoRoot::Everything);
    }
    match homes.iter().find(|home| home.starts_with(directory)) {
        None => Ok(()),
        Some(home) if home == directory => Err(NoRoot::Home(home.clone())),
        Some(home) => Err(NoRoot::HoldsHome { directory: directory.clone(), home: home.clone() }),
    }
}

fn project_file(directory: &AbsPath) -> Option<AbsPath> {
    let files = PROJECT_FILES.iter().filter_map(|name| directory.child(name).ok());
    files.into_iter().find(exists)
}

fn is_repository(directory: &AbsPath) -> bool {
    // A file in worktrees and submodules, a directory elsewhere.
    directory.child(".git").is_ok_and(|path| exists(&path))
}

fn exists(path: &AbsPath) -> bool {
    rustix::fs::lstat(path.as_str()).is_ok()
}

#[cfg(test)]
#[path = "root_tests.rs"]
mod tests;
