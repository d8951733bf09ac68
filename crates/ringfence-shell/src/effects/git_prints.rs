//! What git prints about the repository around the line.
//!
//! Only what is there when the line is looked at counts: where the line itself changes it, nothing is
//! known.

use std::collections::BTreeSet;

use ringfence_core::AccessKind;
use ringfence_core::access::Arg;
use ringfence_core::path::AbsPath;

use super::Walker;
use super::git_remote::read;

impl Walker<'_> {
    /// Whether the branch that is checked out has a name that no program takes for an option or a
    /// forced push. Git refuses to make others, but for its plumbing.
    #[cold]
    pub(super) fn branch_is_plain(&self) -> bool {
        let mut names = BTreeSet::new();
        let repositories = self.repositories();
        for repository in &repositories {
            let Some(head) = read(self.world.host(), &repository.own, "HEAD") else { return false };
            names.extend(head.trim().strip_prefix("ref: refs/heads/").map(str::to_owned));
        }
        // Where nothing can be looked up it may be any branch, also one that a rule is about.
        !repositories.is_empty()
            && repositories.len() == self.state.cwd.len()
            && self.git_is_plain()
            && self.switched_to(&mut names)
            && !names.iter().any(|name| name.starts_with(['-', '+']))
    }

    /// The top of the working tree; where there is no repository git prints nothing, and that is as
    /// good as the directory itself.
    #[cold]
    pub(super) fn tree_around(&self) -> Option<String> {
        let [cwd] = &*self.state.cwd else { return None };
        let moved = |config: &str| {
            let config = config.to_ascii_lowercase();
            config.contains("worktree") || config.contains("include")
        };
        let is_moved = self.repositories().iter().any(|own| moved(&own.config));
        if is_moved || !self.git_is_plain() || self.runs_git(&["config", "worktree", "init"]) {
            return None;
        }
        let host = self.world.host();
        let mut directory = Some(cwd.clone());
        while let Some(here) = directory {
            let git = here.join(".git").ok()?;
            if host.entry(&git) != ringfence_core::host::FileEntry::Missing {
                return Some(here.to_string());
            }
            directory = here.parent();
        }
        Some(AbsPath::to_string(cwd))
    }

    /// Whether nothing that is set tells git of another repository.
    pub(super) fn git_is_plain(&self) -> bool {
        const MOVES: [&str; 4] =
            ["GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_CEILING_DIRECTORIES"];
        let is_set = |name: &&str| {
            self.state.variables.contains_key(name)
                || self.given.iter().any(|own| own == name)
                || self.world.host().env(name).is_some()
        };
        !MOVES.iter().any(is_set)
    }

    /// Whether the line has run git with one of these words.
    pub(super) fn runs_git(&self, words: &[&str]) -> bool {
        self.effects.accesses.iter().any(|access| {
            let AccessKind::Exec(exec) = &access.what else { return false };
            let is_one = |arg: &Arg| arg.known().is_some_and(|word| words.contains(&word));
            exec.program.names().any(|name| name == "git") && exec.args.iter().any(is_one)
        })
    }
}
