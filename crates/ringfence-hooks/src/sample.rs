//! Sample events for testing an installed hook (`ringfence doctor`), and the meaning of its
//! replies.

use serde_json::{Value, json};

use crate::agent::Agent;
use crate::answer::{HookAnswer, HookReply};

/// The session ID of sample events. It shows that no agent made the call.
pub const SAMPLE_SESSION: &str = "ringfence-doctor";

/// What a hook's reply to a sample event means to the agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SampleVerdict {
    /// The agent would run the call.
    Passed,
    /// The agent would not run the call.
    Blocked,
    /// The reply has no defined meaning for the agent.
    Unclear,
}

impl Agent {
    /// Returns an event of this agent that runs `line` in a shell in `directory`.
    pub fn sample(self, line: &str, directory: &str) -> String {
        let input = json!({ "command": line });
        let event = match self {
            Agent::ClaudeCode | Agent::Codex => json!({
                "hook_event_name": "PreToolUse", "session_id": SAMPLE_SESSION, "cwd": directory,
                "permission_mode": "default", "tool_name": "Bash", "tool_input": input,
            }),
            Agent::Gemini => json!({
                "hook_event_name": "BeforeTool", "session_id": SAMPLE_SESSION, "cwd": directory,
                "tool_name": "run_shell_command", "tool_input": input,
            }),
            Agent::Opencode | Agent::Openclaw => json!({
                "tool": "bash", "args": input, "directory": directory, "project": directory,
                "session": SAMPLE_SESSION,
            }),
            Agent::Copilot => json!({
                "sessionId": SAMPLE_SESSION, "cwd": directory, "toolName": "bash", "toolArgs": input,
            }),
            Agent::Hermes => json!({
                "hook_event_name": "pre_tool_call", "session_id": SAMPLE_SESSION, "cwd": directory,
                "tool_name": "terminal", "tool_input": input,
            }),
            Agent::Cursor => json!({
                "hook_event_name": "beforeShellExecution", "conversation_id": SAMPLE_SESSION,
                "workspace_roots": [directory], "cwd": directory, "command": line,
            }),
            Agent::Windsurf => json!({
                "agent_action_name": "pre_run_command", "trajectory_id": SAMPLE_SESSION,
                "tool_info": { "command_line": line, "cwd": directory },
            }),
            Agent::Cline => json!({
                "hookName": "PreToolUse", "taskId": SAMPLE_SESSION, "workspaceRoots": [directory],
                "preToolUse": { "toolName": "execute_command", "parameters": input },
            }),
            Agent::Kiro => json!({
                "hook_event_name": "preToolUse", "session_id": SAMPLE_SESSION, "cwd": directory,
                "tool_name": "execute_bash", "tool_input": input,
            }),
            Agent::Goose => json!({
                "event": "PreToolUse", "session_id": SAMPLE_SESSION, "working_dir": directory,
                "tool_name": "developer__shell", "tool_input": input,
            }),
        };
        event.to_string()
    }

    /// Returns what the reply `said` to the event `sample` means to this agent.
    pub fn interpret_reply(self, sample: &str, said: &HookReply) -> SampleVerdict {
        const REASON: &str = "\u{1}the reason, whatever it is";
        let no = self.block(REASON);
        if said.status == no.status && same(&no.stdout, &said.stdout, REASON) {
            // With an empty stdout, only a status other than 0 means "no".
            let speaks = !no.stdout.is_empty() || no.status != 0;
            return if speaks { SampleVerdict::Blocked } else { SampleVerdict::Unclear };
        }
        let Ok(event) = self.read(sample, &|_| None) else { return SampleVerdict::Unclear };
        let passes = [HookAnswer::Allow, HookAnswer::NoOpinion].map(|own| self.reply(&event, &own));
        let passes =
            passes.iter().any(|own| own.status == said.status && own.stdout == said.stdout);
        if passes { SampleVerdict::Passed } else { SampleVerdict::Unclear }
    }
}

/// Compares two JSON texts; where `expected` has `reason`, any string is equal.
fn same(expected: &str, said: &str, reason: &str) -> bool {
    if expected.is_empty() {
        return said.trim().is_empty();
    }
    let parse = |text: &str| serde_json::from_str::<Value>(text).ok();
    parse(expected).zip(parse(said)).is_some_and(|(one, other)| alike(&one, &other, reason))
}

fn alike(expected: &Value, said: &Value, reason: &str) -> bool {
    match (expected, said) {
        (Value::String(own), Value::String(_)) if own == reason => true,
        (Value::Object(own), Value::Object(other)) => {
            own.len() == other.len()
                && own.iter().all(|(key, value)| {
                    other.get(key).is_some_and(|said| alike(value, said, reason))
                })
        }
        (own, other) => own == other,
    }
}
