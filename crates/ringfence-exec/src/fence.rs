//! The fence: a plan with its guard, in which permitted commands run.

use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::atomic::AtomicI32;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ringfence_core::Enforcement;
use ringfence_core::access::AccessScope;
use ringfence_core::path::AbsPath;
use ringfence_guard::{Guard, Permit, RunCommand};
use ringfence_sandbox::plan::{ExecPlan, Hiding};
use ringfence_sandbox::{
    Command, DelayedTask, Ended, Failed, Keep, Plan, Room, Stop, Streams, Terms,
};

use crate::ask::{Approver, NoApprover};
use crate::child_policies::ChildPolicies;
use crate::git::Repositories;
use crate::judge::GuardJudge;
use crate::lookup_cache::LookupCache;
use crate::network;
use crate::ports::PublishedPorts;
use crate::report::{Collector, Report};
use crate::run_host::RunHost;
use crate::session::SessionEntries;
use crate::starts::Last;

/// A plan with the guard that it was made from.
pub struct Fence {
    guard: Arc<Guard>,
    plan: Plan,
    approver: Arc<dyn Approver>,
    scope: AccessScope,
    strict: bool,
}

/// The result of a run.
#[derive(Debug)]
pub struct Finished {
    /// How the command ended, or why it could not be started.
    pub ended: Result<Ended, Failed>,
    /// What was refused during the run.
    pub report: Report,
}

/// Options for running a command.
#[derive(Debug, Default)]
pub struct Way {
    /// Whether signals to this process are forwarded to the command.
    pub forward: bool,
    /// The standard streams of the command.
    pub streams: Streams,
    /// Stops the run from another thread.
    pub stop: Option<Stop>,
    /// Whether this process exits right after the run, so that it need not wait for the kernel's clean-up.
    pub leaves: bool,
    /// Stores how the namespaces were made, for the next run.
    pub keep: Option<Keep>,
    /// Work that is done once the command has run for a while.
    pub delayed_task: Option<DelayedTask>,
    /// The published ports from [`Fence::ports`]. Without them the ports are opened at the start.
    pub ports: Option<PublishedPorts>,
    /// The commands that enter, if the command is the launcher of a session.
    pub session: Option<Arc<SessionEntries>>,
}

impl Fence {
    /// Makes a fence in which every question is refused.
    pub fn new(guard: Arc<Guard>, plan: Plan) -> Fence {
        let scope = AccessScope::default();
        Fence { guard, plan, approver: Arc::new(NoApprover), scope, strict: false }
    }

    /// Sets the scope in which files, sockets and the network are judged: the scope of the plan.
    #[must_use]
    pub fn in_scope(mut self, scope: AccessScope) -> Fence {
        self.scope = scope;
        self
    }

    /// Sets the approver that answers questions.
    #[must_use]
    pub fn asking(mut self, approver: Arc<dyn Approver>) -> Fence {
        self.approver = approver;
        self
    }

    /// Sets whether the children of programs that run project code need grants of their own.
    #[must_use]
    pub fn judging_children(mut self, strict: bool) -> Fence {
        self.strict = strict;
        self
    }

    /// Returns the plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns the guard from which the plan was made.
    pub(crate) fn guard(&self) -> &Arc<Guard> {
        &self.guard
    }

    /// Returns the scope for which the plan was made.
    pub(crate) fn scope(&self) -> &AccessScope {
        &self.scope
    }

    /// Returns what holds the calls of the run. Every gap of a plan that is run is listed under
    /// `best_effort`.
    pub fn enforcement(&self) -> Enforcement {
        match self.plan.gaps.is_empty() && self.plan.exec == ExecPlan::Gated {
            true => Enforcement::WholeFence,
            false => Enforcement::PartialFence,
        }
    }

    /// Opens the ports that the plan publishes.
    pub fn ports(&self) -> PublishedPorts {
        PublishedPorts::of(&self.plan.net)
    }

    /// Returns the guard with the host as the run sees it.
    fn inside(&self, process: &Arc<AtomicI32>, seen: &Arc<LookupCache>) -> Guard {
        let private = self.plan.files.private.iter();
        let private = private.filter_map(|path| AbsPath::new(path.to_str()?).ok()).collect();
        let (process, seen) = (Arc::clone(process), Arc::clone(seen));
        let inside = self.guard.on(|host| Arc::new(RunHost { host, private, process, seen }));
        inside.at_gate().held_by(self.enforcement())
    }

    /// Runs the command of a permit in this thread until it has ended.
    pub fn run(&self, permit: Permit<RunCommand>, forward: bool) -> Finished {
        self.run_as(permit, Way { forward, ..Way::default() })
    }

