//! The verbs with which a person changes what agents may do.

use clap::Args as ClapArgs;

pub(super) const ALLOW_EXAMPLES: &str = "\
Examples:
  ringfence allow 'cmd:git:push:*' --why 'my own fork'
  ringfence allow net:api.example.com:443 --project
  ringfence allow 'cmd:git:push:*' --once
  ringfence forget 'cmd:git:push:*'

It needs a person at a terminal. A deny still wins, and danger needs its own list.
Exit status: 0 done, or there already; 2 error";

pub(super) const FORGET_EXAMPLES: &str = "\
Examples:
  ringfence forget 'cmd:git:push:*'
  ringfence forget net:api.example.com:443 --project

It needs a person at a terminal.
Exit status: 0 done, 2 error, also where no such rule was added by hand";

pub(super) const ALLOWED_EXAMPLES: &str = "\
Examples:
  ringfence allowed
  ringfence allowed --json";

pub(super) const STATUS_EXAMPLES: &str = "\
Examples:
  ringfence status
  ringfence status --json";

pub(super) const LOG_EXAMPLES: &str = "\
Examples:
  ringfence log
  ringfence log --all --json";

pub(super) const UNINSTALL_EXAMPLES: &str = "\
Examples:
  ringfence uninstall
  ringfence uninstall --project

It needs a person at a terminal.
Exit status: 0 done, 1 nothing was changed, 2 error";

pub(super) const DENY_EXAMPLES: &str = "\
Examples:
  ringfence deny k3f9xa
  ringfence deny cmd:curl --why 'no downloads'

A question is answered from anywhere outside a run; a rule needs a person at a terminal.
Exit status: 0 done, 1 no such question is waiting, 2 error";

pub(super) const INIT_EXAMPLES: &str = "\
Examples:
  ringfence init
  ringfence init --print
  ringfence init --yes --agent claude-code

It shows what it would write, asks, writes, and fires each hook once with a harmless and a forbidden call.
Exit status: 0 done, 1 nothing was written or a hook does not work, 2 error";

// Whose policy is meant. A doc comment here would become the verb's own help.
#[derive(Debug, Clone, Copy, ClapArgs)]
pub(crate) struct WhoseArgs {
    /// In your own policy, for every project (the default)
    #[arg(long, conflicts_with_all = ["project", "here"])]
    pub(crate) user: bool,
    /// In your own answers, for this project alone
    #[arg(long, conflicts_with = "project")]
    pub(crate) here: bool,
    /// In the project's policy, which everybody has who works on it
    #[arg(long)]
    pub(crate) project: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct AllowArgs {
    /// What is allowed, as a pattern: `cmd:git:push:*`, `fs:w:@root/out/**`, `net:example.com`
    #[arg(value_name = "PATTERN", required = true)]
    pub(crate) patterns: Vec<String>,
    #[command(flatten)]
    pub(crate) whose: WhoseArgs,
    /// Only the next time that it is asked about, within the hour
    #[arg(long, conflicts_with_all = ["session", "user", "here", "project", "why"])]
    pub(crate) once: bool,
    /// For the session or run that asks about it next, within the hour
    #[arg(long, conflicts_with_all = ["user", "here", "project", "why"])]
    pub(crate) session: bool,
    /// Why, for whoever reads the policy later
    #[arg(long, value_name = "TEXT")]
    pub(crate) why: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct DenyArgs {
    /// A question, as `ringfence pending` names it; or a pattern that is forbidden from now on
    #[arg(value_name = "ID|PATTERN")]
    pub(crate) what: String,
    #[command(flatten)]
    pub(crate) whose: WhoseArgs,
    /// Why, for the agent that is refused and whoever reads the policy later
    #[arg(long, value_name = "TEXT")]
    pub(crate) why: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ForgetArgs {
    /// The pattern, as `ringfence allowed` lists it
    #[arg(value_name = "PATTERN")]
    pub(crate) pattern: String,
    #[command(flatten)]
    pub(crate) whose: WhoseArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct AllowedArgs {
    /// Answer in JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct StatusArgs {
    /// Answer in JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct LogArgs {
    /// Show every refusal that is kept, not only the last twenty
    #[arg(long)]
    pub(crate) all: bool,
    /// Answer in JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct InitArgs {
    /// Set up this agent, whether it is found or not; may stand several times
    #[arg(long = "agent", value_name = "AGENT")]
    pub(crate) agents: Vec<String>,
    /// Write without asking
    #[arg(long, conflicts_with = "print")]
    pub(crate) yes: bool,
    /// Show what would be written, and write nothing
    #[arg(long)]
    pub(crate) print: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct UninstallArgs {
    /// Do it without asking; a terminal is needed all the same
    #[arg(long)]
    pub(crate) yes: bool,
    /// Put back only the files in this project; the hooks of your agents stay
    #[arg(long)]
    pub(crate) project: bool,
}
