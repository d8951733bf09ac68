//! Refusals: what the agent, or a person, reads instead.

use ringfence_core::access::{FileAccess, FileOp};
use ringfence_core::{Access, AccessKind, Class, Effect, Ground};
use serde_json::{Map, Value};

use crate::call::Call;
use crate::describe::{describe, pattern_for};
use crate::guard::Judgement;
use crate::quote::shell_word;
use crate::redact::{redact, visible};

/// What is read instead of a call's result: one form for every door.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// What happened, in one sentence.
    pub error: String,
    /// The same for machines.
    pub code: Code,
    /// The tool that was called.
    pub tool_name: String,
    /// The path that was refused, where it was a path.
    pub path: Option<String>,
    /// The paths that are granted, as they were written, unless the policy hides them.
    pub allowed_paths: Vec<String>,
    /// The rule that decided, and where it stands.
    pub rule: Option<String>,
    /// The ground of the decision, in words.
    pub ground: String,
    /// Why the rule is there.
    pub why: Option<String>,
    /// What to do instead.
    pub hint: String,
    /// Whether trying again can help.
    pub retry: Retry,
    /// What was refused, in words.
    pub what: String,
    /// The pattern that would grant it, where a grant would help.
    pub would_grant: Option<String>,
    /// The name under which a question to a person waits.
    pub approval: Option<String>,
}

/// Why a call was refused, for machines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// Nothing grants it, by class.
    NotGranted(Class),
    /// A rule denies it.
    Denied,
    /// It is on the danger list.
    Dangerous,
    /// ringfence protects it.
    Protected,
    /// It could not be read with certainty.
    Unreadable,
    /// A person would have to be asked.
    ApprovalRequired,
    /// A person was asked, and said no.
    Declined,
    /// It could not be judged.
    Failed,
}

impl Code {
    /// The word for this code in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Code::NotGranted(Class::Exec) => "command_not_granted",
            Code::NotGranted(Class::Files) => "path_not_granted",
            Code::NotGranted(Class::Net) => "host_not_granted",
            Code::NotGranted(Class::Socket) => "socket_not_granted",
            Code::NotGranted(Class::Env) => "variable_not_granted",
            Code::NotGranted(Class::Tool) => "tool_not_granted",
            Code::NotGranted(Class::Keychain) => "keychain_not_granted",
            Code::Denied => "denied",
            Code::Dangerous => "dangerous",
            Code::Protected => "protected",
            Code::Unreadable => "unreadable",
            Code::ApprovalRequired => "approval_required",
            Code::Declined => "declined",
            Code::Failed => "failed",
        }
    }

    /// The code of a ground that did not allow.
    pub fn of(ground: &Ground) -> Code {
        match ground {
            Ground::Doubt(doubt) if doubt.effect == Effect::Ask => Code::ApprovalRequired,
            Ground::Doubt(_) => Code::Unreadable,
            ground if ground.effect() == Effect::Ask => Code::ApprovalRequired,
            Ground::Rule(_) => Code::Denied,
            Ground::Danger(_) => Code::Dangerous,
            Ground::Protected(_) => Code::Protected,
            Ground::NotGranted { class, .. } | Ground::Ceiling { class, .. } => {
                Code::NotGranted(*class)
            }
            Ground::NoProject => Code::NotGranted(Class::Keychain),
            Ground::Covered(class) => Code::NotGranted(*class),
            Ground::KnownTool => Code::NotGranted(Class::Tool),
        }
    }
}

/// Whether trying again can help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// It will be refused again.
    Never,
    /// Another call may pass.
    IfChanged,
    /// The same call may pass once a person has agreed.
    AfterApproval,
}

impl Retry {
    /// The word for this in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Retry::Never => "never",
            Retry::IfChanged => "if_changed",
            Retry::AfterApproval => "after_approval",
        }
    }
}

impl Refusal {
    /// The refusal of a call that did not pass.
    pub fn new(call: &Call, judgement: &Judgement) -> Refusal {
        let tool_name = visible(&call.tool_name()).into_owned();
        let strictest = judgement.verdict.effect;
        let part = judgement.parts().find(|part| part.verdict.effect == strictest);
        let ground = match part {
            Some(part) => part.verdict.decisive().next(),
            None => judgement.verdict.decisive().next(),
        };
        let code = ground.map_or(Code::Unreadable, Code::of);
        let access = part.map(|part| part.access);
        let file = access.and_then(|access| match &access.what {
            AccessKind::File(file) => Some(file),
            _ => None,
        });
        let reveal = judgement.policy.settings().reveal_roots.unwrap_or(true);
        Refusal {
            error: error_text(code, ground),
            code,
            tool_name,
            path: file.map(|file| visible(&redact(file.path.asked.as_str())).into_owned()),
            allowed_paths: allowed_paths(judgement, access, file, reveal),
            rule: ground.and_then(rule_text),
            ground: ground
                .map_or_else(String::new, |own| visible(&redact(&own.to_string())).into()),
            why: ground
                .and_then(Ground::rule)
                .and_then(|rule| rule.note.why.as_deref().map(Into::into)),
            hint: hint(code).to_owned(),
            retry: retry(code),
            what: match access {
                Some(access) => describe(&access.what),
                None => tool_call_text(call),
            },
            would_grant: access.filter(|_| grantable(code)).and_then(|a| pattern_for(&a.what)),
            approval: None,
        }
    }

