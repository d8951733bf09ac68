//! `ringfence mcp`: a gateway in front of an MCP server.

mod name;
mod pins;
mod start;

use std::sync::Arc;
use std::time::Duration;

use ringfence::core::Class;
use ringfence::exec::Approver;
use ringfence::exec::queue::Times;
use ringfence::guard::redact::visible;
use ringfence::mcp::stdio::{self, Ended};
use ringfence::mcp::{Gateway, Judge};

use crate::args::{McpArgs, McpVerb};
use crate::asking::{self, Manner};
use crate::command::run::{NOT_FOUND, find};
use crate::door::Door;
use crate::exit::{Exit, Failure};
use crate::show;
use start::Start;

/// How long a call waits for a person. Clients give up after a minute unless they are told
/// otherwise, and then a refusal that says what to do would come too late.
const PATIENCE: Duration = Duration::from_secs(45);

pub(crate) fn run(args: &McpArgs) -> Result<Exit, Failure> {
    match &args.verb {
        None => serve(args),
        Some(McpVerb::Pin(args)) => pins::pin(args),
        Some(McpVerb::Diff { server }) => pins::diff(server.as_deref()),
        Some(McpVerb::Accept { server, tools }) => pins::accept(server, tools),
    }
}

fn serve(args: &McpArgs) -> Result<Exit, Failure> {
    let name = name::choose(args.name.as_deref(), &args.server)?;
    let guard = Arc::new(Door::open(&args.files.policies, &Class::ALL)?.guard);
    let Some((_, command)) = find(&args.server)? else { return Ok(Exit::As(NOT_FOUND)) };
    let times = Times { limit: PATIENCE, ..Times::default() };
    let manner = Manner { policies: &args.files.policies, times, waits: args.ask };
    let queue = Arc::new(asking::queue(&command, &manner)?);
    show::say(&format!("ringfence: rules for this server are written mcp:{name}/TOOL"));
    let judge = Judge::new(guard, &name, args.agent.as_deref());
    let gateway = Gateway::new(judge).pinning(Arc::new(pins::file()?));
    let notes: stdio::Notes = Arc::new(note);
    let approver = Arc::clone(&queue) as Arc<dyn Approver>;
    let policies = &args.files.policies;
    let server = start::start(Start {
        name: &name,
        words: &args.server,
        policies,
        approver: Arc::clone(&approver),
    })?;
    let ended = stdio::serve(gateway, approver, server, notes);
    queue.close();
    match ended {
        Ok(Ended::ByClient) => Ok(Exit::Allow),
        Ok(Ended::ByServer(how)) => {
            show::say(&format!("ringfence: the server ended first: {how}"));
            Ok(Exit::Failed)
        }
        Err(error) => Err(Failure::new(format!("the gateway cannot be started: {error}"))),
    }
}

/// Says something in the log, line by line.
fn note(text: &str) {
    text.lines().for_each(|line| show::say(&format!("ringfence: {}", visible(line))));
}
