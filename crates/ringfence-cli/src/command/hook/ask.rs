//! The questions of a hook: to the run outside, where it is in one, else in the user's own state.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ringfence_exec::queue::hook_channel::{self, EventOutcome, ForwardedEvent};
use ringfence_exec::queue::{RunInfo, fingerprints};
use ringfence_exec::{ApprovalAnswer as Said, ApprovalQuestion};
use ringfence_guard::Refusal;
use ringfence_guard::world::RealHost;
use ringfence_hooks::{
    Agent, HookEvent, OpenQuestion, QuestionOutcome, SAMPLE_SESSION, settle_question,
};

use super::variable;
use crate::asking::{policy, shelf};
use crate::door::surroundings;
use crate::site::called;

/// How long the run outside may take where nobody is asked.
const AT_ONCE: Duration = Duration::from_secs(2);

/// Who asks.
pub(super) struct Asker<'a> {
    pub(super) agent: Agent,
    pub(super) policies: &'a [PathBuf],
    /// The event as the agent sent it.
    pub(super) text: &'a str,
    pub(super) event: &'a HookEvent,
}

/// Asks a person, as long as the agent has patience; an error is what the agent is told then.
pub(super) fn ask(asker: &Asker<'_>, open: OpenQuestion) -> Result<(), Box<Refusal>> {
    let patience = asker.agent.answer_timeout();
    let wait = open.wait.map_or(patience, Duration::from_secs).min(patience);
    if let Some(outcome) = asker.hand_over(wait) {
        return settle_question(open, settled(outcome));
    }
    let question = question(asker.agent, &open);
    let settled = match put(asker, &question, wait) {
        // What the call reads may have changed while the question waited.
        QuestionOutcome::Agreed if exact(&open) != question.exact => QuestionOutcome::Unasked(None),
        settled => settled,
    };
    settle_question(open, settled)
}

/// The question that a call puts, wherever it is put.
pub(super) fn question(agent: Agent, open: &OpenQuestion) -> ApprovalQuestion {
    ApprovalQuestion {
        what: open.what.clone(),
        pattern: open.pattern.clone(),
        exact_pattern: open.exact_pattern.clone(),
        program: agent.name().to_owned(),
        why: open.why.clone(),
        exact: exact(open),
        deed: None,
        refusal: None,
    }
}

/// What an answer is bound to.
pub(super) fn exact(open: &OpenQuestion) -> String {
    format!("{}\n{}", open.exact, fingerprints(&open.files))
}

fn settled(outcome: EventOutcome) -> QuestionOutcome {
    match outcome {
        EventOutcome::Agreed => QuestionOutcome::Agreed,
        EventOutcome::Declined => QuestionOutcome::Declined,
        EventOutcome::Unanswered { id } => QuestionOutcome::Unanswered(id),
        EventOutcome::Unasked { id } => QuestionOutcome::Unasked(id),
    }
}

/// Puts a question where a person finds it, and waits.
fn put(asker: &Asker<'_>, question: &ApprovalQuestion, wait: Duration) -> QuestionOutcome {
    let of = |said: Said| {
        if said.is_yes() { QuestionOutcome::Agreed } else { QuestionOutcome::Declined }
    };
    let Asker { agent, policies, event, .. } = asker;
    let session = event.session.as_deref().unwrap_or_default();
    let (Ok(shelf), Ok(policy)) = (shelf(), policy(policies)) else {
        return QuestionOutcome::Unasked(None);
    };
    if let Some(said) = shelf.earlier_answer(question, session) {
        return of(said);
    }
    let directory = event.cwd.clone().unwrap_or_default();
    let run =
        RunInfo { pid: std::process::id(), command: agent.name().to_owned(), directory, policy };
    let Ok(held) = shelf.store_while_waiting(&run, question, session) else {
        return QuestionOutcome::Unasked(None);
    };
    match shelf.wait(question, session, wait) {
        Some(said) => of(said),
        None if wait.is_zero() => QuestionOutcome::Unasked(held.leave_pending().ok()),
        None => QuestionOutcome::Unanswered(held.leave_pending().ok()),
    }
}

impl Asker<'_> {
    /// Tells the run outside about an event of which it is to know, where there is one.
    pub(super) fn tell_outside(&self) {
        if self.event.session.as_deref() != Some(SAMPLE_SESSION) {
            let _ = self.hand_over(AT_ONCE);
        }
    }

    /// What the run outside says of the event; none where this is in no run.
    fn hand_over(&self, wait: Duration) -> Option<EventOutcome> {
        if !called::may_be_in_run() {
            return None;
        }
        let seen = RefCell::new(Vec::new());
        let watched = |name: &str| {
            let value = variable(name)?;
            seen.borrow_mut().push((name.to_owned(), value.clone()));
            Some(value)
        };
        self.agent.read(self.text, &watched).ok()?;
        let handed = ForwardedEvent {
            agent: self.agent.name().to_owned(),
            event: self.text.to_owned(),
            variables: seen.into_inner(),
            directory: std::env::current_dir().ok()?.to_str()?.to_owned(),
        };
        hook_channel::hand_over(&state()?, &handed, wait)
    }
}

/// Whether this is in a run that takes the events of hooks.
pub(super) fn is_in_run() -> bool {
    called::may_be_in_run() && state().is_some_and(|state| hook_channel::is_there(&state))
}

fn state() -> Option<PathBuf> {
    let places = surroundings(&RealHost::new()).ok()?.places().ok()?;
    Some(Path::new(places.state_dir.as_str()).to_owned())
}