    /// The refusal of whatever could not be judged at all, for this reason.
    pub fn failed(reason: &str) -> Refusal {
        let error = format!("Tool call rejected: {}", visible(&redact(reason)));
        Refusal { error, ..Refusal::of(Code::Failed, "unknown", reason) }
    }

    /// The refusal of a tool that a person has to look at first, for this reason.
    pub fn unseen(tool_name: &str, reason: &str, hint: String) -> Refusal {
        let refusal = Refusal::of(Code::ApprovalRequired, tool_name, reason);
        Refusal { why: Some(refusal.ground.clone()), hint, ..refusal }
    }

    /// The refusal of a line that would leave its agent in another directory, of which nobody is told.
    pub fn wandering(tool_name: &str) -> Refusal {
        let reason = "the next call would begin in another directory, and would not say so";
        let refusal = Refusal::of(Code::Unreadable, tool_name, reason);
        let hint =
            "Work elsewhere within a subshell, `(cd DIR && COMMAND)`, or name paths in full.";
        let why = Some(refusal.ground.clone());
        Refusal {
            what: "change directory for good".to_owned(),
            why,
            hint: hint.to_owned(),
            ..refusal
        }
    }

    /// A refusal that no judgement led to.
    fn of(code: Code, tool_name: &str, reason: &str) -> Refusal {
        Refusal {
            error: error_text(code, None),
            code,
            tool_name: visible(tool_name).into_owned(),
            path: None,
            allowed_paths: Vec::new(),
            rule: None,
            ground: visible(&redact(reason)).into_owned(),
            why: None,
            hint: hint(code).to_owned(),
            retry: retry(code),
            what: "call a tool".to_owned(),
            would_grant: None,
            approval: None,
        }
    }

    /// Says that a person would have had to agree, and that nobody answered in time.
    pub fn was_unanswered(&mut self) {
        self.code = Code::ApprovalRequired;
        self.error =
            "Tool call rejected: approval required, and nobody answered in time".to_owned();
        self.retry = retry(self.code);
    }

    /// What came of the question to a person, in words; none where nobody was asked.
    pub fn said(&self) -> Option<&'static str> {
        match self.code {
            Code::Declined => Some("a person said no"),
            Code::ApprovalRequired => Some("nobody answered in time"),
            _ => None,
        }
    }

    /// Says that the question waits for a person under this name.
    pub fn waits_as(&mut self, id: String) {
        self.hint = format!(
            "Ask the user to run `ringfence approve {id}` in a terminal, then make the same call again."
        );
        self.approval = Some(id);
    }

    /// Says that a person was asked, and said no.
    pub fn was_declined(&mut self) {
        self.code = Code::Declined;
        self.error = error_text(self.code, None);
        self.hint = hint(self.code).to_owned();
        self.retry = retry(self.code);
    }

    /// The envelope that every door hands to the agent.
    pub fn to_json(&self) -> Value {
        let mut fields = Map::new();
        let mut put = |key: &str, value: Value| {
            fields.insert(key.to_owned(), value);
        };
        put("error", self.error.clone().into());
        put("code", self.code.as_str().into());
        put("tool_name", self.tool_name.clone().into());
        if let Some(path) = &self.path {
            put("path", path.clone().into());
            put("allowed_paths", self.allowed_paths.clone().into());
        }
        if let Some(rule) = &self.rule {
            put("rule", rule.clone().into());
        }
        if let Some(why) = &self.why {
            put("why", why.clone().into());
        }
        put("hint", self.hint.clone().into());
        put("retry", self.retry.as_str().into());
        if let Some(approval) = &self.approval {
            put("approval", approval.clone().into());
        }
        Value::Object(fields)
    }

    /// What was to be done, and by which tool where that does not say so itself.
    pub fn deed(&self) -> String {
        match self.what.ends_with(&self.tool_name) {
            true => self.what.clone(),
            false => format!("{} ({})", self.what, self.tool_name),
        }
    }

    /// The lines that a person reads: at most six.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let verb = if self.code == Code::ApprovalRequired { "asks" } else { "refused" };
        let mut lines = vec![(verb, self.deed())];
        match &self.rule {
            Some(rule) => lines.push(("rule", rule.clone())),
            None => lines.push(("rule", self.ground.clone())),
        }
        if let Some(why) = &self.why {
            lines.push(("why", why.clone()));
        }
        if !self.allowed_paths.is_empty() {
            const SHOWN: usize = 6;
            let mut nearest = self.allowed_paths.iter().take(SHOWN).cloned().collect::<Vec<_>>();
            if self.allowed_paths.len() > SHOWN {
                nearest.push("…".to_owned());
            }
            lines.push(("nearest", nearest.join("  ")));
        }
        lines.push(match &self.would_grant {
            Some(pattern) => ("allow", format!("ringfence allow {}", shell_word(pattern))),
            None => ("hint", self.hint.clone()),
        });
        lines
    }
}

