//! `ringfence mcp pin`, `diff` and `accept`: what models are told about tools and prompts, and by servers.

use std::sync::Arc;

use ringfence_core::Effect;
use ringfence_exec::NoApprover;
use ringfence_guard::redact::visible;
use ringfence_guard::world::RealHost;
use ringfence_mcp::pin::{self, Change, Kind, Offer, Pin, PinFile, PinStore, Pins};
use ringfence_mcp::{Definition, definitions_of};

use super::name;
use super::start::{Start, start};
use crate::args::mcp::PinArgs;
use crate::asking::{confirmed, must_be_a_person};
use crate::command::run::{NOT_FOUND, find};
use crate::door::{self, surroundings};
use crate::exit::{Exit, Failure};
use crate::show;

/// The file of this user's pins.
pub(super) fn file() -> Result<PinFile, Failure> {
    let here = surroundings(&RealHost::new())?;
    let places = here.places().map_err(|error| Failure::new(error.to_string()))?;
    Ok(PinFile::new(&places))
}

/// What is pinned, as it is counted.
const KINDS: [(Kind, &str); 3] =
    [(Kind::Tool, "tools"), (Kind::Prompt, "prompts"), (Kind::Instructions, "instructions")];

/// Asks a server for what it tells models, and pins what is new.
pub(super) fn pin(args: &PinArgs) -> Result<Exit, Failure> {
    let server = name::choose(args.name.as_deref(), &args.server)?;
    if find(&args.server)?.is_none() {
        return Ok(Exit::As(NOT_FOUND));
    }
    let policies = &args.files.policies;
    let approver = Arc::new(NoApprover);
    let guard = &door::open(policies)?;
    let server_args = Start { name: &server, words: &args.server, policies, guard, approver };
    let all = definitions_of(start(server_args)?)?;
    let file = file()?;
    let mut waiting = Vec::new();
    file.change(&mut |pins| {
        let meet = all.iter().map(|own| pins.meet(&server, own.kind, &own.name, &own.value));
        waiting = meet.map(|because| !because.is_empty()).collect();
    })?;
    let counts = KINDS.iter().filter_map(|(kind, what)| {
        // A server that has no instructions has that pinned, as an empty definition.
        let is_said = |own: &Definition| own.value.as_object().is_none_or(|own| !own.is_empty());
        let own = all.iter().zip(&waiting).filter(|(own, _)| own.kind == *kind && is_said(own));
        let (pinned, of) = (own.clone().filter(|(_, waits)| !**waits).count(), own.count());
        (of > 0 || *kind == Kind::Tool).then(|| format!("{pinned} of {of} {what}"))
    });
    let counts: Vec<String> = counts.collect();
    show::print(&format!("{server}: {} are pinned", counts.join(", ")));
    match waiting.contains(&true) {
        true => diff(Some(&server)),
        false => Ok(Exit::Allow),
    }
}

/// Shows the definitions that wait for a person; whether there is none.
pub(super) fn diff(server: Option<&str>) -> Result<Exit, Failure> {
    let pins = file()?.load()?;
    let servers: Vec<&String> = match server {
        Some(name) => vec![known(&pins, name)?],
        None => pins.servers.keys().collect(),
    };
    let mut exit = Exit::Allow;
    for server in servers {
        for (key, pin, offer) in pins.offers(server) {
            tell(server, key, pin, offer);
            exit = Exit::Failed;
        }
    }
    if exit == Exit::Allow {
        show::say("no definition waits for a person");
    }
    Ok(exit)
}

/// Pins the definitions of a server that wait, after showing them.
pub(super) fn accept(server: &str, tools: &[String]) -> Result<Exit, Failure> {
    let file = file()?;
    let pins = file.load()?;
    let server = known(&pins, server)?;
    let is_meant = |tool: &str| tools.is_empty() || tools.iter().any(|own| own == tool);
    let offers: Vec<_> = pins.offers(server).filter(|(tool, ..)| is_meant(tool)).collect();
    if let Some(other) = tools.iter().find(|own| offers.iter().all(|(tool, ..)| tool != own)) {
        return Err(Failure::new(format!("no definition of `{}` waits", visible(other))));
    }
    if offers.is_empty() {
        show::say("no definition waits for a person");
        return Ok(Exit::Allow);
    }
    offers.iter().for_each(|(tool, pin, offer)| tell(server, tool, pin, offer));
    must_be_a_person()?;
    if !confirmed(&format!("Show models {} of `{server}`?", count(offers.len())))? {
        show::print("nothing was changed");
        return Ok(Exit::Failed);
    }
    let mut left = 0_usize;
    file.change(&mut |pins| {
        let accepted =
            offers.iter().map(|(tool, _, own)| pins.accept(server, tool, &own.definition));
        left = accepted.filter(|accepted| !accepted).count();
    })?;
    if left > 0 {
        return Err(Failure::new(format!("{} changed again meanwhile", count(left)))
            .hint("look at it once more"));
    }
    show::print(&format!("{} of `{server}` pinned", count(offers.len())));
    Ok(Exit::Allow)
}

fn count(definitions: usize) -> String {
    match definitions {
        1 => "1 definition".to_owned(),
        many => format!("{many} definitions"),
    }
}

/// The server, if anything is known of it.
fn known<'a>(pins: &'a Pins, name: &str) -> Result<&'a String, Failure> {
    let known = pins.servers.get_key_value(name).map(|(own, _)| own);
    known.ok_or_else(|| {
        let names: Vec<String> = pins.servers.keys().map(|own| format!("`{own}`")).collect();
        let failure = Failure::new(format!("nothing is known of a server `{}`", visible(name)));
        match names.is_empty() {
            true => failure.hint("definitions are pinned when a gateway first sees them"),
            false => failure.hint(format!("one of {}", names.join(", "))),
        }
    })
}

fn tell(server: &str, tool: &str, pin: &Pin, offer: &Offer) {
    let (red, green) = (show::style(Effect::Deny), show::style(Effect::Allow));
    let quiet = show::QUIET;
    show::print(&format!("{server}/{}: {}", visible(tool), offer.because.join("; ")));
    for change in pin::diff(pin.pinned.as_ref(), &offer.definition) {
        show::print(&match change {
            Change::At(place) => format!("  {quiet}{place}{quiet:#}"),
            Change::Gone(line) => format!("  {red}- {line}{red:#}"),
            Change::New(line) => format!("  {green}+ {line}{green:#}"),
        });
    }
}
