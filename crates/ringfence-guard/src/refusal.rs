//! Refusals: what an agent or a person reads instead of a call's result.

use ringfence_core::access::{FileAccess, FileOp};
use ringfence_core::{Access, AccessKind, Class, Effect, Ground, HeldByFence};
use serde_json::{Map, Value};

use crate::call::Call;
use crate::describe::{describe, pattern_for};
use crate::doubt_hint;
use crate::guard::Judgement;
use crate::quote::shell_word;
use crate::redact::{redact, visible};

/// The refusal of a call. All doors use this one format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// What happened, in one sentence.
    pub error: String,
    /// The reason as a code for programs.
    pub code: RefusalCode,
    /// The name of the called tool.
    pub tool_name: String,
    /// The refused path, if a path was refused.
    pub path: Option<String>,
    /// The granted paths as written in the policy, unless the policy hides them.
    pub allowed_paths: Vec<String>,
    /// The rule that decided, and its location.
    pub rule: Option<String>,
    /// The ground of the decision, in words.
    pub ground: String,
    /// The `why` of the rule.
    pub why: Option<String>,
    /// What to do instead.
    pub hint: String,
    /// Whether trying again can help.
    pub retry: RetryAdvice,
    /// The refused action, in words.
    pub what: String,
    /// The pattern that would grant the action, if a grant would help.
    pub would_grant: Option<String>,
    /// The ID of the pending question to a person, if there is one.
    pub approval: Option<String>,
    /// Whether a person was asked and did not answer in time.
    pub unanswered: bool,
}

/// The reason of a refusal, as a code for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefusalCode {
    /// No rule grants an access of this class.
    NotGranted(Class),
    /// A rule denies it.
    Denied,
    /// It is on the danger list.
    Dangerous,
    /// The path is always protected.
    Protected,
    /// The call could not be read with certainty.
    Unreadable,
    /// A person must approve the call.
    ApprovalRequired,
    /// A person declined the call.
    Declined,
    /// An error prevented judging.
    Failed,
}

impl RefusalCode {
    /// Returns the code's name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            RefusalCode::NotGranted(Class::Exec) => "command_not_granted",
            RefusalCode::NotGranted(Class::Files) => "path_not_granted",
            RefusalCode::NotGranted(Class::Net) => "host_not_granted",
            RefusalCode::NotGranted(Class::Socket) => "socket_not_granted",
            RefusalCode::NotGranted(Class::Env) => "variable_not_granted",
            RefusalCode::NotGranted(Class::Tool) => "tool_not_granted",
            RefusalCode::NotGranted(Class::Keychain) => "keychain_not_granted",
            RefusalCode::Denied => "denied",
            RefusalCode::Dangerous => "dangerous",
            RefusalCode::Protected => "protected",
            RefusalCode::Unreadable => "unreadable",
            RefusalCode::ApprovalRequired => "approval_required",
            RefusalCode::Declined => "declined",
            RefusalCode::Failed => "failed",
        }
    }

    /// Returns the code for a ground that did not allow the call.
    pub fn of(ground: &Ground) -> RefusalCode {
        match ground {
            Ground::Doubt(doubt) if doubt.effect == Effect::Ask => RefusalCode::ApprovalRequired,
            Ground::Doubt(_) => RefusalCode::Unreadable,
            ground if ground.effect() == Effect::Ask => RefusalCode::ApprovalRequired,
            Ground::Rule(_) => RefusalCode::Denied,
            Ground::Danger(_) => RefusalCode::Dangerous,
            Ground::Protected(_) => RefusalCode::Protected,
            Ground::NotGranted { class, .. } | Ground::Ceiling { class, .. } => {
                RefusalCode::NotGranted(*class)
            }
            Ground::NoProject => RefusalCode::NotGranted(Class::Keychain),
            Ground::Covered(class) => RefusalCode::NotGranted(*class),
            Ground::KnownTool => RefusalCode::NotGranted(Class::Tool),
            Ground::HeldByFence(HeldByFence::Unlisted(class)) => RefusalCode::NotGranted(*class),
            Ground::HeldByFence(HeldByFence::Environment) => RefusalCode::NotGranted(Class::Env),
            Ground::HeldByFence(HeldByFence::OwnNetwork) => RefusalCode::NotGranted(Class::Net),
            Ground::HeldByFence(HeldByFence::Unread(_)) => RefusalCode::Unreadable,
        }
    }
}

