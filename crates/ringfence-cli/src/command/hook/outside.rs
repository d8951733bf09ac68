//! The events of hooks inside a run, as the run outside answers them.
//!
//! What is handed over is judged here, by the policies of the run, and asked about in words made
//! here. It must never take anything but an event from inside: no answer, no words of a question.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use ringfence_core::Effect;
use ringfence_exec::queue::hook_channel::{EventOutcome, ForwardedEvent, HookChannel};
use ringfence_exec::queue::{PersistentQuestions, Queue};
use ringfence_exec::refusal_log::{LogEntry, RefusingDoor};
use ringfence_exec::{ApprovalAnswer, Approver};
use ringfence_guard::{Action, Call, Guard};
use ringfence_hooks::{
    Agent, AgentProject, HookEvent, HookOutcome, JUDGE_TIMEOUT, OpenQuestion, judge_event,
    run_with_timeout,
};
use ringfence_sandbox::DelayedTask;

use super::ask::{exact, question};
use crate::asking::{shelf, slips};
use crate::diary;
use crate::door::hook::{Place, open_hook};
use crate::show;
use crate::site::Site;
use crate::site::servers::known;

/// How long a run lives before hooks in it are listened to. Most commands are over by then, and a
/// hook that is sooner waits.
const AT_FIRST: Duration = Duration::from_millis(20);

/// The run outside.
struct Outside {
    queue: Arc<Queue>,
    policies: Vec<PathBuf>,
    /// The run's project, or the directory in which it was started.
    place: PathBuf,
}

/// A run that listens, or will soon; it ends when this is dropped.
#[derive(Default)]
pub(crate) struct Listening(Arc<Mutex<Option<Listener>>>);

impl Listening {
    /// Takes the events of hooks inside once the run has lived for a while, where the policy lets a
    /// hook be started at all.
    pub(crate) fn soon(
        &self,
        guard: &Arc<Guard>,
        queue: &Arc<Queue>,
        policies: &[PathBuf],
    ) -> DelayedTask {
        let root = guard.context().root.as_ref().map(|root| root.as_str());
        let place = PathBuf::from(root.unwrap_or(&queue.run().directory));
        let outside = Outside { queue: Arc::clone(queue), policies: policies.to_owned(), place };
        let (guard, listening) = (Arc::clone(guard), Arc::clone(&self.0));
        DelayedTask::new(AT_FIRST, move || {
            let started = Listener::start(guard, outside);
            *listening.lock().unwrap_or_else(PoisonError::into_inner) = started;
        })
    }
}

