//! The state that the threads of a supervisor share.

use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ringfence_core::AccessScope;
use ringfence_guard::Guard;
use ringfence_sandbox::plan::{Limits, PlanChange};
use ringfence_sandbox::session::{Entrance, processes_like};
use ringfence_sandbox::{Plan, Stop};

use super::entries::SessionEntries;
use super::lifetime::PolicySource;
use super::message::{Binding, RunningCommand, SessionInfo};
use super::place::{SessionName, SessionPlace};

/// The state that the threads of a supervisor share.
pub(super) struct Shared {
    pub(super) name: SessionName,
    pub(super) place: SessionPlace,
    pub(super) plan: Plan,
    pub(super) guard: Arc<Guard>,
    pub(super) scope: AccessScope,
    pub(super) entries: Arc<SessionEntries>,
    pub(super) entrance: Entrance,
    /// The limits of each command, which the fence of the session does not have.
    pub(super) limits: Limits,
    pub(super) idle_limit: Duration,
    pub(super) begun: Instant,
    pub(super) stop: Stop,
    pub(super) launcher: AtomicI32,
    pub(super) policies: Mutex<Box<dyn PolicySource>>,
    pub(super) life: Mutex<Life>,
}

/// The part of the state that changes while a session lives.
pub(super) struct Life {
    pub(super) binding: Binding,
    pub(super) state: State,
    /// Clients whose command is on its way in, or inside.
    visits: u64,
    commands: Vec<RunningCommand>,
    entered: u64,
    /// When the last command ended.
    last: Instant,
}

/// Whether commands may enter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Open,
    /// The policy allows more than the fence: the next command gets another one when nobody is inside.
    Outdated,
    Over,
}

/// Whether a client's command may come.
pub(super) enum Admission<'a> {
    Welcome(Visit<'a>),
    /// This fence has ended, with these processes: another one is to be made.
    Renewed(Vec<RunningCommand>),
    Refused(String),
}

/// A client whose command is on its way in, or inside.
pub(super) struct Visit<'a> {
    shared: &'a Shared,
    pid: Option<i32>,
    /// Who leads the session of the command, where that has a terminal.
    leader: Option<i32>,
}

impl Life {
    pub(super) fn new(binding: Binding) -> Life {
        Life {
            binding,
            state: State::Open,
            visits: 0,
            commands: Vec::new(),
            entered: 0,
            last: Instant::now(),
        }
    }
}

impl Shared {
    pub(super) fn life(&self) -> MutexGuard<'_, Life> {
        self.life.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Decides whether a command that belongs to this may enter.
    pub(super) fn admit(&self, own: &Binding) -> Admission<'_> {
        if self.life().binding.policy != own.policy
            && let Err(reason) = self.renew_policy()
        {
            return Admission::Refused(reason);
        }
        let mut life = self.life();
        let Binding { root, agent, policy } = &life.binding;
        let refused = match () {
            () if *root != own.root => {
                Some(format!("this session belongs to {root}, and not to {}", own.root))
            }
            () if *agent != own.agent => Some("this session belongs to another agent".to_owned()),
            // A narrower policy has ended the session meanwhile.
            () if life.state == State::Over => None,
            () if *policy != own.policy => {
                Some("this session has another policy: other documents apply here".to_owned())
            }
            () => None,
        };
        if let Some(reason) = refused {
            return Admission::Refused(reason);
        }
        match life.state {
            State::Open => {}
            State::Outdated if life.visits > 0 => {}
            State::Outdated | State::Over => {
                drop(life);
                return Admission::Renewed(self.end(None));
            }
        }
        life.visits = life.visits.saturating_add(1);
        Admission::Welcome(Visit { shared: self, pid: None, leader: None })
    }

    /// Takes a changed policy on. The judge gets it at once. A fence that would have to hold less
    /// ends at once; one that could hold more is replaced when the next command comes.
    pub(super) fn renew_policy(&self) -> Result<(), String> {
        let mut policies = self.policies.lock().unwrap_or_else(PoisonError::into_inner);
        let known = self.life().binding.policy.clone();
        let Some(fresh) = policies.renew(&known)? else { return Ok(()) };
        let change = self.plan.change_to(&fresh.plan);
        if change == PlanChange::Narrower {
            self.end(Some("the policy changed, and allows less than this fence"));
            return Ok(());
        }
        self.guard.replace(Arc::clone(&fresh.policy));
        self.entries.replace(&fresh.policy);
        let mut life = self.life();
        life.binding.policy = fresh.fingerprint;
        if life.state != State::Over {
            // Compared with the plan that the fence has, not with the last one.
            life.state = if change == PlanChange::Wider { State::Outdated } else { State::Open };
        }
        Ok(())
    }

    /// Ends the session, once. Returns the processes that end with it. With a reason, the next client of
    /// this name is told.
    pub(super) fn end(&self, reason: Option<&str>) -> Vec<RunningCommand> {
        let mut life = self.life();
        if life.state == State::Over {
            return Vec::new();
        }
        life.state = State::Over;
        let processes = self.processes();
        if let Some(reason) = reason {
            self.place.leave_word(&self.name, &last_word(reason, &processes));
        }
        // From here on the next client makes a session of its own.
        self.place.remove(&self.name);
        drop(life);
        self.stop.stop();
        processes
    }

    /// Returns for how long no command has run; `None` if one runs.
    pub(super) fn idle(&self) -> Option<Duration> {
        let life = self.life();
        (life.visits == 0).then(|| life.last.elapsed())
    }

    pub(super) fn info(&self) -> SessionInfo {
        let idle = self.idle().map(|idle| idle.as_secs());
        let life = self.life();
        SessionInfo {
            name: self.name.as_str().to_owned(),
            pid: std::process::id(),
            binding: life.binding.clone(),
            age: self.begun.elapsed().as_secs(),
            idle,
            idle_limit: self.idle_limit.as_secs(),
            entered: life.entered,
            commands: life.commands.clone(),
            processes: self.processes(),
        }
    }

    fn processes(&self) -> Vec<RunningCommand> {
        let inside = processes_like(self.launcher.load(Ordering::Acquire));
        inside.into_iter().map(|(pid, command)| RunningCommand { pid, command }).collect()
    }
}

/// The message for the next client.
fn last_word(reason: &str, processes: &[RunningCommand]) -> String {
    let names: Vec<&str> = processes.iter().map(|own| own.command.as_str()).collect();
    match names.is_empty() {
        true => reason.to_owned(),
        false => format!("{reason}; ended with it: {}", names.join(", ")),
    }
}

impl Visit<'_> {
    /// Notes the terminal of the command.
    pub(super) fn has_terminal(&mut self, leader: i32, terminal: OwnedFd) {
        self.leader = Some(leader);
        self.shared.entries.add_terminal(leader, terminal);
    }

    /// Notes that the command has entered.
    pub(super) fn entered(&mut self, pid: i32, command: String) {
        self.pid = Some(pid);
        let mut life = self.shared.life();
        life.entered = life.entered.saturating_add(1);
        life.commands.push(RunningCommand { pid, command });
    }
}

impl Drop for Visit<'_> {
    fn drop(&mut self) {
        if let Some(leader) = self.leader {
            self.shared.entries.forget_terminal(leader);
        }
        if let Some(pid) = self.pid {
            self.shared.entries.forget(pid);
        }
        let mut life = self.shared.life();
        life.commands.retain(|own| Some(own.pid) != self.pid);
        life.visits = life.visits.saturating_sub(1);
        life.last = Instant::now();
    }
}
