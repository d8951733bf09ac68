//! The hook protocols of coding agents: an event of the agent in, its answer out.

pub use ringfence_hooks::{Agent, Reply};
use ringfence_hooks::{Answer, Considered, Settled, call_of, caught, consider, settle};

use crate::guard::Guard;

/// Answers one event of an agent's hook, given as the text that the agent sends. Whatever goes wrong
/// is a refusal in the agent's own words, and so is a question that a person would have to answer and
/// that the agent does not ask itself.
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
pub fn answer(guard: &Guard, agent: Agent, event: &str) -> Reply {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let read = match agent.read(event, &variable) {
        Ok(read) => read,
        Err(error) => return blocked(agent, &error.to_string()),
    };
    let considered = caught(|| consider(guard.inner(), agent, &read));
    let refusal = match considered {
        Err(reason) => return blocked(agent, &reason),
        Ok(Considered::Answered(answer)) => return agent.reply(&read, &answer),
        Ok(Considered::Refused(refusal)) => refusal,
        Ok(Considered::Open(open)) => match settle(*open, Settled::Unanswered(None)) {
            Err(refusal) => refusal,
            Ok(()) => {
                let tool_name = call_of(agent, &read).tool_name();
                return blocked(agent, &format!("nobody can be asked about `{tool_name}`"));
            }
        },
    };
    agent.reply(&read, &Answer::from(&*refusal))
}

fn blocked(agent: Agent, reason: &str) -> Reply {
    agent.block(&ringfence_guard::Refusal::failed(reason).to_json().to_string())
}
