//! The verbs that carry rules to and from other programs.

use std::path::PathBuf;

use clap::Args as ClapArgs;

pub(super) const IMPORT_EXAMPLES: &str = "\
Examples:
  ringfence import claude .claude/settings.json
  ringfence import codex ~/.codex/rules/default.rules --out ringfence.toml
  ringfence import gemini ~/.gemini/policies/mine.toml --json

Formats: claude, codex, gemini, opencode, cursor, srt, hermes, seal, mlld
The policy goes to standard output; what differs, and in which direction, to standard error.
Exit status: 0 done, 2 error";

pub(super) const EXPORT_EXAMPLES: &str = "\
Examples:
  ringfence export claude --policy ringfence.toml > .claude/settings.json
  ringfence export codex --out ~/.codex/rules/ringfence.rules

Formats: claude, codex, gemini, opencode
What cannot be said exactly is narrower there, or left to a question; each such rule is listed.
Exit status: 0 done, 2 error";

#[derive(Debug, ClapArgs)]
pub(crate) struct ExportArgs {
    /// Whose rules are written
    #[arg(value_name = "FORMAT")]
    pub(crate) format: String,
    /// The policy; the one in force here where none is given
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
    /// Write the rules to this new file
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Allow there what is allowed here with any operands, although operands are not judged there
    #[arg(long)]
    pub(crate) dangerously_trust_operands: bool,
    /// Answer in JSON
    #[arg(long, conflicts_with = "out")]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ImportArgs {
    /// Whose rules they are
    #[arg(value_name = "FORMAT")]
    pub(crate) format: String,
    /// The file with the rules
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Write the policy to this new file
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Answer in JSON
    #[arg(long, conflicts_with = "out")]
    pub(crate) json: bool,
}
