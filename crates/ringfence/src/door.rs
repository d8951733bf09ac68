//! This host, the documents that apply in a directory, one guard.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ringfence_core::path::AbsPath;
use ringfence_core::program::Children;
use ringfence_core::{Access, AccessScope, Policy, What};
use ringfence_exec::{Approver, Fence, Nobody};
use ringfence_guard::world::{
    Documents, RealHost, RootFrom, Surroundings, Wanted as WantedDocuments, fill_silence,
};
use ringfence_guard::{Action, Call, Guard, tool_named};
use ringfence_manifest::builtin;
use ringfence_sandbox::Plan;
use ringfence_sandbox::plan::{DirShelf, Gap, Lister, RealLister, Wanted};

use crate::command::Command;
use crate::error::Error;

/// A directory with the policy that holds in it: what embedders open once and run commands
/// through.
#[derive(Clone)]
pub struct Door {
    guard: Arc<Guard>,
    approver: Arc<dyn Approver>,
    notes: Vec<String>,
    /// Programs that every command may start, whatever the policy says of their files.
    programs: Vec<AbsPath>,
    /// What every command may read besides.
    given: Vec<AbsPath>,
}

/// What a command would be held to.
#[derive(Debug)]
pub struct Planned {
    /// The plan, to look at.
    pub plan: Plan,
    /// For whom it was made.
    scope: AccessScope,
}

impl Door {
    /// Opens a door in a directory, with the policies that a person named, or with those that apply
    /// there: the organisation's, the user's, and the project's if it is trusted.
    ///
    /// The first of the named ones takes the place of the user's and the project's, each further
    /// one is a ceiling. What no document speaks of is as `@workspace` says.
    pub fn open<P: AsRef<Path>>(
        directory: impl AsRef<Path>,
        policies: impl IntoIterator<Item = P>,
    ) -> Result<Door, Error> {
        let host = RealHost::new();
        let here = Surroundings::at(&host, real(directory.as_ref())?, RootFrom::WorkingDirectory)
            .map_err(|error| Error::Policy(error.to_string()))?;
        let places = here.places().map_err(|error| Error::Policy(error.to_string()))?;
        let named: Vec<AbsPath> =
            policies.into_iter().map(|path| absolute(path.as_ref())).collect::<Result<_, _>>()?;
        let wanted = WantedDocuments { named: &named, ..WantedDocuments::default() };
        let found =
            Documents::find(&places, wanted).map_err(|error| Error::Policy(error.to_string()))?;
        let mut documents = vec![builtin::protected_document()];
        documents.extend(found.documents);
        let mut notes: Vec<String> = here.notes.into_iter().chain(found.reports).collect();
        notes.extend(found.warnings.iter().map(|warning| warning.render(false)));
        notes.extend(fill_silence(&mut documents).into_iter().map(|silence| silence.note));
        let policy = Policy::compile(documents, builtin::danger_rules(), &here.context, &host);
        let policy = policy.map_err(|problems| {
            let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
            Error::Policy(lines.join("\n"))
        })?;
        let notices = policy.notices().iter().filter(|own| own.origin.line != 0);
        notes.extend(notices.map(ToString::to_string));
        let remote = found.remote_servers.iter().map(ToString::to_string).collect();
        let guard = Guard::new(policy, Arc::new(host), here.context).with_remote_servers(remote);
        Ok(Door { notes, ..Door::of(Arc::new(guard)) })
    }

    /// A door with a guard that is there already. Commands start in the directory of its context,
    /// and its host must be the real one.
    pub fn of(guard: Arc<Guard>) -> Door {
        let (programs, given) = (Vec::new(), Vec::new());
        Door { guard, approver: Arc::new(Nobody), notes: Vec::new(), programs, given }
    }

    /// Lets an agent inside call a hook: its program can be started, and the policies can be read by
    /// which it judges. Whether the agent may start it the policy says.
    #[must_use]
    pub fn with_hook<P: AsRef<Path>>(
        mut self,
        program: &Path,
        policies: impl IntoIterator<Item = P>,
    ) -> Door {
        let known = |path: &Path| real(path).ok();
        self.programs.extend(known(program));
        self.given.extend(policies.into_iter().filter_map(|path| known(path.as_ref())));
        self
    }

    /// Puts questions to this approver; without one every question is a no.
    #[must_use]
    pub fn asking(mut self, approver: Arc<dyn Approver>) -> Door {
        self.approver = approver;
        self
    }