/// Whether trying again can help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetryAdvice {
    /// The call will be refused again.
    Never,
    /// A changed call may pass.
    IfChanged,
    /// The same call may pass after a person approved it.
    AfterApproval,
}

impl RetryAdvice {
    /// Returns the name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            RetryAdvice::Never => "never",
            RetryAdvice::IfChanged => "if_changed",
            RetryAdvice::AfterApproval => "after_approval",
        }
    }
}

impl Refusal {
    /// Creates the refusal of a judged call.
    pub fn new(call: &Call, judgement: &Judgement) -> Refusal {
        let tool_name = visible(&call.tool_name()).into_owned();
        let strictest = judgement.verdict.effect;
        let part = judgement.parts().find(|part| part.verdict.effect == strictest);
        let ground = match part {
            Some(part) => part.verdict.decisive().next(),
            None => judgement.verdict.decisive().next(),
        };
        let code = ground.map_or(RefusalCode::Unreadable, RefusalCode::of);
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
            hint: match ground {
                Some(Ground::Doubt(doubt)) if code == RefusalCode::Unreadable => {
                    doubt_hint::hint(call, doubt)
                }
                _ => hint(code).to_owned(),
            },
            retry: retry(code),
            what: match access {
                Some(access) => describe(&access.what),
                None => tool_call_text(call),
            },
            would_grant: access.filter(|_| grantable(code)).and_then(|a| pattern_for(&a.what)),
            approval: None,
            unanswered: false,
        }
    }

    /// Creates the refusal of a call that could not be judged.
    pub fn failed(reason: &str) -> Refusal {
        let error = format!("Tool call rejected: {}", visible(&redact(reason)));
        Refusal { error, ..Refusal::of(RefusalCode::Failed, "unknown", reason) }
    }

    /// Creates the refusal of a tool that a person must review first.
    pub fn needs_review(tool_name: &str, reason: &str, hint: String) -> Refusal {
        let refusal = Refusal::of(RefusalCode::ApprovalRequired, tool_name, reason);
        Refusal { why: Some(refusal.ground.clone()), hint, ..refusal }
    }

    /// Creates the refusal of a line that would change the working directory of later calls.
    pub fn cwd_change(tool_name: &str) -> Refusal {
        let reason = "the next call would start in another directory without naming it";
        let refusal = Refusal::of(RefusalCode::Unreadable, tool_name, reason);
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

    /// Creates a refusal without a judgement.
    fn of(code: RefusalCode, tool_name: &str, reason: &str) -> Refusal {
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
            unanswered: false,
        }
    }

    /// Marks the refusal as a question that nobody answered in time.
    pub fn mark_unanswered(&mut self) {
        self.code = RefusalCode::ApprovalRequired;
        self.error =
            "Tool call rejected: approval required, and nobody answered in time".to_owned();
        self.retry = retry(self.code);
        self.unanswered = true;
    }

    /// Marks the refusal as a question that nobody could be asked.
    pub fn mark_unasked(&mut self) {
        self.code = RefusalCode::ApprovalRequired;
        self.error = error_text(self.code, None);
        self.retry = retry(self.code);
    }

    /// Returns the outcome of the question in words, or `None` if there was no question.
    pub fn outcome_text(&self) -> Option<&'static str> {
        match self.code {
            RefusalCode::Declined => Some("a person said no"),
            RefusalCode::ApprovalRequired if self.unanswered => Some("nobody answered in time"),
            RefusalCode::ApprovalRequired if self.approval.is_some() => Some("the question waits"),
            RefusalCode::ApprovalRequired => Some("nobody could be asked"),
            _ => None,
        }
    }

    /// Marks the refusal as a question that waits under this ID.
    pub fn mark_pending(&mut self, id: String) {
        self.hint = format!(
            "Ask the user to run `ringfence approve {id}` in a terminal, then make the same call again."
        );
        self.approval = Some(id);
    }

    /// Marks the refusal as declined by a person.
    pub fn mark_declined(&mut self) {
        self.code = RefusalCode::Declined;
        self.error = error_text(self.code, None);
        self.hint = hint(self.code).to_owned();
        self.retry = retry(self.code);
    }

    /// Returns the JSON object that every door sends to the agent.
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

    /// Returns the refused action, followed by the tool's name unless the text already ends with
    /// it.
    pub fn action_text(&self) -> String {
        match self.what.ends_with(&self.tool_name) {
            true => self.what.clone(),
            false => format!("{} ({})", self.what, self.tool_name),
        }
    }

    /// Returns at most six labelled lines for a person.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let verb = if self.code == RefusalCode::ApprovalRequired { "asks" } else { "refused" };
        let mut lines = vec![(verb, self.action_text())];
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

