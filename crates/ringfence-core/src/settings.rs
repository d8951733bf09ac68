//! Settings of documents, combined strictest-wins.

use std::collections::BTreeSet;

use crate::effect::Effect;
use crate::facet::Facet;
use crate::limits::Limits;
use crate::program::Children;

/// What a document says apart from its rules. `None` and empty mean that it does not say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// The answer to a call whose program cannot be told.
    pub unanalysable: Option<Effect>,
    /// The answer to an operand that cannot be told.
    pub unknown_operands: Option<Effect>,
    /// Whether refusals name the allowed roots.
    pub reveal_roots: Option<bool>,
    /// Whether the tool `terminal` may use shell metacharacters although it is scoped by path lists.
    pub allow_metacharacters: Option<bool>,
    /// Decide and record, but refuse nothing.
    pub mode: Option<Mode>,
    /// Programs whose broad grant the author really meant (`sudo`, `python`).
    pub dangerously_grant: BTreeSet<String>,
    /// The project's name, for keychain patterns.
    pub projectname: Option<String>,
    /// The parts of confinement without which a run starts all the same.
    pub best_effort: Option<BTreeSet<Facet>>,
    /// Whether what programs start needs a grant of its own, whatever the catalogue says.
    pub children: Option<Children>,
    /// How much a confined run may use.
    pub limits: Limits,
    /// What hooks do with questions.
    pub hooks: Hooks,
    /// Whether the MCP gateway may put questions to the agent's own client.
    pub elicitation: Option<bool>,
}

/// What hooks do with questions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Hooks {
    /// Who answers where no rule speaks.
    pub unlisted: Option<Unlisted>,
    /// How long a hook waits for a person, in seconds.
    pub wait: Option<u64>,
}

/// Who answers where no rule speaks, and the default is to ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unlisted {
    /// A person is asked, as the default says.
    Ask,
    /// The agent's own permissions decide.
    Agent,
}

/// Whether verdicts are enforced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Verdicts are enforced.
    Enforce,
    /// Verdicts are decided and recorded, and nothing is refused.
    Observe,
}

impl Settings {
    /// Whether a run may begin though nothing here holds this part of its confinement.
    pub fn may_miss(&self, facet: Facet) -> bool {
        self.best_effort.as_ref().is_some_and(|facets| facets.contains(&facet))
    }

    /// The combination of two documents' settings: the stricter word of the two on each point.
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
        self.limits = self.limits.meet(other.limits);
        self.elicitation = both(self.elicitation, other.elicitation);
        self.hooks.unlisted = match (self.hooks.unlisted, other.hooks.unlisted) {
            (Some(Unlisted::Ask), _) | (_, Some(Unlisted::Ask)) => Some(Unlisted::Ask),
            (one, two) => one.or(two),
        };
        self.hooks.wait = match (self.hooks.wait, other.hooks.wait) {
            (Some(one), Some(two)) => Some(one.min(two)),
            (one, two) => one.or(two),
        };
        self
    }
}

/// The strict value is `false`; it wins as soon as one side says it.
fn both(one: Option<bool>, two: Option<bool>) -> Option<bool> {
    match (one, two) {
        (Some(one), Some(two)) => Some(one && two),
        (one, two) => one.or(two),
    }
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
