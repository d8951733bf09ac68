//! Finds the project root.
//!
//! The root is fixed when a door starts: from its working directory, or from the project directory
//! that the agent names. A call never changes it. A directory that contains home directories is
//! never a root, because `@root` would then grant all of a user's files.

use std::fmt;

use ringfence_core::path::AbsPath;

use super::locations::PROJECT_FILES;

/// Why there is no root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoRoot {
    /// The root would be `/`.
    Everything,
    /// The root would be a home directory.
    Home(AbsPath),
    /// The root would contain a home directory.
    HoldsHome {
        /// The rejected root.
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

/// The root, and a note about the search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FoundRoot {
    pub(super) root: Result<AbsPath, NoRoot>,
    /// A policy file that is ignored, because its directory cannot be a root.
    pub(super) passed_over: Option<AbsPath>,
}

/// Returns the nearest ancestor with a policy file or a repository, or else `directory` itself.
///
/// `directory` and `homes` must not contain symlinks.
pub(super) fn find(directory: &AbsPath, homes: &[AbsPath]) -> FoundRoot {
    let mut here = Some(directory.clone());
    while let Some(candidate) = here {
        // If a directory cannot be a root, neither can its ancestors.
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

/// Returns an error if the directory must not be a root.
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
    // `.git` is a file in worktrees and submodules, and a directory otherwise.
    directory.child(".git").is_ok_and(|path| exists(&path))
}

fn exists(path: &AbsPath) -> bool {
    rustix::fs::lstat(path.as_str()).is_ok()
}

#[cfg(test)]
#[path = "root_tests.rs"]
mod tests;
