//! The events of hooks inside a run, as the run outside answers them.
//!
//! What is handed over is judged here, by the policies of the run, and asked about in words made
//! here. It must never take anything but an event from inside: no answer, no words of a question.

use std::path::PathBuf;
use std::sync::Arc;

use ringfence::core::Effect;
use ringfence::exec::diary::{At, Entry};
use ringfence::exec::queue::channel::{Channel, Handed, Outcome};
use ringfence::exec::queue::{Queue, Run};
use ringfence::exec::{Answer, Approver};
use ringfence::guard::{Action, Call, Guard};
use ringfence::hooks::{
    Agent, Considered, Event, LIMIT, Open, Project, call_of, consider, guarded,
};

use super::ask::{exact, question};
use crate::asking::{shelf, slips};
use crate::diary;
use crate::door::hook::{HookDoor, Place};
use crate::exit::Failure;
use crate::show;
use crate::site::Site;

/// The run outside.
struct Outside {
    queue: Arc<Queue>,
    run: Run,
    policies: Vec<PathBuf>,
}

/// Takes the events of hooks inside, where the policy lets a hook be started at all.
pub(crate) fn listen(
    guard: &Guard,
    queue: &Arc<Queue>,
    run: Run,
    policies: &[PathBuf],
) -> Result<Option<Channel>, Failure> {
    let argv = ["ringfence", "hook", "claude-code"].map(str::to_owned).to_vec();
    let hook = guard.consider(&Call::new(Action::Argv { argv, env: Vec::new() }));
    if hook.verdict.effect != Effect::Allow {
        return Ok(None);
    }
    let outside = Outside { queue: Arc::clone(queue), run, policies: policies.to_owned() };
    let answerer = Arc::new(move |handed: &Handed| outside.answer(handed));
    let state = Site::here()?.state().to_owned();
    match Channel::open(&state, answerer) {
        Ok(channel) => {
            queue.hears_hooks_at(channel.path());
            Ok(Some(channel))
        }
        Err(error) => {
            let place = state.display();
            show::say(&format!("note: questions of hooks inside are refused: {place}: {error}"));
            Ok(None)
        }
    }
}

/// An event, and what is to be asked about it.
struct Judged {
    agent: Agent,
    event: Event,
    considered: Considered,
}

impl Outside {
    fn answer(&self, handed: &Handed) -> Outcome {
        let nobody = Outcome::Unanswered { id: None };
        let (handed, policies) = (handed.clone(), self.policies.clone());
        let judged = guarded(LIMIT, move || judge(&handed, &policies));
        let Ok(Ok(Judged { agent, event, considered })) = judged else { return nobody };
        match considered {
            // The hook inside goes by other policies; a person agreed to nothing.
            Considered::Answered(_) => nobody,
            Considered::Refused(refusal) => {
                let directory = event.cwd.as_deref().unwrap_or_default();
                diary::note([Entry::of(&refusal, At::Hook, agent.name(), directory)]);
                nobody
            }
            Considered::Open(open) => self.ask(agent, &event, &open),
        }
    }

    /// Asks whoever the run asks; a yes holds at the gate too.
    fn ask(&self, agent: Agent, event: &Event, open: &Open) -> Outcome {
        let deeds = open.deeds.as_deref().unwrap_or_default();
        let session = event.session.as_deref().unwrap_or_default();
        if self.queue.agreed(deeds).is_some() {
            return Outcome::Agreed;
        }
        if let Some(given) = self.given(open, session) {
            self.queue.agree(deeds, given);
            return Outcome::Agreed;
        }
        let question = question(agent, open);
        let shelf = shelf().ok();
        let kept = || shelf.as_ref()?.given(&question, session);
        let said = kept().or_else(|| self.queue.answer(&question));
        match said {
            Some(said) if said.is_yes() && exact(open) == question.exact => {
                self.queue.agree(deeds, said);
                Outcome::Agreed
            }
            Some(Answer::No) => Outcome::Declined,
            Some(_) => Outcome::Unanswered { id: None },
            None => {
                let id = shelf.and_then(|shelf| shelf.put(&self.run, &question, session).ok());
                Outcome::Unanswered { id }
            }
        }
    }

    /// What a person said before anybody asked.
    fn given(&self, open: &Open, session: &str) -> Option<Answer> {
        let root = std::path::Path::new(&self.run.directory);
        slips().ok()?.take(open.asked.as_deref()?, session, Some(root))
    }
}

/// Decides what an event asks for, as the hook does.
fn judge(handed: &Handed, policies: &[PathBuf]) -> Result<Judged, String> {
    let agent: Agent = handed.agent.parse().map_err(|error| format!("{error}"))?;
    let variable = |name: &str| {
        handed.variables.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone())
    };
    let mut event = agent.read(&handed.event, &variable).map_err(|error| error.to_string())?;
    if event.project == Project::HooksOwn {
        event.project = Project::Named(handed.directory.clone());
    }
    event.cwd.get_or_insert_with(|| handed.directory.clone());
    event.prompt = ringfence::hooks::Prompt::Unknown;
    let place = Place { cwd: event.cwd.as_deref(), project: &event.project };
    let call = call_of(agent, &event);
    let door = HookDoor::open(policies, &call, &place).map_err(|own| own.message)?;
    let guard = door.guard(&call).map_err(|own| own.message)?;
    let considered = consider(&guard, agent, &event);
    Ok(Judged { agent, event, considered })
}
