//! A directory with the policy that applies in it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ringfence_core::host::Host;
use ringfence_core::path::AbsPath;
use ringfence_core::program::Children;
use ringfence_core::{Access, AccessKind, AccessScope, Context};
use ringfence_exec::{Approver, Fence, NoApprover};
use ringfence_guard::world::{PolicyDraft, RealHost, RootFrom, Surroundings, follow};
use ringfence_guard::{Action, Call, Guard, tool_named};
use ringfence_sandbox::Plan;
use ringfence_sandbox::plan::{DirShelf, Gap, Lister, PinningLister, Shelf, Wanted};

use crate::command::Command;
use crate::error::Error;

/// A directory with the policy that applies in it. Embedders open it once and run commands through it.
#[derive(Clone)]
pub struct Door {
    guard: Arc<Guard>,
    approver: Arc<dyn Approver>,
    notes: Vec<String>,
    beside: Beside,
}

/// Programs and files that commands may start and read without a rule of the policy.
#[derive(Debug, Clone, Default)]
pub struct Beside {
    programs: Vec<AbsPath>,
    files: Vec<AbsPath>,
    /// The files as they were named, whether they exist or not.
    pub(crate) named: Vec<PathBuf>,
}

impl Beside {
    /// Returns what an agent in the fence needs to call a hook: the program and its policies.
    pub fn hook<P: AsRef<Path>>(program: &Path, policies: impl IntoIterator<Item = P>) -> Beside {
        let known = |path: &Path| real(path).ok();
        let named: Vec<PathBuf> =
            policies.into_iter().map(|path| path.as_ref().to_owned()).collect();
        Beside {
            programs: known(program).into_iter().collect(),
            files: named.iter().filter_map(|path| known(path)).collect(),
            named,
        }
    }
}

/// The inputs of a plan besides the policy.
pub(crate) struct Given {
    pub(crate) programs: Vec<AbsPath>,
    pub(crate) files: Vec<AbsPath>,
    pub(crate) environment: Vec<(String, String)>,
}

impl Given {
    /// Collects the inputs of a command's plan.
    pub(crate) fn of(
        command: &Command,
        context: &Context,
        beside: &Beside,
    ) -> Result<Given, Error> {
        let found = command.find(Path::new(context.cwd.as_str()))?;
        let named = found.program.to_str();
        let both = [
            named.and_then(|path| AbsPath::new(path).ok()),
            named.and_then(|path| follow(path).ok()),
        ];
        let programs = both.into_iter().flatten();
        let programs = programs.chain(beside.programs.iter().cloned()).collect();
        Ok(Given { programs, files: beside.files.clone(), environment: command.environment() })
    }
}

/// The host and the directory lister with which a plan is made.
pub(crate) struct Sight<'a> {
    pub(crate) host: &'a dyn Host,
    pub(crate) lister: &'a dyn Lister,
    pub(crate) shelf: &'a dyn Shelf,
}

/// The plan of one command.
#[derive(Debug)]
pub struct Planned {
    /// The plan.
    pub plan: Plan,
    /// The scope for which the plan was made.
    pub(crate) scope: AccessScope,
    /// Whether the children of programs that run project code need grants of their own.
    pub(crate) strict: bool,
}

