//! What `init` would write, worked out before anything is.

use std::path::PathBuf;

use ringfence_guard::world::{POLICY_FILES, PROJECT_FILES};
use ringfence_hooks::{Agent, HookRemoval};

use crate::exit::Failure;
use crate::file::Found;
use crate::site::ledger::Purpose;
use crate::site::{Sign, Site, kind, unreadable, well_formed};

/// What would be written, and what a person should know.
pub(super) struct Plan {
    pub(super) agents: Vec<Agent>,
    pub(super) changes: Vec<Change>,
    pub(super) notes: Vec<String>,
}

/// One file that would be written.
pub(super) struct Change {
    pub(super) found: Found,
    /// What `uninstall` goes back to.
    pub(super) before: Option<Vec<u8>>,
    pub(super) after: String,
    pub(super) mode: u32,
    pub(super) purpose: Purpose,
    pub(super) is_project: bool,
    /// Why it is written.
    pub(super) why: String,
}

impl Plan {
    /// The plan for these agents; for those that are found where none is named.
    pub(super) fn make(site: &Site, named: &[String]) -> Result<Plan, Failure> {
        let mut plan = Plan { agents: Vec::new(), changes: Vec::new(), notes: Vec::new() };
        let mut wanted = Vec::new();
        for name in named {
            let agent: Agent = name.parse().map_err(|error| Failure::new(format!("{error}")))?;
            wanted.push((agent, "as you named it".to_owned()));
        }
        if named.is_empty() {
            let found = Agent::ALL.into_iter().filter_map(|agent| Some((agent, site.sign(agent)?)));
            wanted.extend(found.map(|(agent, sign)| (agent, words(site, &sign))));
        }
        if wanted.is_empty() {
            let names: Vec<&str> = Agent::ALL.into_iter().map(Agent::name).collect();
            plan.notes.push(format!(
                "no agent was found; `--agent NAME` sets one up all the same: {}",
                names.join(", ")
            ));
        }
        plan.agents.extend(wanted.iter().map(|(agent, _)| *agent));
        plan.add_policy(site)?;
        for (agent, sign) in wanted {
            plan.add_hook(site, agent, &sign)?;
        }
        Ok(plan)
    }

    fn add_policy(&mut self, site: &Site) -> Result<(), Failure> {
        let root = site.places.root.as_ref().map(|root| PathBuf::from(root.as_str()));
        let (directory, place, names, is_project) = match &root {
            Some(root) => (root.clone(), root.clone(), PROJECT_FILES, true),
            None => {
                let own = PathBuf::from(site.places.user_dir.as_str());
                (own, site.home.clone(), POLICY_FILES, false)
            }
        };
        let is_there = |name: &&&str| directory.join(name).symlink_metadata().is_ok();
        if let Some(name) = names.iter().find(is_there) {
            let path = site.shown(&directory.join(name));
            self.notes.push(format!("{path} is there already, and stays as it is"));
            return Ok(());
        }
        let of_project = root.as_deref().map_or(vec!["@workspace"], kind::of_project);
        let of_project = of_project.into_iter().map(str::to_owned);
        let profiles: Vec<String> = of_project.chain(kind::of_agents(&self.agents)).collect();
        let name = names.first().copied().unwrap_or_default();
        let (mode, why) = match is_project {
            true => (0o644, format!("the project's policy: {}", profiles.join(", "))),
            false => (0o600, "your policy, for wherever you work".to_owned()),
        };
        self.changes.push(Change {
            found: Found::look(&directory.join(name), &place)?,
            before: None,
            after: kind::policy(&profiles),
            mode,
            purpose: Purpose::Policy,
            is_project,
            why,
        });
        Ok(())
    }

    fn add_hook(&mut self, site: &Site, agent: Agent, sign: &str) -> Result<(), Failure> {
        let path = site.settings(agent);
        let found = Found::look(&path, &site.home)?;
        let program = program()?;
        let merged = {
            let text = found.text()?;
            if let Some(text) = text {
                well_formed(&path, text)?;
            }
            agent.install(&program, text).map_err(|error| {
                unreadable(&path, &error.to_string()).hint(format!(
                    "`ringfence hook {} --setup` prints what belongs there",
                    agent.name()
                ))
            })?
        };
        let Some(after) = merged else {
            self.notes.push(format!("{} calls the hook already", site.shown(&path)));
            return Ok(());
        };
        self.notes.extend(agent.setup_note().map(str::to_owned));
        let mode = if after.starts_with("#!") { 0o755 } else { 0o600 };
        let before = without_hook(agent, &found)?;
        let (purpose, why) =
            (Purpose::Hook(agent.name().to_owned()), format!("{}: {sign}", agent.name()));
        let is_project = false;
        self.changes.push(Change { found, before, after, mode, purpose, is_project, why });
        Ok(())
    }
}

/// What the file says without a hook of ours that was there before.
fn without_hook(agent: Agent, found: &Found) -> Result<Option<Vec<u8>>, Failure> {
    let Some(text) = found.text()? else { return Ok(None) };
    Ok(match agent.uninstall(text) {
        Ok(HookRemoval::Text(text)) => Some(text.into_bytes()),
        Ok(HookRemoval::Whole) => None,
        Ok(HookRemoval::Nothing) | Err(_) => found.before.clone(),
    })
}

fn words(site: &Site, sign: &Sign) -> String {
    match sign {
        Sign::Directory(path) => format!("found by {}", site.shown(path)),
        Sign::Program(path) => format!("found as {}", path.display()),
    }
}

/// Where this program is.
pub(super) fn program() -> Result<String, Failure> {
    let path = std::env::current_exe()
        .map_err(|error| Failure::new(format!("can't tell where ringfence is: {error}")))?;
    let text = path.to_str().ok_or("the path of ringfence is not UTF-8".to_owned())?;
    Ok(text.to_owned())
}
