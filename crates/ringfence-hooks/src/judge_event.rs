//! Judges an agent's event: asks the guard, and turns its verdict into an answer, a refusal or a
//! question.

use ringfence_core::{AccessKind, Effect, Ground, UnlistedCalls};
use ringfence_guard::redact::redact;
use ringfence_guard::{
    Call, Guard, Judgement, Refusal, describe, exact_access_text, exact_pattern_for, pattern_for,
};

use crate::agent::Agent;
use crate::answer::HookAnswer;
use crate::event::{AgentPrompt, HookEvent, HookStage};

/// The outcome of judging an event.
#[derive(Debug)]
pub enum HookOutcome {
    /// The agent can be answered now.
    Answered(HookAnswer),
    /// The call is refused.
    Refused(Box<Refusal>),
    /// A person must be asked first.
    Open(Box<OpenQuestion>),
}

/// A question that a person must answer before the call may run.
#[derive(Debug)]
pub struct OpenQuestion {
    /// What the call would do, in words for a person.
    pub what: String,
    /// The rule or reason that requires the question.
    pub why: String,
    /// The pattern of a rule that would make the question unnecessary, if there is one.
    pub pattern: Option<String>,
    /// The pattern of exactly this access, if one access is asked about and a pattern can express it.
    pub exact_pattern: Option<String>,
    /// The exact call, to which an approval is bound.
    pub exact: String,
    /// The files that the call reads. An approval is bound to their content too.
    pub files: Vec<String>,
    /// Grant patterns for everything that needs approval; `None` if a doubt requires the question.
    pub asked: Option<Vec<String>>,
    /// Exact patterns for everything that needs approval; `None` if a part has no pattern.
    pub exact_accesses: Option<Vec<String>>,
    /// How many seconds a person has to answer, if the policy sets a limit.
    pub wait: Option<u64>,
    refusal: Refusal,
}

/// Judges the call that an event asks about.
pub fn judge_event(guard: &Guard, agent: Agent, event: &HookEvent) -> HookOutcome {
    judge_event_unless(guard, agent, event, |_| false)
}

/// Judges the call that an event asks about, with approvals given beforehand.
///
/// If the call needs approval, `agreed` gets the grant patterns of everything that needs it. If
/// `agreed` returns true, the call is allowed and nobody is asked.
pub fn judge_event_unless(
    guard: &Guard,
    agent: Agent,
    event: &HookEvent,
    agreed: impl FnOnce(&[String]) -> bool,
) -> HookOutcome {
    let call = call_of(agent, event);
    if let Some(tool_name) = agent.moves_cwd(guard, &call) {
        return HookOutcome::Refused(Box::new(Refusal::cwd_change(tool_name)));
    }
    let judgement = guard.consider(&call);
    let answer = match judgement.verdict.effect {
        Effect::Allow => HookAnswer::Allow,
        // In observe mode the agent's own behaviour does not change.
        _ if judgement.is_observed() => HookAnswer::NoOpinion,
        Effect::Deny => return HookOutcome::Refused(Box::new(Refusal::new(&call, &judgement))),
        Effect::Ask => return ask(&call, &judgement, event, agreed),
    };
    HookOutcome::Answered(answer)
}

fn ask(
    call: &Call,
    judgement: &Judgement,
    event: &HookEvent,
    agreed: impl FnOnce(&[String]) -> bool,
) -> HookOutcome {
    let refusal = Refusal::new(call, judgement);
    let hooks = judgement.policy.settings().hooks;
    let leaves_it = hooks.unlisted == Some(UnlistedCalls::Agent) && is_by_default(judgement);
    // The agent's prompt that follows asks the person; the hook has judged the call before.
    if leaves_it || event.stage == HookStage::BeforePrompt {
        return HookOutcome::Answered(HookAnswer::NoOpinion);
    }
    let asked = asked_about(judgement, pattern_for);
    if asked.as_deref().is_some_and(agreed) {
        return HookOutcome::Answered(HookAnswer::Allow);
    }
    if event.prompt == AgentPrompt::Appears {
        return HookOutcome::Answered(HookAnswer::Prompt(in_words(&refusal)));
    }
    let mut parts = judgement.parts().filter(|part| part.verdict.effect == Effect::Ask);
    let what: Vec<String> = parts.clone().map(|part| describe(&part.access.what)).collect();
    let only = parts.next().filter(|_| parts.next().is_none() && judgement.doubts.is_empty());
    let single = only.is_some();
    let exact_pattern = only.and_then(|part| exact_pattern_for(&part.access.what));
    HookOutcome::Open(Box::new(OpenQuestion {
        what: if what.is_empty() { refusal.what.clone() } else { what.join(", and ") },
        why: refusal.rule.clone().unwrap_or_else(|| refusal.ground.clone()),
        // No pattern is offered if an ask rule would ask again, or if the pattern contains a
        // secret.
        pattern: refusal
            .would_grant
            .clone()
            .filter(|own| single && refusal.rule.is_none() && redact(own) == *own),
        exact_pattern: exact_pattern.filter(|own| redact(own) == *own),
        exact: format!("{:?} {:?} {:?}", call.agent, call.cwd, call.action),
        files: read_files(judgement),
        asked,
        exact_accesses: asked_about(judgement, exact_access_text),
        wait: hooks.wait,
        refusal,
    }))
}