/// The thread that listens.
struct Listener {
    over: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Listener {
    fn start(guard: Arc<Guard>, outside: Outside) -> Option<Listener> {
        let (over, is_over) = mpsc::channel();
        let listen = move || {
            if lets_hooks_start(&guard) {
                let _channel = outside.listen();
                // Nothing is ever sent: an error says that the run is over.
                let _ = is_over.recv();
            }
        };
        let thread = std::thread::Builder::new().name("ringfence-hooks".to_owned()).spawn(listen);
        let refused = |error| Outside::refuse(&format!("no thread: {error}"));
        let thread = thread.map_err(refused).ok()?;
        Some(Listener { over: Some(over), thread: Some(thread) })
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        drop(self.over.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn lets_hooks_start(guard: &Guard) -> bool {
    let argv = ["ringfence", "hook", "claude-code"].map(str::to_owned).to_vec();
    let hook = guard.consider(&Call::new(Action::Argv { argv, env: Vec::new() }));
    hook.verdict.effect == Effect::Allow
}

/// An event, and what is to be asked about it.
struct Judged {
    agent: Agent,
    event: HookEvent,
    considered: HookOutcome,
}

impl Outside {
    /// Listens; where that cannot be done, questions of hooks inside are refused.
    fn listen(self) -> Option<HookChannel> {
        let queue = Arc::clone(&self.queue);
        let answerer = Arc::new(move |handed: &ForwardedEvent, waits: &dyn Fn() -> bool| {
            self.answer(handed, waits)
        });
        let opened = Site::here().map_err(|failure| failure.message).and_then(|site| {
            let tell = |socket: &Path| queue.set_hook_socket(socket);
            HookChannel::open(site.state(), answerer, tell)
                .map_err(|error| format!("{}: {error}", site.state().display()))
        });
        opened.map_err(|reason| Outside::refuse(&reason)).ok()
    }

    fn refuse(reason: &str) {
        show::say(&format!("note: questions of hooks inside are refused: {reason}"));
    }

    fn answer(&self, handed: &ForwardedEvent, waits: &dyn Fn() -> bool) -> EventOutcome {
        let nobody = EventOutcome::Unasked { id: None };
        let (handed, policies) = (handed.clone(), self.policies.clone());
        let judged = run_with_timeout(JUDGE_TIMEOUT, move || judge(&handed, &policies));
        let Ok(Ok(Judged { agent, event, considered })) = judged else { return nobody };
        match considered {
            // The hook inside goes by other policies; a person agreed to nothing.
            HookOutcome::Answered(_) => nobody,
            HookOutcome::Refused(refusal) => {
                let directory = event.cwd.as_deref().unwrap_or_default();
                diary::note([LogEntry::of(&refusal, RefusingDoor::Hook, agent.name(), directory)]);
                nobody
            }
            HookOutcome::Open(open) => self.ask(agent, &event, &open, waits),
        }
    }

    /// Asks whoever the run asks; a yes holds at the gate too.
    fn ask(
        &self,
        agent: Agent,
        event: &HookEvent,
        open: &OpenQuestion,
        waits: &dyn Fn() -> bool,
    ) -> EventOutcome {
        let deeds = open.exact_accesses.as_deref().unwrap_or_default();
        let session = event.session.as_deref().unwrap_or_default();
        if self.queue.unused_approval(deeds).is_some() {
            return EventOutcome::Agreed;
        }
        if let Some(given) = self.given(open, session) {
            self.queue.record_approval(deeds, given);
            return EventOutcome::Agreed;
        }
        let question = question(agent, open);
        let shelf = shelf().ok();
        // Session and directory are what somebody inside says: what was asked elsewhere is another's.
        let kept = || shelf.as_ref()?.earlier_answer_below(&question, session, &self.place);
        let said = kept().or_else(|| self.queue.answer_while(&question, waits));
        match said {
            Some(said) if said.is_yes() && exact(open) == question.exact => {
                self.queue.record_approval(deeds, said);
                EventOutcome::Agreed
            }
            Some(ApprovalAnswer::No) => EventOutcome::Declined,
            Some(_) => EventOutcome::Unasked { id: None },
            // Nobody would make the call again.
            None if !waits() => EventOutcome::Unanswered { id: None },
            None => {
                let put = |shelf: PersistentQuestions| {
                    shelf.store_isolated(self.queue.run(), &question, session).ok()
                };
                let id = shelf.and_then(put);
                match self.queue.can_ask() {
                    true => EventOutcome::Unanswered { id },
                    false => EventOutcome::Unasked { id },
                }
            }
        }
    }

    /// What a person said before anybody asked.
    fn given(&self, open: &OpenQuestion, session: &str) -> Option<ApprovalAnswer> {
        let run = self.queue.run();
        // A session from inside is none of those outside, whatever it is called.
        let session = match session {
            "" => String::new(),
            session => format!("{session} in run {}", run.pid),
        };
        slips().ok()?.take(open.asked.as_deref()?, &session, Some(Path::new(&run.directory)))
    }
}

/// Decides what an event asks for, as the hook does.
fn judge(handed: &ForwardedEvent, policies: &[PathBuf]) -> Result<Judged, String> {
    let agent: Agent = handed.agent.parse().map_err(|error| format!("{error}"))?;
    let variable = |name: &str| {
        handed.variables.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone())
    };
    let mut event = agent.read(&handed.event, &variable).map_err(|error| error.to_string())?;
    if event.project == AgentProject::HooksOwn {
        event.project = AgentProject::Named(handed.directory.clone());
    }
    event.cwd.get_or_insert_with(|| handed.directory.clone());
    event.prompt = ringfence_hooks::AgentPrompt::Unknown;
    let place = Place { cwd: event.cwd.as_deref(), project: &event.project };
    let guard = open_hook(policies, &place).map_err(|own| own.message)?;
    known::tell(&mut event, agent, guard.context().home.as_str());
    let considered = judge_event(&guard, agent, &event);
    Ok(Judged { agent, event, considered })
}
