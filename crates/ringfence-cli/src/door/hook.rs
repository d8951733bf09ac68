//! The door of a hook: one call, and the process ends.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ringfence_core::path::AbsPath;
use ringfence_guard::world::{RealHost, RootFrom, Surroundings};
use ringfence_guard::{Guard, PolicyBuilder};
use ringfence_hooks::AgentProject;

use super::{absolute, build_failure, find};
use crate::exit::Failure;

/// Opens the door for an agent that works at `place`. What a person should know is left to the verbs
/// that a person calls.
pub(crate) fn open_hook(policies: &[PathBuf], place: &Place<'_>) -> Result<Guard, Failure> {
    let host = RealHost::new();
    let here = place.surroundings(&host)?;
    let found = find(policies, &here)?;
    let built = PolicyBuilder::new().found(found).build(&here.context, &host);
    let built = built.map_err(|error| build_failure(&error))?;
    Ok(Guard::new(built.policy, Arc::new(host), here.context))
}

/// Where an agent works, as it tells its hook.
pub(crate) struct Place<'a> {
    /// The directory; the hook's own where it tells none.
    pub(crate) cwd: Option<&'a str>,
    /// Where its project is.
    pub(crate) project: &'a AgentProject,
}

impl Place<'_> {
    fn surroundings(&self, host: &RealHost) -> Result<Surroundings, Failure> {
        let real = |path: &str| {
            let path = std::fs::canonicalize(path)
                .map_err(|error| Failure::new(format!("`{path}` cannot be entered: {error}")))?;
            absolute(&path)
        };
        let own = std::env::current_dir().ok();
        let own = own.as_deref().and_then(Path::to_str);
        let project = match self.project {
            AgentProject::Named(directory) => real(directory)?,
            AgentProject::HooksOwn => real(own.ok_or("can't tell its own directory".to_owned())?)?,
            // No project can be there.
            AgentProject::Unknown => AbsPath::root(),
        };
        let cwd = self.cwd.or(own).ok_or("can't tell its own directory".to_owned())?;
        Surroundings::at(host, real(cwd)?, RootFrom::Project(&project))
            .map_err(|error| Failure::new(error.to_string()))
    }
}
