//! The agents of this machine, and how far ringfence is set up for them.

pub(crate) mod called;
pub(crate) mod codex;
pub(crate) mod diff;
pub(crate) mod fire;
pub(crate) mod kind;
pub(crate) mod ledger;
pub(crate) mod servers;

use std::path::{Path, PathBuf};

use ringfence_guard::redact::redact;
use ringfence_guard::world::{PolicyLocations, RealHost, Surroundings};
use ringfence_hooks::Agent;
use ringfence_manifest::{Format, Source, plain};
use serde_json::Value;

use crate::door::surroundings;
use crate::exit::Failure;
use crate::file::Found;

/// This machine, for one user.
pub(crate) struct Site {
    pub(crate) home: PathBuf,
    pub(crate) here: Surroundings,
    pub(crate) places: PolicyLocations,
}

/// Why an agent is taken to be there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Sign {
    /// It has a directory in the home.
    Directory(PathBuf),
    /// It can be started.
    Program(PathBuf),
}

/// What an agent's settings say about the hook.
pub(crate) enum Hook {
    /// Nothing.
    Absent,
    /// They call it with these commands.
    Calls(Vec<String>),
    /// They cannot be read.
    Unreadable(Failure),
}

impl Site {
    /// This machine, for the user of this process.
    pub(crate) fn here() -> Result<Site, Failure> {
        let here = surroundings(&RealHost::new())?;
        let places = here.places().map_err(|error| Failure::new(error.to_string()))?;
        Ok(Site { home: PathBuf::from(here.user.home.as_str()), here, places })
    }

    /// Where ringfence keeps its own records.
    pub(crate) fn state(&self) -> &Path {
        Path::new(self.places.state_dir.as_str())
    }

    /// Whether an agent is there, and by what it is known.
    pub(crate) fn sign(&self, agent: Agent) -> Option<Sign> {
        let directory = self.home.join(agent.directory());
        if directory.is_dir() {
            return Some(Sign::Directory(directory));
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        let directories: Vec<PathBuf> = std::env::split_paths(&path).collect();
        let all = agent
            .programs()
            .iter()
            .flat_map(|name| directories.iter().map(move |own| own.join(name)));
        all.filter(|own| own.is_absolute() && own.is_file()).map(Sign::Program).next()
    }

    /// Where an agent's hook is set up.
    pub(crate) fn settings(&self, agent: Agent) -> PathBuf {
        self.home.join(agent.setup("ringfence").path)
    }

    /// What an agent's settings say about the hook.
    pub(crate) fn hook(&self, agent: Agent) -> Hook {
        let path = self.settings(agent);
        let commands = Found::look(&path, &self.home).and_then(|found| {
            let Some(text) = found.text()? else { return Ok(Vec::new()) };
            well_formed(&path, text)?;
            agent.hooks_in(text).map_err(|error| unreadable(&path, &error.to_string()))
        });
        match commands {
            Err(failure) => Hook::Unreadable(failure),
            Ok(commands) if commands.is_empty() => Hook::Absent,
            Ok(commands) => Hook::Calls(commands),
        }
    }

    /// A path as people write it: `~` for the home.
    pub(crate) fn shown(&self, path: &Path) -> String {
        match path.strip_prefix(&self.home) {
            Ok(below) => format!("~/{}", below.display()),
            Err(_) => path.display().to_string(),
        }
    }
}

pub(crate) fn unreadable(path: &Path, reason: &str) -> Failure {
    Failure::new(format!("{}: {reason}", path.display()))
}

/// Passes a text on that is well formed for its file; an error names the place.
pub(crate) fn well_formed(path: &Path, text: &str) -> Result<(), Failure> {
    read_plain(path, text).map(drop)
}

/// What settings say, where their format is known.
pub(crate) fn read_plain(path: &Path, text: &str) -> Result<Option<Value>, Failure> {
    let name = path.display().to_string();
    let Some(format) = Format::of_path(&name).filter(|_| !text.trim().is_empty()) else {
        return Ok(None);
    };
    // What stands in the line may be a secret.
    let broken = |errors: &ringfence_manifest::Errors| {
        Failure::new(redact(&errors.render(false)).into_owned())
            .hint("nothing was written; make the file well formed first")
    };
    let source = Source::new(name.as_str(), format, text).map_err(|errors| broken(&errors))?;
    plain(&source).map(Some).map_err(|errors| broken(&errors))
}
