//! The hook protocols of coding agents: turns an agent's event into the hook's answer.

pub use ringfence_hooks::{Agent, HookReply};
use ringfence_hooks::{
    HookAnswer, HookOutcome, QuestionOutcome, call_of, catch_panic, judge_event, settle_question,
};

use crate::guard::Guard;

/// Answers one event of an agent's hook, given as the text that the agent sends.
///
/// Every error becomes a refusal in the agent's protocol. So does a question for a person, unless the
/// agent itself asks it.
///
/// ```
/// use ringfence::Guard;
/// use ringfence::hooks::{Agent, answer};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let project = tempfile::tempdir()?;
/// let guard = Guard::from_toml("allow = [\"cmd:git:*\"]", project.path())?;
/// let agent: Agent = "claude-code".parse()?;
/// let event = r#"{"hook_event_name": "PreToolUse", "tool_name": "Bash", "cwd": "/",
///                 "tool_input": {"command": "rm -rf ~"}, "permission_mode": "default"}"#;
/// assert!(answer(&guard, agent, event).stdout.contains(r#""permissionDecision":"deny""#));
/// # Ok(())
/// # }
/// ```
pub fn answer(guard: &Guard, agent: Agent, event: &str) -> HookReply {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let read = match agent.read(event, &variable) {
        Ok(read) => read,
        Err(error) => return blocked(agent, &error.to_string()),
    };
    let considered = catch_panic(|| judge_event(guard.inner(), agent, &read));
    let refusal = match considered {
        Err(reason) => return blocked(agent, &reason),
        Ok(HookOutcome::Answered(answer)) => return agent.reply(&read, &answer),
        Ok(HookOutcome::Refused(refusal)) => refusal,
        Ok(HookOutcome::Open(open)) => {
            match settle_question(*open, QuestionOutcome::Unasked(None)) {
                Err(refusal) => refusal,
                Ok(()) => {
                    let tool_name = call_of(agent, &read).tool_name();
                    return blocked(agent, &format!("nobody can be asked about `{tool_name}`"));
                }
            }
        }
    };
    agent.reply(&read, &HookAnswer::from(&*refusal))
}

fn blocked(agent: Agent, reason: &str) -> HookReply {
    agent.block(&ringfence_guard::Refusal::failed(reason).to_json().to_string())
}
