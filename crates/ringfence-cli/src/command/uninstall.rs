//! `ringfence uninstall`: every file that `init` wrote is what it was before.

use std::path::PathBuf;

use ringfence_core::path::AbsPath;
use ringfence_guard::world::TrustRecords;
use ringfence_hooks::{Agent, HookRemoval};

use crate::args::UninstallArgs;
use crate::asking::{confirmed, must_be_a_person};
use crate::exit::{Exit, Failure};
use crate::file::Found;
use crate::show;
use crate::site::ledger::{Entry, Ledger, Purpose, remove_empty};
use crate::site::{Hook, Site};

/// What becomes of a file.
enum Way {
    /// It is put back as it was; none: it goes.
    Back(Option<Vec<u8>>),
    /// Somebody changed it since: only the hook goes.
    Without(String),
    /// It stays, for this reason.
    Stays(&'static str),
}

pub(crate) fn run(args: &UninstallArgs) -> Result<Exit, Failure> {
    must_be_a_person()?;
    let site = Site::here()?;
    let mut ledger = Ledger::read(&site)?;
    let project = match args.project {
        true => Some(project(&site)?),
        false => None,
    };
    let mut ways = Vec::new();
    for entry in ledger.entries.clone() {
        if project.as_ref().is_some_and(|root| !entry.path.starts_with(root)) {
            continue;
        }
        // Somebody may have put a link there since: it is not followed out of its place.
        let place = match entry.path.starts_with(&site.home) {
            true => site.home.as_path(),
            false => entry.path.parent().unwrap_or(&entry.path),
        };
        let found = match Found::look(&entry.path, place) {
            Ok(found) => found,
            Err(failure) => {
                show::say(&format!("note: {failure}; it stays as it is"));
                continue;
            }
        };
        let way = way(&ledger, &entry, &found)?;
        ways.push((entry, found, way));
    }
    for (entry, _, way) in &ways {
        let path = site.shown(&entry.path);
        show::print(&match way {
            Way::Back(None) => format!("remove  {path}"),
            Way::Back(Some(_)) => format!("restore {path}, byte for byte"),
            Way::Without(_) => {
                format!("edit    {path}: it was changed since, so only the hook goes")
            }
            Way::Stays(why) => format!("keep    {path}: {why}"),
        });
    }
    let others = if args.project { Vec::new() } else { others(&site, &ledger) };
    if ways.is_empty() {
        let place = if args.project { " in this project" } else { "" };
        show::say(&format!("`ringfence init` wrote nothing{place} that is still there"));
        others.iter().for_each(|note| show::say(&format!("note: {note}")));
        return Ok(Exit::Allow);
    }
    if !args.yes && !confirmed("Do this?")? {
        show::print("nothing was changed");
        return Ok(Exit::Failed);
    }
    for (entry, found, way) in ways {
        carry_out(&site, &entry, &found, way)?;
        ledger.strike(&entry)?;
    }
    show::print(match args.project {
        true => "done; the hooks of your agents still ask ringfence",
        false => "done; no agent asks ringfence any more, as far as `init` set it up",
    });
    others.iter().for_each(|note| show::say(&format!("note: {note}")));
    Ok(Exit::Allow)
}

/// Returns the directory of the project that this process is in.
fn project(site: &Site) -> Result<PathBuf, Failure> {
    let root = site.here.context.root.as_ref();
    root.map(|root| PathBuf::from(root.as_str())).ok_or_else(|| {
        let why = site.here.no_root.as_ref().map_or_else(String::new, |why| format!(": {why}"));
        Failure::new(format!("there is no project here{why}"))
    })
}

fn way(ledger: &Ledger, entry: &Entry, found: &Found) -> Result<Way, Failure> {
    let before = ledger.before(entry)?;
    if found.before == before {
        return Ok(Way::Stays("it is as it was"));
    }
    if found.before == ledger.after(entry)? {
        return Ok(Way::Back(before));
    }
    let (Some(text), Purpose::Hook(name)) = (found.text()?, &entry.purpose) else {
        return Ok(Way::Stays("it was changed since, and is yours now"));
    };
    let agent: Agent = name.parse().map_err(|error| Failure::new(format!("{error}")))?;
    Ok(match agent.uninstall(text) {
        Ok(HookRemoval::Text(text)) => Way::Without(text),
        Ok(HookRemoval::Whole) => Way::Back(before),
        Ok(HookRemoval::Nothing) => Way::Stays("the hook is gone from it already"),
        Err(_) => Way::Stays("it was changed since and cannot be read; take the hook out yourself"),
    })
}

fn carry_out(site: &Site, entry: &Entry, found: &Found, way: Way) -> Result<(), Failure> {
    match way {
        Way::Stays(_) => return Ok(()),
        Way::Without(text) => found.replace(text.as_bytes(), 0o600, |_| Ok(()))?,
        Way::Back(Some(before)) => found.replace(&before, 0o600, |_| Ok(()))?,
        Way::Back(None) => {
            found.remove()?;
            remove_empty(&entry.directories);
        }
    }
    let root = entry.path.parent().and_then(|own| AbsPath::new(own.to_str()?).ok());
    if let (Purpose::Policy, Some(root)) = (&entry.purpose, root) {
        let records = TrustRecords::new(&site.places);
        records.revoke(&root).map_err(|error| Failure::new(error.to_string()))?;
    }
    Ok(())
}

/// Hooks that somebody set up without `init`.
fn others(site: &Site, ledger: &Ledger) -> Vec<String> {
    let unknown = |agent: &Agent| {
        let path = site.settings(*agent);
        ledger.entries.iter().all(|own| own.path != path)
    };
    let agents = Agent::ALL.into_iter().filter(unknown);
    agents
        .filter(|agent| matches!(site.hook(*agent), Hook::Calls(_)))
        .map(|agent| {
            let path = site.shown(&site.settings(agent));
            format!("{path} calls the hook, but `init` did not put it there; take it out yourself")
        })
        .collect()
}
