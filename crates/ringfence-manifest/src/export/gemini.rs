//! A policy of Gemini CLI.
//!
//! Source: package `@google/gemini-cli-core` 0.61.0, its policy engine and its page on it. The rule
//! of the highest priority decides, so refusals stand above questions and those above grants.

use ringfence_core::{Class, Effect, Pattern};

use super::Way;
use super::sayable::{Host, Tool};
use super::survey::{Survey, left_to_a_question};
use super::texts::{self, Said};

const READERS: [&str; 5] =
    ["glob", "grep_search", "list_directory", "read_file", "read_many_files"];
const WRITERS: [&str; 2] = ["replace", "write_file"];

pub(super) fn write(survey: &mut Survey<'_>) -> String {
    let mut text =
        String::from("# Written by ringfence. The rule of the highest priority decides.\n");
    let mut seen = Vec::new();
    let mut add = |effect: Effect, condition: String, why: Option<String>| {
        let rule = rule(effect, &condition, why.as_deref());
        if !seen.contains(&rule) {
            text.push_str(&rule);
            seen.push(rule);
        }
    };
    for command in survey.commands() {
        let why = command.rule.note.why.as_ref().map(ToString::to_string);
        let (words, effect) = match (&command.said, command.effect) {
            (Said::Open(words), effect) => (vec![words.clone()], effect),
            (Said::Exact(words), Effect::Allow) => {
                survey.differs(
                    &command.rule,
                    Way::Narrower,
                    "asks: prefixes there are open at their end",
                );
                (vec![words.clone()], Effect::Ask)
            }
            (Said::Exact(words), effect) => {
                survey.differs(&command.rule, Way::Narrower, "takes further words there");
                (vec![words.clone()], effect)
            }
            (Said::Shape, _) => {
                let Pattern::Command(pattern) = &command.rule.pattern else { continue };
                left_to_a_question(survey, &command);
                (pattern.alternatives().iter().map(texts::certain_start).collect(), Effect::Ask)
            }
        };
        for words in words.into_iter().filter(|words| !words.is_empty()) {
            add(effect, shell(&words.join(" ")), why.clone());
        }
    }
    for cover in survey.covers() {
        let program = cover.split(' ').next().unwrap_or("");
        if !program.is_empty() && program != "*" {
            add(Effect::Ask, shell(program), None);
        }
    }
    for tools in [&READERS[..], &WRITERS[..]] {
        add(Effect::Ask, format!("toolName = [{}]\n", quoted(tools)), None);
    }
    let mut hosts = survey.hosts();
    hosts.retain(|(effect, host, _)| *effect == Effect::Deny && *host == Host::Any);
    let fetch = if hosts.is_empty() { Effect::Ask } else { Effect::Deny };
    add(fetch, "toolName = \"web_fetch\"\n".to_owned(), None);
    let tools = survey.tools();
    let search = Tool::Named("google_web_search".to_owned());
    if !tools.iter().any(|(_, tool, _)| *tool == search) {
        add(Effect::Ask, "toolName = \"google_web_search\"\n".to_owned(), None);
    }
    for (effect, tool, _) in tools {
        match tool {
            Tool::Mcp(server, item) if item == "*" => {
                add(effect, format!("mcpName = \"{server}\"\n"), None)
            }
            Tool::Mcp(server, item) if !item.contains('*') => {
                add(effect, format!("mcpName = \"{server}\"\ntoolName = \"{item}\"\n"), None);
            }
            // Globs on the tools of a server are no patterns there: the server as a whole is asked about.
            Tool::Mcp(server, _) => add(Effect::Ask, format!("mcpName = \"{server}\"\n"), None),
            Tool::Named(name) => add(effect, format!("toolName = \"{name}\"\n"), None),
        }
    }
    other_classes(survey);
    text
}

fn shell(prefix: &str) -> String {
    format!(
        "toolName = \"run_shell_command\"\ncommandPrefix = {}\n",
        toml_edit::Value::from(prefix)
    )
}

fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
}

fn rule(effect: Effect, condition: &str, why: Option<&str>) -> String {
    let (decision, priority) = match effect {
        Effect::Allow => ("allow", 100),
        Effect::Ask => ("ask_user", 500),
        Effect::Deny => ("deny", 900),
    };
    let why = match (why, effect) {
        (Some(why), Effect::Deny) => format!("denyMessage = {}\n", toml_edit::Value::from(why)),
        _ => String::new(),
    };
    format!("\n[[rule]]\n{condition}decision = \"{decision}\"\npriority = {priority}\n{why}")
}

fn other_classes(survey: &mut Survey<'_>) {
    let rules = survey.policy.document.rules.clone();
    for rule in &rules {
        if matches!(rule.pattern.class(), Class::Files | Class::Net) {
            survey.left_out(rule, "asks: rules there know tools, not paths and hosts");
        }
    }
    survey.rest();
    if survey.policy.document.default == Some(Effect::Deny) {
        survey.everywhere(Way::Wider, "what no rule names is asked about, not refused");
    }
}