    /// The guard, which judges calls as well.
    pub fn guard(&self) -> &Arc<Guard> {
        &self.guard
    }

    /// What people should know: what was ignored, and which rules stand in for missing ones.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The fence for a command: its plan can be looked at before anything is started. A rule that
    /// nothing here can hold is an error, unless the policy lists its facet under `best_effort`.
    pub fn fence(&self, command: &Command) -> Result<Fence, Error> {
        let planned = self.plan(command, &RealLister)?;
        let policy = self.guard.policy();
        let is_missed = |gap: &&Gap| !policy.settings().may_miss(gap.facet);
        let gaps: Vec<String> =
            planned.plan.gaps.iter().filter(is_missed).map(ToString::to_string).collect();
        match gaps.is_empty() {
            true => Ok(self.fence_of(planned)),
            false => Err(Error::Unheld(gaps)),
        }
    }

    /// The fence that a plan makes, whatever nothing here can hold of it.
    pub fn fence_of(&self, planned: Planned) -> Fence {
        let judged = self.guard.policy().settings().children == Some(Children::Judged);
        Fence::new(Arc::clone(&self.guard), planned.plan)
            .in_scope(planned.scope)
            .asking(Arc::clone(&self.approver))
            .judging_children(judged)
    }

    /// What a command would be held to, and by what. The lister looks at this machine's
    /// directories, of which there may be many.
    pub fn plan(&self, command: &Command, lister: &dyn Lister) -> Result<Planned, Error> {
        let context = self.guard.context();
        let found = command.find(Path::new(context.cwd.as_str()))?;
        let both = [Some(found.program.clone()), found.program.canonicalize().ok()];
        let programs = both.into_iter().flatten();
        let programs = programs.filter_map(|path| AbsPath::new(path.to_str()?).ok());
        let programs = programs.chain(self.programs.iter().cloned()).collect();
        let shelf = DirShelf(PathBuf::from(context.home.as_str()).join(".cache/ringfence"));
        let scope = self.scope(command);
        let plan = Plan::make(&Wanted {
            policy: &self.guard.policy(),
            context,
            host: self.guard.host(),
            lister,
            shelf: Some(&shelf),
            scope: scope.clone(),
            programs,
            given: self.given.clone(),
            environment: command.environment(),
        });
        Ok(Planned { plan, scope })
    }

    /// For whom a run is judged. The command that was asked for has what is granted to it alone;
    /// what objects under any command holds for all of the run.
    fn scope(&self, for_whom: &Command) -> AccessScope {
        let policy = self.guard.policy();
        let anything = Access::new(What::Listen(0));
        let is_scoped = policy
            .stands(&anything)
            .any(|(_, _, rule, _)| rule.scope.command.is_some() || rule.scope.unless.is_some());
        let argv = for_whom.words().filter(|_| is_scoped);
        let judged = argv
            .map(|argv| self.guard.consider(&Call::new(Action::Argv { argv, env: Vec::new() })));
        let mut parts = judged.iter().flat_map(|judged| judged.parts());
        let command = parts.find_map(|part| match &part.access.what {
            What::Exec(exec) => Some(Arc::clone(exec)),
            _ => None,
        });
        let (agent, tool) = (for_whom.agent.as_deref(), for_whom.tool.as_deref());
        AccessScope {
            agent: agent.map(Arc::from),
            tool: tool.map(tool_named),
            command,
            whole_run: true,
            ..AccessScope::default()
        }
    }
}

/// Where a directory really lies.
fn real(path: &Path) -> Result<AbsPath, Error> {
    let unusable = |error: String| Error::Directory(path.to_owned(), error);
    let real = path.canonicalize().map_err(|error| unusable(error.to_string()))?;
    let text = real.to_str().ok_or_else(|| unusable("it is not UTF-8".to_owned()))?;
    AbsPath::new(text).map_err(|error| unusable(error.to_string()))
}

fn absolute(path: &Path) -> Result<AbsPath, Error> {
    let unusable = |error: String| Error::Policy(format!("`{}`: {error}", path.display()));
    let full = std::path::absolute(path).map_err(|error| unusable(error.to_string()))?;
    let text = full.to_str().ok_or_else(|| unusable("it is not UTF-8".to_owned()))?;
    AbsPath::new(text).map_err(|error| unusable(error.to_string()))
}