    /// Runs the command of a permit in this thread until it has ended, with options.
    pub fn run_as(&self, permit: Permit<RunCommand>, way: Way) -> Finished {
        self.run_in(None, permit, way)
    }

    /// Like `run_as`, in namespaces that this thread has begun to make.
    pub fn run_in(&self, room: Option<Room>, permit: Permit<RunCommand>, way: Way) -> Finished {
        let act = permit.into_act();
        match self.mismatch(&act) {
            None => {
                let (program, argv) = (act.program().clone(), act.argv().to_vec());
                self.start(room, &Command { program, argv }, way)
            }
            Some(reason) => {
                let ended = Err(Failed::Start(io::Error::new(ErrorKind::PermissionDenied, reason)));
                Finished { ended, report: Report::default() }
            }
        }
    }

    /// Returns why the plan is not for what was permitted, if it is not.
    fn mismatch(&self, act: &RunCommand) -> Option<String> {
        let (permitted, planned) = (act.directory().as_str(), &self.plan.cwd);
        if Path::new(permitted) != planned {
            let planned = planned.display();
            return Some(format!(
                "it is permitted in `{permitted}`, and the fence is for `{planned}`"
            ));
        }
        if let Some(agent) = act.agent()
            && self.scope.agent.as_deref() != Some(agent)
        {
            return Some(format!(
                "it is permitted to `{agent}`, and the fence is for another agent"
            ));
        }
        let is_missing = |own: &&(String, String)| !self.plan.variables.contains(own);
        let (name, _) = act.variables().iter().find(is_missing)?;
        Some(format!("the fence was made without the variable `{name}` of the call"))
    }

    /// Starts a command that was permitted: the only place that does.
    fn start(&self, room: Option<Room>, command: &Command, way: Way) -> Finished {
        let Way { forward, streams, stop, leaves, keep, delayed_task, ports, session } = way;
        let ports = ports.unwrap_or_else(|| self.ports());
        let unpublished = ports.unpublished().to_vec();
        let collector = Arc::new(Collector::default());
        let process = Arc::new(AtomicI32::new(0));
        let search_path = self.guard.host().env("PATH");
        let seen = Arc::new(LookupCache::new(&self.plan.files, search_path));
        let inside = Arc::new(self.inside(&process, &seen));
        if let Some(session) = &session {
            session.begin(&inside, &collector);
        }
        let judge = GuardJudge {
            guard: inside,
            approver: Arc::clone(&self.approver),
            collector: Arc::clone(&collector),
            scope: self.scope.clone(),
            private: self.plan.files.private.clone(),
            given: self.plan.files.given.clone(),
            strict: self.strict,
            sealed: self.approver.answer_dirs(),
            family: ChildPolicies::default(),
            asked_for: OnceLock::new(),
            process,
            seen,
            last: Last::default(),
            repositories: Repositories::default(),
            session,
        };
        let egress = Arc::new(Mutex::new(None));
        let begin = {
            let (guard, approver) = (Arc::clone(&self.guard), Arc::clone(&self.approver));
            let (collector, egress) = (Arc::clone(&collector), Arc::clone(&egress));
            let (plan, scope) = (self.plan.net.clone(), self.scope.clone());
            let way_out = network::WayOut { plan, scope, ports };
            Box::new(move |sockets, line: &ringfence_sandbox::Line| {
                let started = way_out.start(guard, approver, collector, sockets, line);
                *egress.lock().unwrap_or_else(PoisonError::into_inner) = Some(started);
            })
        };
        let rules = self.guard.host().path_rules();
        let guard = Arc::clone(&self.guard);
        let hiding = Hiding::new(move || guard.policy(), self.scope.clone(), rules);
        let hiding = Some(hiding);
        let terms = Terms::new(Arc::new(judge));
        let terms =
            Terms { begin, forward, hiding, streams, stop, leaves, keep, delayed_task, ..terms };
        let ended = match room {
            Some(room) => ringfence_sandbox::run_in(room, &self.plan, command, terms),
            None => ringfence_sandbox::run(&self.plan, command, terms),
        };
        let started = egress.lock().unwrap_or_else(PoisonError::into_inner).take();
        let ended = match started {
            Some(Err(error)) => Err(Failed::Fence { part: "the way out", about: None, error }),
            _ => ended,
        };
        let limit = match &ended {
            Ok(Ended::TimedOut) => Some("time"),
            Ok(Ended::SaidTooMuch) => Some("output"),
            _ => None,
        };
        let limit = limit.map(Into::into);
        Finished { ended, report: Report { limit, unpublished, ..collector.report() } }
    }
}
