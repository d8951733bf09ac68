//! The door of a hook: one call, and the process ends.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ringfence::core::path::AbsPath;
use ringfence::core::{Context, Policy};
use ringfence::guard::world::{Documents, Profiles, RealHost, RootFrom, Surroundings};
use ringfence::guard::{Call, Guard, Judgement, consider_briefly};
use ringfence::hooks::Project;
use ringfence::manifest::builtin;

use super::{absolute, find, problem_failure};
use crate::exit::Failure;

/// What a hook's call came to.
pub(crate) struct HookDoor {
    /// The decision.
    pub(crate) judgement: Judgement,
    /// Who and where the agent is.
    pub(crate) context: Context,
}

impl HookDoor {
    /// Decides the call of an agent that works at `place`. What a person should know is left to the
    /// verbs that a person calls.
    pub(crate) fn judge(
        policies: &[PathBuf],
        call: &Call,
        place: &Place<'_>,
    ) -> Result<HookDoor, Failure> {
        let host = Arc::new(RealHost::new());
        let here = place.surroundings(&host)?;
        let found = find(policies, (&call.classes(), Profiles::Later), &here)?;
        let brief = consider_briefly(call, &found, &host, &here.context);
        let judgement = match brief {
            Some(judgement) => judgement,
            None => consider_at_length(call, found, host, &here.context)?,
        };
        Ok(HookDoor { judgement, context: here.context })
    }
}

/// Decides by all rules on the classes that the call can be about.
fn consider_at_length(
    call: &Call,
    mut found: Documents,
    host: Arc<RealHost>,
    context: &Context,
) -> Result<Judgement, Failure> {
    found.fill();
    let classes = call.classes();
    let mut documents = vec![builtin::protected_document_of(&classes)];
    documents.append(&mut found.documents);
    let dangers = builtin::danger_rules_of(&classes);
    let policy = Policy::compile_for(&classes, documents, dangers, context, &*host);
    let policy = policy.map_err(|problems| problem_failure(&problems))?;
    let remote = found.remote_servers.iter().map(ToString::to_string).collect();
    let guard = Guard::new(policy, host, context.clone()).with_remote_servers(remote);
    Ok(guard.consider(call))
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
