//! A rules file of Codex CLI.
//!
//! Source: package `@openai/codex` 0.166.0 and its documentation on rules. A rule is about a
//! command's first words; what follows them is open.

use ringfence_core::{Class, Effect, Pattern};
use serde_json::json;

use super::survey::{Survey, left_to_a_question};
use super::texts::{self, Said};
use super::{Operands, Way};

pub(super) fn write(survey: &mut Survey<'_>) -> String {
    let mut rules: Vec<(Vec<String>, Effect, Option<String>)> = Vec::new();
    for command in survey.commands() {
        let why = command.rule.note.why.as_ref().map(ToString::to_string);
        match (&command.said, command.effect) {
            (Said::Open(words), effect) => rules.push((words.clone(), effect, why)),
            (Said::Exact(words), Effect::Allow) => {
                survey.differs(
                    &command.rule,
                    Way::Narrower,
                    "asks: rules there are open at their end",
                );
                rules.push((words.clone(), Effect::Ask, why));
            }
            (Said::Exact(words), effect) => {
                survey.differs(&command.rule, Way::Narrower, "takes further words there");
                rules.push((words.clone(), effect, why));
            }
            (Said::Shape, _) => {
                let Pattern::Command(pattern) = &command.rule.pattern else { continue };
                for alternative in pattern.alternatives() {
                    let start = texts::certain_start(alternative);
                    if start.is_empty() {
                        survey.left_out(&command.rule, "left out: its program is open");
                        continue;
                    }
                    left_to_a_question(survey, &command);
                    rules.push((start, Effect::Ask, why.clone()));
                }
            }
        }
    }
    covers(survey, &mut rules);
    other_classes(survey);
    let mut text =
        String::from("# Written by ringfence. Of the rules that match, the strictest decides.\n");
    rules.dedup();
    for (words, effect, why) in rules {
        let decision = match effect {
            Effect::Allow => "allow",
            Effect::Ask => "prompt",
            Effect::Deny => "forbidden",
        };
        let why = why.map(|why| format!(", justification = {}", json!(why))).unwrap_or_default();
        let words = json!(words);
        text.push_str(&format!("prefix_rule(pattern = {words}, decision = \"{decision}\"{why})\n"));
    }
    text
}

/// Questions about what is trusted and objected to: the program as a whole, since options may stand
/// before a subcommand.
fn covers(survey: &Survey<'_>, rules: &mut Vec<(Vec<String>, Effect, Option<String>)>) {
    if survey.operands == Operands::Asked {
        return;
    }
    for cover in survey.covers() {
        let program = cover.split(' ').next().unwrap_or("").to_owned();
        if !program.is_empty() && program != "*" {
            rules.push((
                vec![program],
                Effect::Ask,
                Some("something of it is refused here".to_owned()),
            ));
        }
    }
}

fn other_classes(survey: &mut Survey<'_>) {
    let rules = survey.policy.document.rules.clone();
    for rule in &rules {
        if matches!(rule.pattern.class(), Class::Files | Class::Net | Class::Tool) {
            survey.left_out(rule, "left out: a rules file speaks of commands alone; the sandbox holds files and network");
        }
    }
    survey.rest();
    survey.everywhere(Way::Wider, "Codex runs commands without a question that it takes for safe");
    if survey.policy.document.default == Some(Effect::Deny) {
        survey.everywhere(Way::Wider, "what no rule names is left to Codex, not refused");
    }
}
