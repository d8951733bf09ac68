//! `ringfence status`: for each agent, what is enforced and what is not.

use std::time::Duration;

use ringfence_core::{Document, Effect, Role};
use ringfence_guard::world::Documents;
use ringfence_hooks::Agent;
use ringfence_sandbox::probe::{self, State};
use serde_json::{Value, json};

use crate::args::StatusArgs;
use crate::door::document_failure;
use crate::exit::{Exit, Failure};
use crate::show::{self, QUIET};
use crate::site::servers::{self, Servers};
use crate::site::{Hook, Site, called, codex};
use crate::words::counted;

/// How it stands with one agent.
struct Standing {
    agent: Agent,
    hook: Result<bool, String>,
    /// How long ago its hook was called.
    last: Option<Duration>,
    /// Why the hook is not run although it is there.
    skipped: Option<&'static str>,
    servers: Option<Servers>,
}

pub(crate) fn run(args: &StatusArgs) -> Result<Exit, Failure> {
    let site = Site::here()?;
    let found = Documents::find(&site.places, &[]).map_err(|error| document_failure(&error));
    let missing: Vec<String> = probe::host()
        .iter()
        .filter(|facet| facet.state != State::Full)
        .map(|facet| facet.name.to_owned())
        .collect();
    let agents = Agent::ALL.into_iter().filter_map(|agent| standing(&site, agent));
    let agents: Vec<Standing> = agents.collect();
    if args.json {
        let value = as_json(&found, &missing, &agents);
        let text = serde_json::to_string_pretty(&value).map_err(|error| error.to_string())?;
        show::print(&text);
    } else {
        print_policy(&found);
        print_fence(&missing);
        agents.iter().for_each(|own| print_agent(&site, own));
        if agents.is_empty() {
            show::print("no agent was found; `ringfence init --agent NAME` sets one up");
        }
    }
    let held = agents.iter().all(|own| own.hook == Ok(true) && own.skipped.is_none());
    Ok(if found.is_ok() && missing.is_empty() && held { Exit::Allow } else { Exit::Failed })
}

/// How it stands with an agent that is there, or whose hook is.
fn standing(site: &Site, agent: Agent) -> Option<Standing> {
    let hook = match site.hook(agent) {
        Hook::Absent => Ok(false),
        Hook::Calls(_) => Ok(true),
        Hook::Unreadable(failure) => Err(failure.message),
    };
    if hook == Ok(false) && site.sign(agent).is_none() {
        return None;
    }
    let skipped = match (agent, &hook) {
        (Agent::Codex, Ok(true)) => codex::trust(site).remedy(),
        _ => None,
    };
    let (last, servers) = (called::last(site.state(), agent), servers::of(site, agent));
    Some(Standing { agent, hook, last, skipped, servers })
}

fn print_policy(found: &Result<Documents, Failure>) {
    let found = match found {
        Ok(found) => found,
        Err(failure) => {
            let red = show::style(Effect::Deny);
            show::print(&format!("{red}policy{red:#}  cannot be read, so every call is refused"));
            show::say(&failure.message);
            return;
        }
    };
    if found.is_default {
        show::print("policy  none: `@workspace` holds, and the rest is asked about");
    }
    for document in found.documents.iter().filter(|_| !found.is_default).filter(|own| counts(own)) {
        let rules = counted(document.rules.len(), "rule");
        show::print(&format!(
            "policy  {} {QUIET}({}, {rules}){QUIET:#}",
            document.name,
            document.role.as_str()
        ));
    }
    found.reports.iter().for_each(|report| show::say(&format!("note: {report}")));
}

fn counts(document: &Document) -> bool {
    !matches!(document.role, Role::BuiltIn | Role::Ceiling)
}

fn print_fence(missing: &[String]) {
    match missing {
        [] => show::print("fence   this host holds whatever `ringfence run` starts"),
        all => show::print(&format!(
            "fence   this host lacks {}; see `ringfence doctor`",
            all.join(", ")
        )),
    }
}

fn print_agent(site: &Site, standing: &Standing) {
    let Standing { agent, hook, last, skipped, servers } = standing;
    let name = agent.name();
    let (effect, said) = match (hook, skipped) {
        (Err(_), _) => (Effect::Deny, "its settings cannot be read".to_owned()),
        (Ok(false), _) => {
            (Effect::Deny, format!("no hook, nothing is enforced: `ringfence init --agent {name}`"))
        }
        (Ok(true), Some(remedy)) => (Effect::Deny, (*remedy).to_owned()),
        (Ok(true), None) => {
            (Effect::Allow, format!("hook in {}", site.shown(&site.settings(*agent))))
        }
    };
    let style = show::style(effect);
    show::print(&format!("\n{style}{name}{style:#}  {said}"));
    if let Err(reason) = hook {
        show::print(reason.trim_end());
    }
    if *hook == Ok(true) {
        let ago = last.map_or("never called so far".to_owned(), |own| {
            format!("last called {} ago", since(own))
        });
        show::print(&format!("  called        {ago}"));
        let enforced = match skipped {
            Some(_) => "nothing until then",
            None => "every call that it announces: commands, files, web, MCP tools",
        };
        show::print(&format!("  enforced      {enforced}"));
        let program = agent.programs().first().copied().unwrap_or("AGENT");
        show::print(&format!(
            "  not enforced  what granted programs do on their own; `ringfence run -- {program}` holds that"
        ));
    }
    if let Some(servers) =
        servers.as_ref().filter(|own| !own.open.is_empty() || !own.behind.is_empty())
    {
        let all = servers.behind.len().saturating_add(servers.open.len());
        let behind = servers.behind.len();
        show::print(&format!(
            "  gateway       {behind} of {} behind `ringfence mcp`",
            counted(all, "MCP server")
        ));
    }
}

/// A time in words.
pub(crate) fn since(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..60 => counted(usize::try_from(seconds).unwrap_or(0), "second"),
        seconds @ 60..3600 => counted(usize::try_from(seconds / 60).unwrap_or(0), "minute"),
        seconds @ 3600..86400 => counted(usize::try_from(seconds / 3600).unwrap_or(0), "hour"),
        seconds => counted(usize::try_from(seconds / 86400).unwrap_or(0), "day"),
    }
}

fn as_json(found: &Result<Documents, Failure>, missing: &[String], agents: &[Standing]) -> Value {
    let policies = found.as_ref().map(|found| {
        let all = found.documents.iter().filter(|own| counts(own));
        all.map(|own| json!({ "name": &*own.name, "role": own.role.as_str() })).collect::<Vec<_>>()
    });
    let agents: Vec<Value> = agents
        .iter()
        .map(|own| {
            json!({
                "agent": own.agent.name(),
                "hook": own.hook.as_ref().ok(),
                "error": own.hook.as_ref().err(),
                "runs": own.hook == Ok(true) && own.skipped.is_none(),
                "skipped": own.skipped,
                "last_called_seconds": own.last.map(|time| time.as_secs()),
                "servers": own.servers.as_ref().map(|all| json!({ "behind": all.behind, "open": all.open })),
            })
        })
        .collect();
    json!({
        "policies": policies.as_ref().ok(),
        "error": policies.as_ref().err().map(|failure| &failure.message),
        "fence": { "full": missing.is_empty(), "missing": missing },
        "agents": agents,
    })
}
