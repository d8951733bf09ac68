//! The command line.

mod asking;
mod carry;
pub(crate) mod everyday;
mod examples;
mod later;
pub(crate) mod mcp;
pub(crate) mod session;

use std::path::PathBuf;

pub(crate) use asking::{ApproveArgs, DoctorArgs, PendingArgs};
pub(crate) use carry::{ExportArgs, ImportArgs};
use clap::{Args as ClapArgs, Parser, Subcommand};
pub(crate) use everyday::{
    AllowArgs, AllowedArgs, DenyArgs, ForgetArgs, InitArgs, LogArgs, StatusArgs, UninstallArgs,
};
pub(crate) use later::Later;
pub(crate) use mcp::McpArgs;
pub(crate) use session::{SessionArgs, SessionChoice};

/// One file says what an agent may do; ringfence decides every call by it.
#[derive(Debug, Parser)]
#[command(name = "ringfence", version, max_term_width = 100, arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Say whether a call would be allowed
    #[command(after_help = examples::CHECK)]
    Check(Later<CheckArgs>),
    /// Show all that a call would do, and rule by rule why it may or may not
    #[command(after_help = examples::EXPLAIN)]
    Explain(Later<CallArgs>),
    /// List the simple commands of a line, wherever they stand in it
    #[command(after_help = examples::PARSE)]
    Parse(Later<ParseArgs>),
    /// Run a command so that it and all it starts can do what the policy grants, and nothing else
    #[command(after_help = examples::RUN)]
    Run(Later<RunArgs>),
    /// List, show and end sessions: fences that many commands enter
    #[command(after_help = session::EXAMPLES)]
    Session(Later<SessionArgs>),
    /// Stand in front of an MCP server: every call is judged before it is passed on
    #[command(after_help = mcp::EXAMPLES)]
    Mcp(Later<McpArgs>),
    /// Answer one event of an agent's hook
    #[command(after_help = examples::HOOK)]
    Hook(Later<HookArgs>),
    /// Run a shell line that a hook has allowed in the fence of the agent's session: written into the
    /// agent's call by the hook
    #[command(hide = true)]
    Fenced(Later<session::FencedArgs>),
    /// List the questions that runs and hooks wait for
    #[command(after_help = asking::PENDING_EXAMPLES)]
    Pending(Later<PendingArgs>),
    /// Answer a question with yes
    #[command(after_help = asking::APPROVE_EXAMPLES)]
    Approve(Later<ApproveArgs>),
    /// Allow something from now on: one more rule in your policy
    #[command(after_help = everyday::ALLOW_EXAMPLES)]
    Allow(Later<AllowArgs>),
    /// Answer a question with no; or forbid something from now on
    #[command(after_help = everyday::DENY_EXAMPLES)]
    Deny(Later<DenyArgs>),
    /// Take away a rule that `allow`, `deny` or `approve --always` added
    #[command(after_help = everyday::FORGET_EXAMPLES)]
    Forget(Later<ForgetArgs>),
    /// List the rules that were added by hand, with their places
    #[command(after_help = everyday::ALLOWED_EXAMPLES)]
    Allowed(Later<AllowedArgs>),
    /// Say for each agent what is enforced and what is not
    #[command(after_help = everyday::STATUS_EXAMPLES)]
    Status(Later<StatusArgs>),
    /// Show what was refused, what was asked and answered, and which rules were added by hand
    #[command(after_help = everyday::LOG_EXAMPLES)]
    Log(Later<LogArgs>),
    /// Set up a policy and the hooks of the agents on this machine
    #[command(after_help = everyday::INIT_EXAMPLES)]
    Init(Later<InitArgs>),
    /// Put back every file that `init` wrote, byte for byte
    #[command(after_help = everyday::UNINSTALL_EXAMPLES)]
    Uninstall(Later<UninstallArgs>),
    /// Say what this host can hold a run to and whether the hooks work, and what to do where not
    #[command(after_help = asking::DOCTOR_EXAMPLES)]
    Doctor(Later<DoctorArgs>),
    /// Run the tests of policies, case files and case folders
    #[command(after_help = examples::TEST)]
    Test(Later<TestArgs>),
    /// Show the rules in force
    #[command(after_help = examples::POLICY)]
    Policy(Later<PolicyArgs>),
    /// Trust this project's policy file, after showing what it changes
    #[command(after_help = examples::TRUST)]
    Trust(Later<TrustArgs>),
    /// Show the danger list, or why a call is on it
    #[command(after_help = examples::DANGER)]
    Danger(Later<DangerArgs>),
    /// Show what is known about programs, and how a line is read by it
    #[command(after_help = examples::PROGRAMS)]
    Programs(Later<ProgramsArgs>),
    /// Print the JSON Schema of policy documents
    #[command(after_help = examples::SCHEMA)]
    Schema,
    /// Print the completions for a shell
    #[command(after_help = examples::COMPLETIONS)]
    Completions(Later<CompletionsArgs>),
    /// Format policy files; comments and order are kept
    #[command(after_help = examples::FMT)]
    Fmt(Later<FmtArgs>),
    /// Find rules that do not do what they seem to
    #[command(after_help = examples::LINT)]
    Lint(Later<LintArgs>),
    /// Read the rules of another program into a policy, and say what differs
    #[command(after_help = carry::IMPORT_EXAMPLES)]
    Import(Later<ImportArgs>),
    /// Write a policy as the rules of another program, and say what differs
    #[command(after_help = carry::EXPORT_EXAMPLES)]
    Export(Later<ExportArgs>),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct PolicyFiles {
    /// Decide by this file instead of the user's and the project's; each further one only narrows
    #[arg(long = "policy", value_name = "FILE")]
    pub(crate) policies: Vec<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) call: CallArgs,
    /// Judge one case per line of standard input
    #[arg(long, conflicts_with_all = ["words", "agent", "policies", "tool", "access"])]
    pub(crate) jsonl: bool,
}