fn error_text(code: RefusalCode, ground: Option<&Ground>) -> String {
    match (code, ground) {
        (RefusalCode::Dangerous, _) => "Dangerous capability requires allow.danger".to_owned(),
        (RefusalCode::NotGranted(Class::Files), _) => {
            "Tool call rejected: path outside allowed scope".to_owned()
        }
        (RefusalCode::NotGranted(class), _) => {
            format!("Tool call rejected: no grant in class {class}")
        }
        (RefusalCode::Denied, _) => "Tool call rejected: denied by policy".to_owned(),
        (RefusalCode::Protected, _) => "Tool call rejected: always protected".to_owned(),
        (RefusalCode::ApprovalRequired, _) => "Tool call rejected: approval required".to_owned(),
        (RefusalCode::Declined, _) => "Tool call rejected: the user said no".to_owned(),
        (RefusalCode::Failed, _) => "Tool call rejected: it could not be judged".to_owned(),
        (RefusalCode::Unreadable, Some(ground)) => {
            format!("Tool call rejected: {}", visible(&redact(&ground.to_string())))
        }
        (RefusalCode::Unreadable, None) => "Tool call rejected".to_owned(),
    }
}

fn hint(code: RefusalCode) -> &'static str {
    match code {
        RefusalCode::NotGranted(Class::Files) => {
            "Try a path under one of the allowed roots, or ask the user."
        }
        RefusalCode::NotGranted(_) => "Use what is granted, or ask the user to grant this.",
        RefusalCode::Denied | RefusalCode::Protected => {
            "This will not be allowed; find another way."
        }
        RefusalCode::Dangerous => {
            "Only a person can opt in to this; find another way, or ask the user."
        }
        RefusalCode::Unreadable => "Change the part that is named, then make the call again.",
        RefusalCode::ApprovalRequired => "Ask the user to approve this.",
        RefusalCode::Declined => "Find another way, or ask the user what they want instead.",
        RefusalCode::Failed => "Nothing is allowed until this is repaired; tell the user.",
    }
}

fn retry(code: RefusalCode) -> RetryAdvice {
    match code {
        RefusalCode::NotGranted(_) | RefusalCode::Unreadable => RetryAdvice::IfChanged,
        RefusalCode::Denied
        | RefusalCode::Dangerous
        | RefusalCode::Protected
        | RefusalCode::Declined => RetryAdvice::Never,
        RefusalCode::Failed => RetryAdvice::IfChanged,
        RefusalCode::ApprovalRequired => RetryAdvice::AfterApproval,
    }
}

fn grantable(code: RefusalCode) -> bool {
    matches!(code, RefusalCode::NotGranted(_) | RefusalCode::ApprovalRequired)
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
