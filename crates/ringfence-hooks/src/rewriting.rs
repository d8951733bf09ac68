//! Shell calls that an agent lets its hook rewrite.
//!
//! Each agent has a row with the name of its shell tool, where its event has the arguments, and how its
//! answer names the changed ones. Sources and versions are named in `agents/`. Nothing is decided here.

use ringfence_guard::{Action, strict_json};
use serde_json::{Value, json};

use crate::agent::Agent;
use crate::answer::HookReply;
use crate::event::{HookEvent, HookStage};

/// The arguments of a shell call that are judged here. A call with any other that says where or how the
/// command runs is left as it is.
const UNDERSTOOD: [&str; 8] = [
    "command",
    "description",
    "timeout",
    "run_in_background",
    "is_background",
    "dangerouslyDisableSandbox",
    "initial_wait",
    "mode",
];

/// How an agent's shell call is rewritten.
struct Form {
    /// The name of the tool that runs a line in bash.
    tool: &'static str,
    /// The event's key for the arguments.
    arguments: &'static str,
    /// Whether the agent goes on in the directory in which its last command ended.
    keeps_directory: bool,
}

/// A shell call that can be rewritten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellCall {
    /// The text that the agent's shell would run.
    pub line: String,
    /// Whether the agent goes on in the directory in which the command ends.
    pub keeps_directory: bool,
    arguments: Value,
}

impl Agent {
    fn form(self) -> Option<Form> {
        let form = |tool, arguments, keeps_directory| Form { tool, arguments, keeps_directory };
        match self {
            Agent::ClaudeCode => Some(form("Bash", "tool_input", true)),
            Agent::Codex => Some(form("Bash", "tool_input", false)),
            Agent::Gemini => Some(form("run_shell_command", "tool_input", false)),
            Agent::Opencode => Some(form("bash", "args", false)),
            Agent::Copilot => Some(form("bash", "toolArgs", true)),
            _ => None,
        }
    }

    /// Returns whether hooks of this agent can rewrite a shell call.
    pub fn can_rewrite(self) -> bool {
        self.form().is_some()
    }

    /// Returns the shell call of an event if the agent lets its hook rewrite it. `text` is the event as
    /// the agent sent it.
    pub fn shell_call(self, event: &HookEvent, text: &str) -> Option<ShellCall> {
        let form = self.form()?;
        let Action::Tool { name, input } = &event.action else { return None };
        if event.stage != HookStage::BeforeTool || name != form.tool {
            return None;
        }
        let mut arguments = strict_json::read(text).ok()?.get(form.arguments)?.clone();
        if let Value::String(inner) = &arguments {
            arguments = strict_json::read(inner).ok()?;
        }
        let line = arguments.get("command")?.as_str()?.to_owned();
        // The text that was judged is the one that runs.
        let is_judged = input.get("command").and_then(Value::as_str) == Some(&line);
        let is_plain = arguments.as_object()?.keys().all(|key| UNDERSTOOD.contains(&&**key));
        // A shell in which something runs already is not the one that is looked at here.
        let is_new = arguments.get("mode").is_none_or(|mode| mode == "sync");
        (is_judged && is_plain && is_new && !line.trim().is_empty() && !line.contains('\0'))
            .then_some(ShellCall { line, keeps_directory: form.keeps_directory, arguments })
    }

    /// Formats "allow" with another line in the place of the one that the agent announced.
    pub fn reply_rewritten(self, call: &ShellCall, line: &str) -> Option<HookReply> {
        let mut arguments = call.arguments.clone();
        arguments.as_object_mut()?.insert("command".to_owned(), line.into());
        let reason = "the ringfence policy grants it in the fence";
        let reply = match self {
            Agent::ClaudeCode | Agent::Codex => json!({ "hookSpecificOutput": {
                "hookEventName": "PreToolUse",
                "permissionDecision": "allow",
                "permissionDecisionReason": reason,
                "updatedInput": arguments,
            }}),
            Agent::Gemini => json!({ "decision": "allow", "hookSpecificOutput": {
                "hookEventName": "BeforeTool",
                "tool_input": arguments,
            }}),
            Agent::Copilot => json!({ "permissionDecision": "allow", "modifiedArgs": arguments }),
            Agent::Opencode => json!({ "action": "allow", "args": { "command": line } }),
            _ => return None,
        };
        Some(HookReply::json(&reply))
    }
}

/// Returns the line by which an agent's shell redeems a ticket. `ticket` and `label` have no character
/// that a shell finds special.
///
/// The program writes to descriptor 3 in which directory the command ended. That text is an operand of
/// `cd` and never evaluated. The exit status is the command's.
pub fn redeeming_line(program: &str, ticket: &str, label: &str, keeps_directory: bool) -> String {
    let redeem = crate::setup::redeem(program, ticket, label);
    match keeps_directory {
        false => redeem,
        true => format!(
            "{{ ringfence_cwd=$({redeem} 3>&1 >&4 4>&-); }} 4>&1; ringfence_status=$?; \
             [ -z \"$ringfence_cwd\" ] || cd -- \"$ringfence_cwd\"; (exit $ringfence_status)"
        ),
    }
}

#[cfg(test)]
#[path = "rewriting_tests.rs"]
mod tests;