fn error_text(code: Code, ground: Option<&Ground>) -> String {
    match (code, ground) {
        (Code::Dangerous, _) => "Dangerous capability requires allow.danger".to_owned(),
        (Code::NotGranted(Class::Files), _) => {
            "Tool call rejected: path outside allowed scope".to_owned()
        }
        (Code::NotGranted(class), _) => format!("Tool call rejected: no grant in class {class}"),
        (Code::Denied, _) => "Tool call rejected: denied by policy".to_owned(),
        (Code::Protected, _) => "Tool call rejected: always protected".to_owned(),
        (Code::ApprovalRequired, _) => "Tool call rejected: approval required".to_owned(),
        (Code::Declined, _) => "Tool call rejected: the user said no".to_owned(),
        (Code::Failed, _) => "Tool call rejected: it could not be judged".to_owned(),
        (Code::Unreadable, Some(ground)) => {
            format!("Tool call rejected: {}", visible(&redact(&ground.to_string())))
        }
        (Code::Unreadable, None) => "Tool call rejected".to_owned(),
    }
}

fn hint(code: Code) -> &'static str {
    match code {
        Code::NotGranted(Class::Files) => {
            "Try a path under one of the allowed roots, or ask the user."
        }
        Code::NotGranted(_) => "Use what is granted, or ask the user to grant this.",
        Code::Denied | Code::Protected => "This will not be allowed; find another way.",
        Code::Dangerous => "Only a person can opt in to this; find another way, or ask the user.",
        Code::Unreadable => "Write the call plainly, so that it can be read with certainty.",
        Code::ApprovalRequired => "Ask the user to approve this.",
        Code::Declined => "Find another way, or ask the user what they want instead.",
        Code::Failed => "Nothing is allowed until this is repaired; tell the user.",
    }
}

fn retry(code: Code) -> Retry {
    match code {
        Code::NotGranted(_) | Code::Unreadable => Retry::IfChanged,
        Code::Denied | Code::Dangerous | Code::Protected | Code::Declined => Retry::Never,
        Code::Failed => Retry::IfChanged,
        Code::ApprovalRequired => Retry::AfterApproval,
    }
}

fn grantable(code: Code) -> bool {
    matches!(code, Code::NotGranted(_) | Code::ApprovalRequired)
}

fn rule_text(ground: &Ground) -> Option<String> {
    let rule = ground.rule()?;
    let text = match ground {
        Ground::Danger(_) => format!("danger `{}` ({})", rule.pattern, rule.origin),
        Ground::Protected(_) => format!("protected `{}` ({})", rule.pattern, rule.origin),
        _ => format!("{} `{}` ({})", rule.effect, rule.pattern, rule.origin),
    };
    Some(visible(&text).into_owned())
}

fn allowed_paths(
    judgement: &Judgement,
    access: Option<&Access>,
    file: Option<&FileAccess>,
    reveal: bool,
) -> Vec<String> {
    match (access, file) {
        (Some(access), Some(file)) if reveal => judgement.policy.granted_paths(access, file.op),
        (Some(access), None) if reveal && access.class() == Class::Files => {
            judgement.policy.granted_paths(access, FileOp::Read)
        }
        _ => Vec::new(),
    }
}

fn tool_call_text(call: &Call) -> String {
    use crate::call::Action;
    let text = match &call.action {
        Action::Line { line, .. } => format!("run `{line}`"),
        Action::Argv { argv, .. } => format!("run `{}`", argv.join(" ")),
        _ => format!("call {}", call.tool_name()),
    };
    const LONGEST: usize = 200;
    let short: String = text.chars().take(LONGEST).collect();
    visible(&redact(&short)).into_owned()
}
