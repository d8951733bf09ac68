//! The names of an agent's MCP servers, for a call whose tool can be read in several ways.
//!
//! Names in the project may have been written by whom the policy is for: they are told apart, and may only
//! add to what a name can mean. Where any of the files cannot be read, nothing is known.

use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use ringfence_guard::KnownServers;
use ringfence_guard::world::{Links, open_file, open_file_in};
use ringfence_hooks::{Agent, AgentProject, HookEvent, ServerFile, ServerFileScope};
use serde_json::Value;

use super::super::read_plain;
use super::below;

/// The longest settings that are read, in bytes.
const LONGEST: u64 = 16 << 20;

/// Lets an event know the servers of its agent, where that may matter.
pub(crate) fn tell(event: &mut HookEvent, agent: Agent, home: &str) {
    if event.has_ambiguous_name() {
        let names = names(event, agent, Path::new(home)).unwrap_or_default();
        event.add_known_servers(names);
    }
}

/// The names of all servers; none where a file cannot be read.
fn names(event: &HookEvent, agent: Agent, home: &Path) -> Option<KnownServers> {
    let directories = directories(event);
    let mut known = KnownServers::default();
    known.certain.extend(agent.builtin_servers().iter().map(|own| agent.wire_name(own)));
    for file in agent.server_files() {
        let places: Vec<(PathBuf, Option<&Path>)> = match file.within {
            ServerFileScope::System => vec![(PathBuf::from(file.path), None)],
            ServerFileScope::Home => vec![(home.join(file.path), None)],
            ServerFileScope::Project => {
                directories.iter().map(|own| (own.join(file.path), Some(own.as_path()))).collect()
            }
        };
        for (path, below) in places {
            let Some(settings) = read(&path, file, below)? else { continue };
            let found = directories.iter().map(|own| own.display().to_string());
            let found = found.filter_map(|own| names_in(&settings, file, &own));
            let found = found.flatten().map(|own| agent.wire_name(&own));
            match file.within {
                ServerFileScope::Project => known.possible.extend(found),
                ServerFileScope::System | ServerFileScope::Home => known.certain.extend(found),
            }
        }
    }
    for names in [&mut known.certain, &mut known.possible] {
        names.sort();
        names.dedup();
    }
    Some(known)
}

/// The directories in which a project's settings may lie: agents look for them from where they work
/// upwards.
fn directories(event: &HookEvent) -> Vec<PathBuf> {
    let project = match &event.project {
        AgentProject::Named(own) => Some(PathBuf::from(own)),
        AgentProject::HooksOwn | AgentProject::Unknown => std::env::current_dir().ok(),
    };
    let from = project.into_iter().chain(event.cwd.as_ref().map(PathBuf::from));
    let from: Vec<PathBuf> = from.filter_map(|own| own.canonicalize().ok()).collect();
    let mut all: Vec<PathBuf> =
        from.iter().flat_map(|own| own.ancestors()).map(Path::to_path_buf).collect();
    all.sort();
    all.dedup();
    all
}

/// What a file says; nothing in it where there is none, and nothing at all where it cannot be told.
///
/// It is opened once and read from there. In a project no link is followed: it could lead anywhere.
fn read(path: &Path, file: &ServerFile, below: Option<&Path>) -> Option<Option<Value>> {
    let opened = match below {
        Some(directory) => open_file_in(directory, Path::new(file.path)),
        None => open_file(path, Links::Followed),
    };
    let opened = match opened {
        Err(error) if error.kind() == ErrorKind::NotFound => return Some(None),
        opened => opened.ok()?,
    };
    let mut text = String::new();
    opened.take(LONGEST.saturating_add(1)).read_to_string(&mut text).ok()?;
    let is_long = u64::try_from(text.len()).map_or(true, |own| own > LONGEST);
    if is_long { None } else { read_plain(path, &text).ok() }
}

/// The names at a file's place for servers.
fn names_in(settings: &Value, file: &ServerFile, project: &str) -> Option<Vec<String>> {
    let servers = below(settings, file.keys, project)?.as_object()?;
    Some(servers.keys().cloned().collect())
}

#[cfg(test)]
#[path = "known_tests.rs"]
mod tests;