/// Returns a pattern for every access that needs approval; `None` if a doubt needs it, because no
/// pattern covers a doubt.
fn asked_about(
    judgement: &Judgement,
    pattern: impl Fn(&AccessKind) -> Option<String>,
) -> Option<Vec<String>> {
    if judgement.doubts.iter().any(|doubt| doubt.effect != Effect::Allow) {
        return None;
    }
    let asked = judgement.parts().filter(|part| part.verdict.effect == Effect::Ask);
    asked.map(|part| pattern(&part.access.what)).collect()
}

/// Returns the call that an event asks about.
pub fn call_of(agent: Agent, event: &HookEvent) -> Call {
    Call { agent: Some(agent.name().into()), cwd: event.cwd.clone(), action: event.action.clone() }
}

/// Returns whether the question comes only from the `default` setting, not from a rule or a doubt.
fn is_by_default(judgement: &Judgement) -> bool {
    let mut decisive = judgement.verdict.decisive();
    judgement.doubts.iter().all(|doubt| doubt.effect == Effect::Allow)
        && decisive.all(|ground| matches!(ground, Ground::NotGranted { .. }))
}

fn read_files(judgement: &Judgement) -> Vec<String> {
    use ringfence_core::access::FileOp;
    let files = judgement.parts().filter_map(|part| match &part.access.what {
        AccessKind::File(file) if file.op == FileOp::Read => {
            Some(file.path.real.as_str().to_owned())
        }
        AccessKind::Exec(exec) => exec.program.file.as_ref().map(|file| file.as_str().to_owned()),
        _ => None,
    });
    let mut files: Vec<String> = files.collect();
    files.sort();
    files.dedup();
    files
}

/// Formats the refusal as text for the agent's prompt.
fn in_words(refusal: &Refusal) -> String {
    let lines = refusal.lines();
    let lines: Vec<String> = lines.iter().map(|(word, text)| format!("{word}: {text}")).collect();
    format!("ringfence asks before this call runs\n{}", lines.join("\n"))
}

/// A person's answer to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuestionOutcome {
    /// A person agreed.
    Agreed,
    /// A person declined.
    Declined,
    /// Nobody answered in time. Contains the ID under which the question stays in the queue, if it does.
    Unanswered(Option<String>),
    /// Nobody could be asked. Contains the ID under which the question stays in the queue, if it
    /// does.
    Unasked(Option<String>),
}

/// Applies a person's answer to a question: `Ok` if the call may run, otherwise the refusal for the
/// agent.
pub fn settle_question(open: OpenQuestion, settled: QuestionOutcome) -> Result<(), Box<Refusal>> {
    let OpenQuestion { mut refusal, .. } = open;
    match settled {
        QuestionOutcome::Agreed => return Ok(()),
        QuestionOutcome::Declined => refusal.mark_declined(),
        QuestionOutcome::Unanswered(waits_as) => {
            refusal.mark_unanswered();
            waits_as.into_iter().for_each(|id| refusal.mark_pending(id));
        }
        QuestionOutcome::Unasked(waits_as) => {
            refusal.mark_unasked();
            waits_as.into_iter().for_each(|id| refusal.mark_pending(id));
        }
    }
    Err(Box::new(refusal))
}
