//! `ringfence doctor`: what this host can hold a run to, and whether the hooks answer.

use ringfence_core::Effect;
use ringfence_hooks::Agent;
use ringfence_sandbox::probe::{self, Facet, State};
use serde_json::json;

use crate::args::DoctorArgs;
use crate::exit::{Exit, Failure};
use crate::show::{self, QUIET};
use crate::site::fire::{Fired, fire};
use crate::site::{Hook, Site, codex};

pub(crate) fn run(args: &DoctorArgs) -> Result<Exit, Failure> {
    let facets = probe::host();
    let full = facets.iter().all(|facet| facet.state == State::Full);
    let hooks = tried(&Site::here()?);
    if args.json {
        let all: Vec<_> = hooks.iter().map(Tried::as_json).collect();
        let value = json!({ "full": full, "facets": facets, "hooks": all });
        let text = serde_json::to_string_pretty(&value).map_err(|error| error.to_string())?;
        show::print(&text);
    } else {
        facets.iter().for_each(print);
        let said = match full {
            true => "this host holds everything that a policy can say",
            false => "a run that needs what is missing does not start, and says so",
        };
        show::print(said);
        print_hooks(&hooks);
    }
    let works = hooks.iter().all(|own| own.fault.is_none());
    Ok(if full && works { Exit::Allow } else { Exit::Failed })
}

/// The same in a few lines, for somebody who has just set things up.
pub(crate) fn brief(site: &Site) -> Result<Exit, Failure> {
    let facets = probe::host();
    let missing: Vec<&str> =
        facets.iter().filter(|own| own.state != State::Full).map(|own| own.name).collect();
    match missing.as_slice() {
        [] => show::print("this host holds everything that a policy can say"),
        all => {
            let all = all.join(", ");
            show::print(&format!("this host lacks {all}; `ringfence doctor` says what to do"));
        }
    }
    let hooks = tried(site);
    print_hooks(&hooks);
    let works = hooks.iter().all(|own| own.fault.is_none());
    Ok(if works { Exit::Allow } else { Exit::Failed })
}

/// A hook that was fired.
struct Tried {
    agent: Agent,
    fault: Option<String>,
    /// Whether it works, and the agent does not call it.
    is_skipped: bool,
}

impl Tried {
    fn as_json(&self) -> serde_json::Value {
        json!({ "agent": self.agent.name(), "works": self.fault.is_none(), "fault": self.fault, "skipped": self.is_skipped })
    }
}

/// Fires every hook that agents are told of.
fn tried(site: &Site) -> Vec<Tried> {
    let directory = std::env::current_dir().unwrap_or_else(|_| site.home.clone());
    let one = |agent: Agent| {
        let fault = match site.hook(agent) {
            Hook::Absent => return None,
            Hook::Unreadable(failure) => Some(failure.message),
            Hook::Calls(commands) => {
                let mut fired = commands.iter().map(|own| fire(agent, own, &directory));
                fired.find_map(|own| match own {
                    Fired::Works => None,
                    Fired::Fails(reason) => Some(reason),
                })
            }
        };
        let trust = || codex::trust(site).remedy().filter(|_| agent == Agent::Codex);
        let skipped = if fault.is_none() { trust() } else { None };
        let is_skipped = skipped.is_some();
        Some(Tried { agent, fault: fault.or(skipped.map(str::to_owned)), is_skipped })
    };
    Agent::ALL.into_iter().filter_map(one).collect()
}

fn print_hooks(hooks: &[Tried]) {
    for Tried { agent, fault, is_skipped } in hooks {
        let (word, effect) = match fault {
            None => ("works", Effect::Allow),
            Some(_) if *is_skipped => ("skipped", Effect::Deny),
            Some(_) => ("broken", Effect::Deny),
        };
        let (style, name) = (show::style(effect), agent.name());
        let said =
            fault.as_deref().unwrap_or("it passed a harmless call and blocked a forbidden one");
        show::print(&format!("{style}{word:<8}{style:#}hook of {name}: {QUIET}{said}{QUIET:#}"));
    }
}

/// What a run that could not be confined says: the facets that this host lacks.
pub(crate) fn hint() -> String {
    let facets = probe::host();
    let mut missing = facets.iter().filter(|facet| facet.state != State::Full);
    match missing.next() {
        Some(first) => format!("this host lacks {first}; `ringfence doctor` says what to do"),
        None => "`ringfence doctor` finds nothing missing on this host".to_owned(),
    }
}

fn print(facet: &Facet) {
    let Facet { name, holds, state } = facet;
    let style = show::style(match state {
        State::Full => Effect::Allow,
        State::Partial { .. } => Effect::Ask,
        State::None { .. } => Effect::Deny,
    });
    show::print(&format!("{style}{:<8}{style:#}{name}: {QUIET}{holds}{QUIET:#}", state.as_str()));
    if let State::Partial { gap, remedy } | State::None { gap, remedy } = state {
        show::print(&format!("        missing: {gap}"));
        show::print(&format!("        to do:   {remedy}"));
    }
}
