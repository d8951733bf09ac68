//! How commands are confined, and how much they may use.

use schemars::JsonSchema;
use serde::Deserialize;

use super::program::ChildrenWord;
use crate::de::Spanned;

/// `[sandbox]`
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
#[schemars(rename = "Sandbox")]
pub(crate) struct RawSandbox {
    /// Parts of confinement without which a run starts all the same, and says so. Only in the
    /// organisation's and the user's file.
    pub(crate) best_effort: Option<Spanned<Vec<FacetWord>>>,
    /// `judged`: what any program starts needs a grant of its own.
    pub(crate) children: Option<ChildrenWord>,
    /// What becomes of a program that no rule grants, in a fence: `run`, where the fence is whole;
    /// `ask` and `deny` only narrow. Without it the document's `default` holds.
    pub(crate) unlisted_programs: Option<UnlistedProgramsWord>,
}

/// What becomes of a program in a fence that no rule grants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "UnlistedPrograms")]
pub(crate) enum UnlistedProgramsWord {
    /// It runs; every deny, ask and danger rule holds for it.
    Run,
    /// A person decides.
    Ask,
    /// It does not run.
    Deny,
}

/// A part of confinement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "Facet")]
pub(crate) enum FacetWord {
    /// Reading, writing, deleting.
    Files,
    /// Running programs.
    Exec,
    /// Names, addresses and ports.
    Network,
    /// Unix sockets.
    Sockets,
    /// Variables.
    Environment,
    /// Calls of the kernel that no rule is about.
    Syscalls,
    /// Time, memory, processes, sizes.
    Limits,
}

/// `[limits]`
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
#[schemars(rename = "Limits")]
pub(crate) struct RawLimits {
    /// How long a run may take (`90s`, `10m`, `2h`).
    pub(crate) time: Option<Spanned<String>>,
    /// How much memory each of its processes may have (`512MiB`, `2GiB`).
    pub(crate) memory: Option<Spanned<String>>,
    /// How many processes and threads it may have at one time.
    pub(crate) processes: Option<Spanned<u64>>,
    /// How large a file may become (`100MB`).
    pub(crate) file_size: Option<Spanned<String>>,
    /// How many files each of its processes may have open.
    pub(crate) open_files: Option<Spanned<u64>>,
    /// How much it may print (`10MB`).
    pub(crate) output: Option<Spanned<String>>,
}

/// `[hooks]`
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
#[schemars(rename = "Hooks")]
pub(crate) struct RawHooks {
    /// Who answers where no rule speaks and the default is to ask: `ask`, a person; `agent`, the
    /// agent's own permissions. A rule that asks is always asked about. Not in a project's file.
    pub(crate) unlisted: Option<Spanned<AnswererWord>>,
    /// How long a hook waits for a person, in seconds; then the call is refused, and the refusal
    /// has the name of the question. An agent that waits less long sets the limit.
    pub(crate) wait: Option<Spanned<u64>>,
    /// How a shell call runs that a hook allows: `fence`, in the fence of the agent's session; `ask`,
    /// as the agent would run it. An untrusted project cannot set `fence`.
    pub(crate) shell: Option<Spanned<HookShellWord>>,
}

/// How a shell call runs that a hook allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "HookShell")]
pub(crate) enum HookShellWord {
    /// In the fence of the agent's session.
    Fence,
    /// As the agent would run it.
    Ask,
}

/// Who answers where no rule speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "Answerer")]
pub(crate) enum AnswererWord {
    /// A person.
    Ask,
    /// The agent's own permissions.
    Agent,
}
