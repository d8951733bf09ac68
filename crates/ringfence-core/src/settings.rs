//! Settings of documents. Where documents differ, the strictest setting wins.

use std::collections::BTreeSet;

use crate::effect::Effect;
use crate::facet::Facet;
use crate::limits::Limits;
use crate::program::Children;

/// The settings of a document. `None` and empty mean that the document does not set the value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// The effect on a call whose program cannot be determined.
    pub unanalysable: Option<Effect>,
    /// The effect on an operand whose value cannot be determined.
    pub unknown_operands: Option<Effect>,
    /// Whether refusals list the allowed directories.
    pub reveal_roots: Option<bool>,
    /// Whether the tool `terminal` accepts shell metacharacters even if it is limited by path
    /// lists.
    pub allow_metacharacters: Option<bool>,
    /// Whether verdicts are enforced or only recorded.
    pub mode: Option<Mode>,
    /// Programs that the author really wants to grant broadly (`sudo`, `python`).
    pub dangerously_grant: BTreeSet<String>,
    /// The project's name, for use in keychain patterns.
    pub projectname: Option<String>,
    /// The facets of confinement that a run may lack.
    pub best_effort: Option<BTreeSet<Facet>>,
    /// Whether programs started by a granted program need their own grant; overrides the catalogue.
    pub children: Option<Children>,
    /// The effect on a program in a fence that no rule grants; `allow` counts only in a whole fence.
    pub unlisted_programs: Option<Effect>,
    /// The resource limits of a confined run.
    pub limits: Limits,
    /// How hooks handle calls that need approval.
    pub hooks: Hooks,
    /// Whether the MCP gateway may ask for approval through the agent's own client.
    pub elicitation: Option<bool>,
}

/// How hooks handle calls that need approval.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Hooks {
    /// Who decides a call that no rule matches.
    pub unlisted: Option<UnlistedCalls>,
    /// The time in seconds that a hook waits for a person's answer.
    pub wait: Option<u64>,
    /// How a shell call runs that a hook allows.
    pub shell: Option<HookShell>,
}

/// How a shell call runs that a hook allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum HookShell {
    /// The hook rewrites the call, so that it runs in the fence of the agent's session.
    Fence,
    /// The agent runs the call as it is, and a person is asked about what cannot be judged.
    Ask,
}

/// Who decides a call that no rule matches, if the default effect is `ask`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnlistedCalls {
    /// A person is asked.
    Ask,
    /// The agent's own permission system decides.
    Agent,
}

/// Whether verdicts are enforced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Calls are refused according to their verdict.
    Enforce,
    /// Verdicts are decided and recorded, but no call is refused.
    Observe,
}

impl Settings {
    /// Returns whether a run may start if this host cannot enforce a facet.
    pub fn is_best_effort(&self, facet: Facet) -> bool {
        self.best_effort.as_ref().is_some_and(|facets| facets.contains(&facet))
    }

    /// Combines the settings of two documents: for each setting, the stricter value.
    #[must_use]
    pub fn meet(mut self, other: &Settings) -> Settings {
        self.unanalysable = self.unanalysable.max(other.unanalysable);
        self.unknown_operands = self.unknown_operands.max(other.unknown_operands);
        self.reveal_roots = both(self.reveal_roots, other.reveal_roots);
        self.allow_metacharacters = both(self.allow_metacharacters, other.allow_metacharacters);
        self.mode = match (self.mode, other.mode) {
            (Some(Mode::Enforce), _) | (_, Some(Mode::Enforce)) => Some(Mode::Enforce),
            (one, two) => one.or(two),
        };
        self.dangerously_grant.extend(other.dangerously_grant.iter().cloned());
        self.projectname = self.projectname.or_else(|| other.projectname.clone());
        self.best_effort = match (self.best_effort, &other.best_effort) {
            (Some(own), Some(other)) => Some(own.intersection(other).copied().collect()),
            (own, other) => own.or_else(|| other.clone()),
        };
        self.children = match (self.children, other.children) {
            (Some(Children::Judged), _) | (_, Some(Children::Judged)) => Some(Children::Judged),
            (one, two) => one.or(two),
        };
        self.unlisted_programs = self.unlisted_programs.max(other.unlisted_programs);
        self.limits = self.limits.meet(other.limits);
        self.elicitation = both(self.elicitation, other.elicitation);
        self.hooks.unlisted = match (self.hooks.unlisted, other.hooks.unlisted) {
            (Some(UnlistedCalls::Ask), _) | (_, Some(UnlistedCalls::Ask)) => {
                Some(UnlistedCalls::Ask)
            }
            (one, two) => one.or(two),
        };
        self.hooks.shell = self.hooks.shell.max(other.hooks.shell);
        self.hooks.wait = match (self.hooks.wait, other.hooks.wait) {
            (Some(one), Some(two)) => Some(one.min(two)),
            (one, two) => one.or(two),
        };
        self
    }
}

/// Combines two flags whose strict value is `false`.
fn both(one: Option<bool>, two: Option<bool>) -> Option<bool> {
    match (one, two) {
        (Some(one), Some(two)) => Some(one && two),
        (one, two) => one.or(two),
    }
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
