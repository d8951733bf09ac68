//! `permission` of opencode.
//!
//! Source: packages `opencode-ai` 1.18.33 and `@opencode-ai/sdk` 1.19.3, and its documentation. The
//! last rule that matches decides, so grants stand first, then questions, then refusals.

use ringfence_core::{Effect, Pattern};
use serde_json::{Map, Value, json};

use super::Way;
use super::sayable::{Host, Place, Tool};
use super::survey::{Path, Survey};
use super::texts::{self, Said};

pub(super) fn write(survey: &mut Survey<'_>) -> String {
    let bash = commands(survey);
    let paths = survey.paths();
    let read = files(survey, &paths, false);
    let edit = files(survey, &paths, true);
    let fetch = fetch(survey);
    let mut permission = Map::new();
    permission.insert("*".to_owned(), json!(word(default(survey))));
    permission.insert("external_directory".to_owned(), json!("ask"));
    permission.insert("bash".to_owned(), bash);
    permission.insert("read".to_owned(), read);
    permission.insert("edit".to_owned(), edit);
    permission.insert("webfetch".to_owned(), json!(word(fetch)));
    let mut tools = survey.tools();
    tools.sort_by_key(|(effect, _, _)| *effect);
    for (effect, tool, _) in tools {
        let key = match tool {
            Tool::Mcp(server, item) => format!("{server}_{item}"),
            Tool::Named(name) => name,
        };
        // A key stands once; the strictest of those that are alike stands last, all others stay.
        permission.shift_remove(&key);
        permission.insert(key, json!(word(effect)));
    }
    survey.rest();
    let config = json!({ "$schema": "https://opencode.ai/config.json", "permission": permission });
    serde_json::to_string_pretty(&config).unwrap_or_default() + "\n"
}

fn word(effect: Effect) -> &'static str {
    effect.as_str()
}

fn default(survey: &Survey<'_>) -> Effect {
    survey.policy.document.default.unwrap_or(Effect::Deny).max(Effect::Ask)
}

/// Rules in the order in which the last decides.
struct Ordered(Vec<(String, Effect)>);

impl Ordered {
    fn add(&mut self, effect: Effect, pattern: String) {
        self.0.push((pattern, effect));
    }

    fn write(mut self, default: Effect) -> Value {
        self.0.sort_by_key(|(_, effect)| *effect);
        let mut map = Map::new();
        map.insert("*".to_owned(), json!(word(default)));
        for (pattern, effect) in self.0 {
            map.shift_remove(&pattern);
            map.insert(pattern, json!(word(effect)));
        }
        Value::Object(map)
    }
}

fn commands(survey: &mut Survey<'_>) -> Value {
    let mut rules = Ordered(Vec::new());
    for command in survey.commands() {
        match (&command.said, command.effect) {
            (Said::Exact(words), effect) => rules.add(effect, words.join(" ")),
            (Said::Open(words), effect) => rules.add(effect, format!("{} *", words.join(" "))),
            (Said::Shape, effect) => {
                let Pattern::Command(pattern) = &command.rule.pattern else { continue };
                if effect == Effect::Deny {
                    texts::spelled(pattern).into_iter().for_each(|text| rules.add(effect, text));
                    survey.differs(
                        &command.rule,
                        Way::Wider,
                        "other spellings of its options are asked about",
                    );
                }
                for alternative in pattern.alternatives() {
                    let cover = texts::cover(alternative).unwrap_or_else(|| "*".to_owned());
                    rules.add(Effect::Ask, cover);
                }
            }
        }
    }
    survey.covers().into_iter().for_each(|cover| rules.add(Effect::Ask, cover));
    rules.write(default(survey))
}

fn files(survey: &mut Survey<'_>, paths: &[Path], writes: bool) -> Value {
    let mut rules = Ordered(Vec::new());
    for path in paths.iter().filter(|path| path.writes == writes) {
        let below = path.names.last().is_some_and(|name| name == "**");
        let plain = path.names.iter().rev().skip(1).all(|name| !name.contains(['*', '?', '[']));
        let effect = match path.effect {
            // There a star crosses slashes: only a directory with all below it is said exactly.
            Effect::Allow if !(below && plain) || path.place != Place::Root => {
                survey.differs(
                    &path.rule,
                    Way::Narrower,
                    "asks: only directories of the project with all below them can be said",
                );
                Effect::Ask
            }
            effect => effect,
        };
        rules.add(effect, written(path));
    }
    survey
        .differences
        .retain(|own| !own.file.starts_with("danger list") && &*own.file != "protected");
    rules.write(default(survey))
}

/// A path there: a star crosses slashes and takes nothing as well, so what stands deep is said
/// without the slash before it, which matches more.
fn written(path: &Path) -> String {
    let mut text = match path.place {
        Place::Root => String::new(),
        Place::Home => "~/".to_owned(),
        Place::Slash => "/".to_owned(),
    };
    let mut deep = false;
    for (at, name) in path.names.iter().enumerate() {
        if name == "**" {
            if at == 0 {
                text.clear();
            } else if !deep {
                text.push('/');
            }
            text.push('*');
            deep = true;
            continue;
        }
        if at > 0 && !deep {
            text.push('/');
        }
        text.push_str(name);
        deep = false;
    }
    text.replace("**", "*")
}

/// What becomes of fetching: there it is one answer for all hosts.
fn fetch(survey: &mut Survey<'_>) -> Effect {
    let hosts = survey.hosts();
    let denied =
        hosts.iter().any(|(effect, host, _)| *effect == Effect::Deny && *host == Host::Any);
    for (effect, host, rule) in &hosts {
        match (effect, host) {
            (Effect::Deny, Host::Any) => {}
            (Effect::Deny, _) if !denied => {
                survey.differs(rule, Way::Wider, "asks: hosts cannot be said")
            }
            (Effect::Allow | Effect::Ask, _) => {
                survey.differs(rule, Way::Narrower, "asks: hosts cannot be said")
            }
            _ => {}
        }
    }
    if denied { Effect::Deny } else { Effect::Ask.max(default(survey)) }
}
