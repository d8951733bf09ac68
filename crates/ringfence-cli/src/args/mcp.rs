//! The arguments of `ringfence mcp`.

use std::ffi::OsString;
use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

use super::PolicyFiles;

pub(super) const EXAMPLES: &str = "\
Examples:
  ringfence mcp -- npx -y @modelcontextprotocol/server-filesystem ~/project
  ringfence mcp --name files --policy files.toml -- my-server --stdio
  ringfence mcp --name search --url https://mcp.example.com/mcp
  ringfence mcp --config gateway.toml --http 127.0.0.1:7000
  ringfence mcp diff files

Rules for it are written mcp:NAME/TOOL, mcp:NAME/resource:URI, mcp:NAME/prompt:NAME and
mcp:NAME/method:METHOD.

Exit status: 0 when the client hangs up; 1 when the server ends first; 127 where it is not found";

const PIN_EXAMPLES: &str = "\
Examples:
  ringfence mcp pin --name files -- npx -y @modelcontextprotocol/server-filesystem .
  ringfence mcp diff files
  ringfence mcp accept files read_file

`accept` needs a person at a terminal.";

#[derive(Debug, ClapArgs)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct McpArgs {
    #[command(subcommand)]
    pub(crate) verb: Option<McpVerb>,
    #[command(flatten)]
    pub(crate) files: PolicyFiles,
    /// The agent that calls, as rules name it
    #[arg(long, value_name = "AGENT")]
    pub(crate) agent: Option<String>,
    /// The server, as rules name it; else it is named after its program or package
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Let questions wait for an answer even where nobody seems to be there
    #[arg(long)]
    pub(crate) ask: bool,
    /// Give a call up about which the server has said nothing for so long; 600 where nobody says
    #[arg(long, value_name = "SECONDS")]
    pub(crate) silence: Option<NonZeroU32>,
    /// Stand in front of all servers that this file lists; their tools are called SERVER__TOOL
    #[arg(long, value_name = "FILE", conflicts_with_all = ["name", "server"])]
    pub(crate) config: Option<PathBuf>,
    /// Stand in front of a server that is reached over streamable HTTP
    #[arg(long, value_name = "URL", conflicts_with_all = ["config", "server"])]
    pub(crate) url: Option<String>,
    /// Serve clients over streamable HTTP at this address of this machine (`127.0.0.1:7000`, `7000`)
    #[arg(long, value_name = "ADDR")]
    pub(crate) http: Option<String>,
    /// The server's command and its arguments
    #[arg(required_unless_present_any = ["config", "url"], last = true, value_name = "SERVER")]
    pub(crate) server: Vec<OsString>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum McpVerb {
    /// Pin a server's instructions and the definitions of its tools and prompts that are not pinned yet
    #[command(after_help = PIN_EXAMPLES)]
    Pin(PinArgs),
    /// Show the definitions that no model is shown until a person has accepted them
    #[command(after_help = PIN_EXAMPLES)]
    Diff {
        /// The server, as rules name it; all of them where none is given
        #[arg(value_name = "NAME")]
        server: Option<String>,
    },
    /// Pin definitions that wait for a person, after showing them
    #[command(after_help = PIN_EXAMPLES)]
    Accept {
        /// The server, as rules name it
        #[arg(value_name = "NAME")]
        server: String,
        /// Its tools, or prompt:NAME, resource:URI and server:instructions; all that wait where none is given
        #[arg(value_name = "TOOL")]
        tools: Vec<String>,
    },
}

#[derive(Debug, ClapArgs)]
pub(crate) struct PinArgs {
    #[command(flatten)]
    pub(crate) files: PolicyFiles,
    /// The server, as rules name it; else it is named after its program or package
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// The server's command and its arguments
    #[arg(required = true, last = true, value_name = "SERVER")]
    pub(crate) server: Vec<OsString>,
}