impl Door {
    /// Opens a door in a directory, with the policies that a person named, or with those that apply
    /// there: the organisation's, the user's, and the project's if it is trusted.
    ///
    /// The first named policy replaces the user's and the project's; each further one is a ceiling.
    /// `@workspace` decides classes on which no document has a stance.
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
        let mut draft = PolicyDraft::read(here, &places, &named)
            .map_err(|error| Error::Policy(error.to_string()))?;
        let mut notes = std::mem::take(&mut draft.notes);
        notes.extend(draft.warnings().iter().map(|warning| warning.render(false)));
        let context = draft.context().clone();
        let built = draft.build(&host).map_err(|error| Error::Policy(error.to_string()))?;
        notes.extend(built.notes());
        let guard = Guard::new(built.policy, Arc::new(host), context);
        Ok(Door { notes, ..Door::of(Arc::new(guard)) })
    }

    /// Makes a door from an existing guard. Commands start in the directory of its context, and its
    /// host must be the real one.
    pub fn of(guard: Arc<Guard>) -> Door {
        let beside = Beside::default();
        Door { guard, approver: Arc::new(NoApprover), notes: Vec::new(), beside }
    }

    /// Adds programs and files that every command may start and read.
    #[must_use]
    pub fn beside(mut self, beside: Beside) -> Door {
        self.beside.programs.extend(beside.programs);
        self.beside.files.extend(beside.files);
        self
    }

    /// Sets the approver that answers questions. Without one every question is refused.
    #[must_use]
    pub fn asking(mut self, approver: Arc<dyn Approver>) -> Door {
        self.approver = approver;
        self
    }

    /// Returns the guard, which also judges calls.
    pub fn guard(&self) -> &Arc<Guard> {
        &self.guard
    }

    /// Returns notes for people: what was ignored, and which profile stands in for missing rules.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Makes the fence for a command; its plan can be inspected before anything starts. A rule that this
    /// host cannot enforce is an error, unless the policy lists its facet under `best_effort`.
    pub fn fence(&self, command: &Command) -> Result<Fence, Error> {
        let planned = self.plan(command, &PinningLister::new())?;
        let policy = self.guard.policy();
        let is_missed = |gap: &&Gap| !policy.settings().is_best_effort(gap.facet);
        let gaps: Vec<String> =
            planned.plan.gaps.iter().filter(is_missed).map(ToString::to_string).collect();
        match gaps.is_empty() {
            true => Ok(self.fence_of(planned)),
            false => Err(Error::Unenforceable(gaps)),
        }
    }

    /// Makes the fence of a plan, without checking that this host can enforce every rule.
    pub fn fence_of(&self, planned: Planned) -> Fence {
        Fence::new(Arc::clone(&self.guard), planned.plan)
            .in_scope(planned.scope)
            .asking(Arc::clone(&self.approver))
            .judging_children(planned.strict)
    }

    /// Makes the plan of a command. The lister reads directories, of which there may be many.
    pub fn plan(&self, command: &Command, lister: &dyn Lister) -> Result<Planned, Error> {
        let context = self.guard.context();
        let given = Given::of(command, context, &self.beside)?;
        let shelf = shelf(context);
        let sight = Sight { host: self.guard.host(), lister, shelf: &shelf };
        Ok(self.plan_by(command, given, &sight))
    }

    /// Like `plan`, for inputs that were collected and a host that was chosen before.
    pub(crate) fn plan_by(&self, command: &Command, given: Given, sight: &Sight<'_>) -> Planned {
        let policy = self.guard.policy();
        let scope = self.scope(command);
        let plan = Plan::make(&Wanted {
            policy: &policy,
            context: self.guard.context(),
            host: sight.host,
            lister: sight.lister,
            shelf: Some(sight.shelf),
            scope: scope.clone(),
            programs: given.programs,
            given: given.files,
            environment: given.environment,
        });
        let strict = policy.settings().children == Some(Children::Judged);
        Planned { plan, scope, strict }
    }

    /// Returns whether a rule applies to some commands only, so that the plan depends on `argv`.
    pub(crate) fn is_scoped(&self) -> bool {
        let anything = Access::new(AccessKind::Listen(0));
        let policy = self.guard.policy();
        let mut stands = policy.rules_with_kind(&anything);
        stands.any(|(_, _, rule, _)| rule.scope.command.is_some() || rule.scope.unless.is_some())
    }

    /// Returns the scope in which a run is judged. Grants for the command that was asked for apply;
    /// denials for any command apply to the whole run.
    fn scope(&self, for_whom: &Command) -> AccessScope {
        let argv = for_whom.words().filter(|_| self.is_scoped());
        let judged = argv
            .map(|argv| self.guard.consider(&Call::new(Action::Argv { argv, env: Vec::new() })));
        let mut parts = judged.iter().flat_map(|judged| judged.parts());
        let command = parts.find_map(|part| match &part.access.what {
            AccessKind::Exec(exec) => Some(Arc::clone(exec)),
            _ => None,
        });
        AccessScope { command, ..scope_of(for_whom) }
    }
}

/// Returns the scope in which a run is judged if the plan does not depend on `argv`.
pub(crate) fn scope_of(command: &Command) -> AccessScope {
    AccessScope {
        agent: command.agent.as_deref().map(Arc::from),
        tool: command.tool.as_deref().map(tool_named),
        whole_run: true,
        ..AccessScope::default()
    }
}

/// Returns the directory cache that the next run can use.
pub(crate) fn shelf(context: &Context) -> DirShelf {
    DirShelf::new(PathBuf::from(context.home.as_str()).join(".cache/ringfence"))
}

/// Returns the canonical path of a directory.
fn real(path: &Path) -> Result<AbsPath, Error> {
    let unusable = |error: String| Error::Directory(path.to_owned(), error);
    let full = std::path::absolute(path).map_err(|error| unusable(error.to_string()))?;
    let text = full.to_str().ok_or_else(|| unusable("it is not UTF-8".to_owned()))?;
    follow(text).map_err(|error| unusable(std::io::Error::from(error).to_string()))
}

fn absolute(path: &Path) -> Result<AbsPath, Error> {
    let unusable = |error: String| Error::Policy(format!("`{}`: {error}", path.display()));
    let full = std::path::absolute(path).map_err(|error| unusable(error.to_string()))?;
    let text = full.to_str().ok_or_else(|| unusable("it is not UTF-8".to_owned()))?;
    AbsPath::new(text).map_err(|error| unusable(error.to_string()))
}
