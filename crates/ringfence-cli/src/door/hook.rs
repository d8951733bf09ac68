//! The door of a hook: one call, and the process ends.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ringfence_core::Context;
use ringfence_core::path::AbsPath;
use ringfence_guard::world::{Documents, Profiles, RealHost, RootFrom, Surroundings};
use ringfence_guard::{Call, Guard, PolicyBuilder, consider_briefly};
use ringfence_hooks::Project;

use super::{absolute, build_failure, find};
use crate::exit::Failure;

/// What a hook judges its one call by.
pub(crate) struct HookDoor {
    found: Documents,
    host: Arc<RealHost>,
    /// Who and where the agent is.
    context: Context,
}

impl HookDoor {
    /// Opens the door for a call of an agent that works at `place`. What a person should know is left
    /// to the verbs that a person calls.
    pub(crate) fn open(
        policies: &[PathBuf],
        call: &Call,
        place: &Place<'_>,
    ) -> Result<HookDoor, Failure> {
        let host = Arc::new(RealHost::new());
        let here = place.surroundings(&host)?;
        let found = find(policies, (&call.classes(), Profiles::Later), &here)?;
        Ok(HookDoor { found, host, context: here.context })
    }

    /// The user's home directory.
    pub(crate) fn home(&self) -> &str {
        self.context.home.as_str()
    }

    /// Whether the few rules that the call can meet allow it. A no says nothing: all rules decide.
    pub(crate) fn allows(&self, call: &Call) -> bool {
        let judgement = consider_briefly(call, &self.found, &self.host, &self.context);
        // The process ends soon; taking a policy apart piece by piece would only cost time.
        judgement.map(std::mem::forget).is_some()
    }

    /// Decides by all rules on the classes that the call can be about.
    pub(crate) fn guard(self, call: &Call) -> Result<Guard, Failure> {
        let classes = call.classes();
        let builder = PolicyBuilder::new().found(self.found).classes(&classes);
        let built = builder.build(&self.context, &*self.host);
        let built = built.map_err(|error| build_failure(&error))?;
        Ok(Guard::new(built.policy, self.host, self.context))
    }
}

/// Where an agent works, as it tells its hook.
pub(crate) struct Place<'a> {
    /// The directory; the hook's own where it tells none.
    pub(crate) cwd: Option<&'a str>,
    /// Where its project is.
    pub(crate) project: &'a Project,
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
            Project::Named(directory) => real(directory)?,
            Project::HooksOwn => real(own.ok_or("its own directory cannot be told".to_owned())?)?,
            // No project can be there.
            Project::Unknown => AbsPath::root(),
        };
        let cwd = self.cwd.or(own).ok_or("its own directory cannot be told".to_owned())?;
        Surroundings::at(host, real(cwd)?, RootFrom::Project(&project))
            .map_err(|error| Failure::new(error.to_string()))
    }
}
