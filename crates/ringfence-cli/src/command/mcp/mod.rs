//! `ringfence mcp`: a gateway in front of an MCP server.

mod config;
mod name;
mod pins;
mod start;

use std::sync::Arc;
use std::time::Duration;

use ringfence::core::Class;
use ringfence::exec::Approver;
use ringfence::exec::queue::Times;
use ringfence::guard::redact::visible;
use ringfence::mcp::stdio::{self, Behind, Ended, Endpoint};
use ringfence::mcp::{Desk, Gateway, Judge};

use crate::args::{McpArgs, McpVerb};
use crate::asking::{self, Manner};
use crate::command::run::{NOT_FOUND, find};
use crate::door::Door;
use crate::exit::{Exit, Failure};
use crate::show;
use config::Listed;
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
    let (endpoint, listed) = match &args.config {
        Some(path) => (Endpoint::Several, config::read(path)?),
        None => {
            let name = name::choose(args.name.as_deref(), &args.server)?;
            show::say(&format!("ringfence: rules for this server are written mcp:{name}/TOOL"));
            (Endpoint::One, vec![Listed { name, words: args.server.clone() }])
        }
    };
    let policies = &args.files.policies;
    let guard = Arc::new(Door::open(policies, &Class::ALL)?.guard);
    let times = Times { limit: PATIENCE, ..Times::default() };
    let manner = Manner { policies, times, waits: args.ask };
    let mut commands = Vec::new();
    for server in &listed {
        let Some((_, command)) = find(&server.words)? else { return Ok(Exit::As(NOT_FOUND)) };
        commands.push(command);
    }
    let Some(first) = commands.first() else { return Ok(Exit::As(NOT_FOUND)) };
    let queue = Arc::new(asking::queue(first, &manner)?);
    let approver = Arc::clone(&queue) as Arc<dyn Approver>;
    let pins = Arc::new(pins::file()?);
    let mut servers = Vec::new();
    for Listed { name, words } in listed {
        let judge = Judge::new(Arc::clone(&guard), &name, args.agent.as_deref());
        let gateway = Gateway::new(judge).pinning(pins.clone());
        let approver = Arc::clone(&approver);
        let server = start::start(Start { name: &name, words: &words, policies, approver })?;
        servers.push(Behind { name, gateway, server });
    }
    let desk = Desk::new(approver).keeping(asking::shelf()?, asking::run(first, policies)?);
    let ended = stdio::serve(endpoint, servers, Arc::new(desk), Arc::new(note));
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