// A call, and the policies that decide it. A doc comment here would become the verb's own help.
#[derive(Debug, ClapArgs)]
pub(crate) struct CallArgs {
    #[command(flatten)]
    pub(crate) files: PolicyFiles,
    /// Decide for this agent
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Judge a call of this tool, with `--input`
    #[arg(long, value_name = "TOOL", conflicts_with_all = ["access", "words"])]
    pub(crate) tool: Option<String>,
    /// The tool's arguments
    #[arg(long, value_name = "JSON", requires = "tool")]
    pub(crate) input: Option<String>,
    /// Judge one access, written like a pattern without wildcards
    #[arg(long, value_name = "ACCESS", conflicts_with = "words")]
    pub(crate) access: Option<String>,
    /// Answer in JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// What is judged. One word is a line for a shell: `'cd src && make'`. Several words are a program
    /// and its arguments. Put options such as `--json` in front: what follows the first word is part of
    /// the call
    #[arg(trailing_var_arg = true, value_name = "LINE")]
    pub(crate) words: Vec<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) files: PolicyFiles,
    /// Hold it to the rules on this agent
    #[arg(long, value_name = "AGENT")]
    pub(crate) agent: Option<String>,
    /// Hold it to the rules on this tool, of which it is a call
    #[arg(long, value_name = "TOOL")]
    pub(crate) tool: Option<String>,
    /// Show what the command would be held to, and by what, without running it
    #[arg(long)]
    pub(crate) print_plan: bool,
    /// Print the plan in JSON
    #[arg(long, requires = "print_plan")]
    pub(crate) json: bool,
    /// Write all that was refused to this file, in JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Wait for answers to questions, although there is no terminal: somebody has an eye on
    /// `ringfence pending`
    #[arg(long)]
    pub(crate) ask: bool,
    #[command(flatten)]
    pub(crate) session: SessionChoice,
    /// The command and its arguments
    #[arg(required = true, trailing_var_arg = true, value_name = "COMMAND")]
    pub(crate) command: Vec<std::ffi::OsString>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct HookArgs {
    #[command(flatten)]
    pub(crate) files: PolicyFiles,
    /// Print the settings that make the agent call the hook
    #[arg(long)]
    pub(crate) setup: bool,
    /// The agent: claude-code, codex, gemini, opencode, copilot, hermes, cursor, windsurf, cline,
    /// kiro, goose, openclaw
    #[arg(value_name = "AGENT")]
    pub(crate) agent: String,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ParseArgs {
    /// Answer in JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Read one object per line of standard input, and answer each
    #[arg(long, conflicts_with_all = ["line", "json"])]
    pub(crate) jsonl: bool,
    /// A line for a shell
    #[arg(value_name = "LINE", required_unless_present = "jsonl")]
    pub(crate) line: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct TestArgs {
    /// Policies with `[[test]]` blocks, case files (`.jsonl`), or folders of them
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Leave out cases of this area (`command`, `file`, `net`, `env`, `mcp`)
    #[arg(long, value_name = "AREA")]
    pub(crate) skip_area: Vec<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct PolicyArgs {
    #[command(subcommand)]
    pub(crate) verb: PolicyVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PolicyVerb {
    /// Print every rule in force with its origin and role
    #[command(after_help = examples::POLICY)]
    Show {
        #[command(flatten)]
        files: PolicyFiles,
        /// Answer in JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, ClapArgs)]
pub(crate) struct TrustArgs {
    /// The project; this directory's where none is given
    #[arg(value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    /// List the projects that are trusted
    #[arg(long, conflicts_with = "revoke")]
    pub(crate) list: bool,
    /// Trust the project no longer
    #[arg(long)]
    pub(crate) revoke: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct DangerArgs {
    #[command(subcommand)]
    pub(crate) verb: Option<DangerVerb>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum DangerVerb {
    /// Print the whole list with its reasons
    #[command(after_help = examples::DANGER)]
    List {
        /// Answer in JSON
        #[arg(long)]
        json: bool,
    },
    /// Say which entries a call meets, and how to opt in
    #[command(after_help = examples::DANGER)]
    Explain {
        /// A line for a shell; or an access such as `fs:r:~/.ssh/id_rsa`
        #[arg(required = true, value_name = "CALL")]
        words: Vec<String>,
    },
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ProgramsArgs {
    #[command(subcommand)]
    pub(crate) verb: ProgramsVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ProgramsVerb {
    /// Print the names of all programs
    #[command(after_help = examples::PROGRAMS)]
    List {
        #[command(flatten)]
        files: PolicyFiles,
        /// Answer in JSON
        #[arg(long)]
        json: bool,
    },
    /// Print what is known about a program or a subcommand
    #[command(after_help = examples::PROGRAMS)]
    Show {
        #[command(flatten)]
        files: PolicyFiles,
        /// Answer in JSON
        #[arg(long)]
        json: bool,
        /// A program, or a program and its subcommand: `git push`
        #[arg(required = true, value_name = "NAME")]
        name: Vec<String>,
    },
    /// Show how the words of a line are read, and what they would do
    #[command(after_help = examples::PROGRAMS)]
    Try {
        #[command(flatten)]
        files: PolicyFiles,
        /// Answer in JSON
        #[arg(long)]
        json: bool,
        /// A line for a shell
        #[arg(value_name = "LINE")]
        line: String,
    },
}

#[derive(Debug, ClapArgs)]
pub(crate) struct FmtArgs {
    /// Policy files; standard input where none is given
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Rewrite every form as flat lists
    #[arg(long)]
    pub(crate) canonical: bool,
    /// Change nothing; fail where a file is not formatted
    #[arg(long)]
    pub(crate) check: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct LintArgs {
    /// Policy files; the documents in force where none is given
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Answer in JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Say what a code means, such as `L001`
    #[arg(long, value_name = "CODE", conflicts_with = "files")]
    pub(crate) explain: Option<String>,
}
