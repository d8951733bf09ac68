//! `ringfence mcp`: a gateway in front of an MCP server.

use std::ffi::OsString;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use ringfence::core::Class;
use ringfence::exec::Approver;
use ringfence::exec::queue::Times;
use ringfence::guard::redact::visible;
use ringfence::mcp::stdio::{self, Ended};
use ringfence::mcp::{Gateway, Judge};

use crate::args::McpArgs;
use crate::asking::{self, Manner};
use crate::command::run::{NOT_FOUND, find};
use crate::door::Door;
use crate::exit::{Exit, Failure};
use crate::show;

/// How long a call waits for a person. Clients give up after a minute unless they are told
/// otherwise, and then a refusal that says what to do would come too late.
const PATIENCE: Duration = Duration::from_secs(45);

pub(crate) fn run(args: &McpArgs) -> Result<Exit, Failure> {
    let name = match &args.name {
        Some(name) => name.clone(),
        None => name_of(&args.server)
            .ok_or_else(|| Failure::new("the server has no name").hint("give one with `--name`"))?,
    };
    if !is_name(&name) {
        let message = format!("`{}` is no name for a server", visible(&name));
        return Err(Failure::new(message).hint("use letters, digits, `-`, `.` and single `_`"));
    }
    let guard = Arc::new(Door::open(&args.files.policies, &Class::ALL)?.guard);
    let Some((_, command)) = find(&args.server)? else { return Ok(Exit::As(NOT_FOUND)) };
    let times = Times { limit: PATIENCE, ..Times::default() };
    let manner = Manner { policies: &args.files.policies, times, waits: args.ask };
    let queue = Arc::new(asking::queue(&command, &manner)?);
    show::say(&format!("ringfence: rules for this server are written mcp:{name}/TOOL"));
    let gateway = Gateway::new(Judge::new(guard, &name, args.agent.as_deref()));
    let mut server = Command::new(&command.program);
    server.args(args.server.iter().skip(1));
    let notes: stdio::Notes = Arc::new(|text| show::say(&format!("ringfence: {}", visible(text))));
    let approver = Arc::clone(&queue) as Arc<dyn Approver>;
    let ended = stdio::serve(gateway, approver, &mut server, notes);
    queue.close();
    match ended {
        Ok(Ended::ByClient) => Ok(Exit::Allow),
        Ok(Ended::ByServer(status)) => {
            show::say(&format!("ringfence: the server ended first: {status}"));
            Ok(Exit::Failed)
        }
        Err(error) => Err(Failure::new(format!("the server cannot be started: {error}"))),
    }
}

/// Programs whose first operand is the package, script or module that is the server.
const STARTERS: [&str; 12] =
    ["npx", "bunx", "uvx", "pipx", "node", "bun", "deno", "python", "python3", "uv", "npm", "pnpm"];

/// Verbs of those programs, which name no server.
const VERBS: [&str; 4] = ["run", "exec", "dlx", "tool"];

/// Names of files that say nothing about the server in them.
const PLAIN: [&str; 8] = ["index", "main", "server", "cli", "mod", "app", "mcp", "__main__"];

/// The name of a server in rules: that of its package or script, else of its program; `None`
/// where that says nothing.
fn name_of(words: &[OsString]) -> Option<String> {
    let mut words = words.iter().filter_map(|word| word.to_str());
    let program = words.next()?;
    let named_by = match stem(program) {
        starter if STARTERS.contains(&starter) => {
            words.find(|word| !word.starts_with('-') && !VERBS.contains(word))?
        }
        _ => program,
    };
    let name = package(named_by).unwrap_or_else(|| stem(named_by));
    (!PLAIN.contains(&name)).then(|| name.to_owned())
}

/// The installed package that a file belongs to, without its scope.
fn package(file: &str) -> Option<&str> {
    let (_, inside) = file.rsplit_once("node_modules/")?;
    inside.split('/').find(|part| !part.starts_with('@'))
}

/// A package without its scope and version, a file without its directory and ending.
fn stem(word: &str) -> &str {
    let last = word.rsplit('/').next().unwrap_or(word);
    let bare = last.split_once('@').map_or(last, |(name, _)| name);
    match bare.rsplit_once('.') {
        Some((name, "js" | "mjs" | "cjs" | "ts" | "py")) => name,
        _ => bare,
    }
}

/// Whether rules can name it.
fn is_name(name: &str) -> bool {
    let fits = |own: char| own.is_ascii_alphanumeric() || matches!(own, '-' | '_' | '.');
    !name.is_empty() && name.chars().all(fits) && !name.contains("__")
}

#[cfg(test)]
#[path = "mcp_tests.rs"]
mod tests;
