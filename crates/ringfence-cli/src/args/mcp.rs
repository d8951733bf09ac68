//! The arguments of `ringfence mcp`.

use std::ffi::OsString;

use clap::Args as ClapArgs;

use super::PolicyFiles;

pub(super) const EXAMPLES: &str = "\
Examples:
  ringfence mcp -- npx -y @modelcontextprotocol/server-filesystem ~/project
  ringfence mcp --name files --policy files.toml -- my-server --stdio

Rules for it are written mcp:NAME/TOOL, mcp:NAME/resource:URI, mcp:NAME/prompt:NAME and
mcp:NAME/method:METHOD.

Exit status: 0 when the client hangs up; 1 when the server ends first; 127 where it is not found";

#[derive(Debug, ClapArgs)]
pub(crate) struct McpArgs {
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
    /// The server's command and its arguments
    #[arg(required = true, trailing_var_arg = true, value_name = "SERVER")]
    pub(crate) server: Vec<OsString>,
}
