//! Sessions: fences that many commands enter.

use clap::{Args as ClapArgs, Subcommand};

use super::PolicyFiles;

pub(super) const EXAMPLES: &str = "\
Examples:
  ringfence run --session dev -- npm run dev
  ringfence session list
  ringfence session end dev

A session begins with the first `ringfence run --session NAME`, and ends by `session end`, when no
command ran in it for an hour, or when the policy allows less than its fence.
Exit status: 0 done, 1 there is no such session, 2 error";

/// After how many seconds without a command a session ends.
const IDLE: u64 = 3600;

// Which session a command enters. A doc comment here would become the verb's own help.
#[derive(Debug, PartialEq, Eq, ClapArgs)]
pub(crate) struct SessionChoice {
    /// Run it in the fence of this name, which is made if there is none: what it leaves in the background
    /// lives until the session ends
    #[arg(long, value_name = "NAME", conflicts_with_all = ["tool", "print_plan"])]
    pub(crate) session: Option<String>,
    /// Judge the command like everything that it starts, although a person at a terminal typed it
    #[arg(long, requires = "session")]
    pub(crate) judged: bool,
    /// End a new session when no command ran in it for so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = IDLE, requires = "session")]
    pub(crate) idle: u64,
    /// End a new session when the process with this PID has ended
    #[arg(long, value_name = "PID", requires = "session")]
    pub(crate) until: Option<i32>,
}

impl Default for SessionChoice {
    fn default() -> SessionChoice {
        SessionChoice { session: None, judged: false, idle: IDLE, until: None }
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SessionArgs {
    #[command(subcommand)]
    pub(crate) verb: SessionVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SessionVerb {
    /// List the sessions of this user
    #[command(after_help = EXAMPLES)]
    List {
        /// Answer in JSON
        #[arg(long)]
        json: bool,
    },
    /// Show one session: to whom it belongs, its commands, every process inside
    #[command(after_help = EXAMPLES)]
    Show {
        /// Its name
        #[arg(value_name = "NAME")]
        name: String,
        /// Answer in JSON
        #[arg(long)]
        json: bool,
    },
    /// End a session, and every process inside
    #[command(after_help = EXAMPLES)]
    End {
        /// Its name
        #[arg(value_name = "NAME")]
        name: String,
    },
    /// Serve a session: started by `ringfence run --session`
    #[command(hide = true)]
    Serve(ServeArgs),
    /// Fork the commands of a session: started inside by its supervisor
    #[command(hide = true)]
    Launch,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ServeArgs {
    #[arg(long)]
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) files: PolicyFiles,
    #[arg(long)]
    pub(crate) agent: Option<String>,
    #[arg(long)]
    pub(crate) ask: bool,
    #[arg(long)]
    pub(crate) idle: u64,
    #[arg(long)]
    pub(crate) until: Option<i32>,
    /// The project, where an agent named it
    #[arg(long)]
    pub(crate) project: Option<std::path::PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct FencedArgs {
    /// The ticket
    #[arg(value_name = "TICKET")]
    pub(crate) ticket: String,
    /// What people read in its place
    #[arg(value_name = "LABEL")]
    pub(crate) label: Option<String>,
}
