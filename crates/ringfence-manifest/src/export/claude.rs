//! `permissions` of Claude Code.
//!
//! Source: package `@anthropic-ai/claude-code` 2.1.325 and its documentation on permissions. There
//! ask comes before allow, whatever is narrower.

use ringfence_core::Effect;
use serde_json::json;

use super::Way;
use super::sayable::{Host, Place, Tool};
use super::survey::{Path, Survey};
use super::texts::{self, Said};
use crate::builtin;

/// Commands that Claude Code runs without a question; there may be others.
const READ_ONLY: [&str; 15] = [
    "ls", "cat", "echo", "pwd", "head", "tail", "grep", "find", "wc", "which", "diff", "stat",
    "du", "cd", "git",
];

pub(super) fn write(survey: &mut Survey<'_>) -> String {
    let mut lists = Lists::default();
    commands(survey, &mut lists);
    files(survey, &mut lists);
    for (effect, host, _) in survey.hosts() {
        match host {
            Host::Any => lists.add(effect, "WebFetch".to_owned()),
            Host::Exact(name) => lists.add(effect, format!("WebFetch(domain:{name})")),
            Host::Under(name) => {
                lists.add(effect, format!("WebFetch(domain:{name})"));
                lists.add(effect, format!("WebFetch(domain:*.{name})"));
            }
        }
    }
    for (effect, tool, _) in survey.tools() {
        lists.add(
            effect,
            match tool {
                Tool::Mcp(server, item) => format!("mcp__{server}__{item}"),
                Tool::Named(name) => name,
            },
        );
    }
    survey.rest();
    let denies = survey.policy.document.default == Some(Effect::Deny);
    let mode = match (denies, lists.ask.is_empty()) {
        (true, true) => "dontAsk",
        (true, false) => {
            survey.everywhere(Way::Wider, "what no rule names is asked about, not refused");
            "default"
        }
        (false, _) => "default",
    };
    let permissions = json!({
        "allow": lists.allow, "ask": lists.ask, "deny": lists.deny, "defaultMode": mode,
    });
    let settings = json!({ "permissions": permissions });
    serde_json::to_string_pretty(&settings).unwrap_or_default() + "\n"
}

#[derive(Default)]
struct Lists {
    allow: Vec<String>,
    ask: Vec<String>,
    deny: Vec<String>,
}

impl Lists {
    fn add(&mut self, effect: Effect, rule: String) {
        let list = match effect {
            Effect::Allow => &mut self.allow,
            Effect::Ask => &mut self.ask,
            Effect::Deny => &mut self.deny,
        };
        if !list.contains(&rule) {
            list.push(rule);
        }
    }
}

fn commands(survey: &mut Survey<'_>, lists: &mut Lists) {
    for command in survey.commands() {
        match (&command.said, command.effect) {
            (Said::Exact(words), Effect::Allow)
                if words.first().is_some_and(|program| READ_ONLY.contains(&program.as_str())) =>
            {
                let message = "asks: Claude Code runs other commands of this program by itself";
                survey.differs(&command.rule, Way::Narrower, message);
            }
            (Said::Exact(words), effect) => {
                lists.add(effect, format!("Bash({})", words.join(" ")));
            }
            (Said::Open(words), effect) => {
                lists.add(effect, format!("Bash({} *)", words.join(" ")));
            }
            (Said::Shape, Effect::Deny) => {
                let ringfence_core::Pattern::Command(pattern) = &command.rule.pattern else {
                    continue;
                };
                for text in texts::spelled(pattern) {
                    lists.add(Effect::Deny, format!("Bash({text})"));
                }
                survey.differs(
                    &command.rule,
                    Way::Wider,
                    "other spellings of its options are asked about",
                );
            }
            (Said::Shape, _) => {
                let ringfence_core::Pattern::Command(pattern) = &command.rule.pattern else {
                    continue;
                };
                for alternative in pattern.alternatives() {
                    let cover = texts::cover(alternative).unwrap_or_else(|| "*".to_owned());
                    lists.add(Effect::Ask, format!("Bash({cover})"));
                }
            }
        }
    }
    for cover in survey.covers() {
        lists.add(Effect::Ask, format!("Bash({cover})"));
    }
    let allowed = |program: &str, lists: &Lists| {
        lists.allow.iter().any(|rule| *rule == format!("Bash({program} *)"))
    };
    for program in READ_ONLY {
        if !allowed(program, lists) {
            lists.add(Effect::Ask, format!("Bash({program} *)"));
        }
    }
    survey.everywhere(
        Way::Wider,
        "Claude Code runs commands without a question that it takes for read-only; those that its \
         documentation names are asked about",
    );
}

fn files(survey: &mut Survey<'_>, lists: &mut Lists) {
    let paths = survey.paths();
    let whole = |path: &Path| {
        path.effect == Effect::Allow
            && !path.writes
            && path.place != Place::Home
            && path.names == ["**"]
    };
    let reads_root = paths.iter().any(whole);
    for path in &paths {
        let tool = if path.writes { "Edit" } else { "Read" };
        let below = path.names.last().is_some_and(|name| name == "**");
        let effect = match path.effect {
            // There a rule on a name takes in all below it.
            Effect::Allow if !below => {
                survey.differs(
                    &path.rule,
                    Way::Narrower,
                    "asks: there it would take in all below it",
                );
                Effect::Ask
            }
            effect => effect,
        };
        lists.add(effect, format!("{tool}({})", written(path)));
        // A rule on reading in the list of refusals stops editing as well.
        if path.effect == Effect::Deny && !path.writes {
            survey.differs(&path.rule, Way::Narrower, "stops editing as well");
        }
    }
    survey.differences.retain(|own| !builtin_list(&own.file));
    if !reads_root {
        lists.add(Effect::Ask, "Read(/**)".to_owned());
        survey.everywhere(
            Way::Narrower,
            "reading in the project is asked about, since not all of it is allowed",
        );
    }
}

/// Whether a rule comes from the danger list or from what is protected: neither is the author's.
fn builtin_list(name: &str) -> bool {
    [builtin::danger_document(), builtin::protected_document()].iter().any(|own| *own.name == *name)
}

fn written(path: &Path) -> String {
    let names = path.names.join("/");
    match path.place {
        Place::Root => format!("/{names}"),
        Place::Home => format!("~/{names}"),
        Place::Slash => format!("//{names}"),
    }
}
