//! The difference between two versions of a project's policy, in words, for a person who may trust
//! the later one.
//!
//! A difference counts as widening wherever it may make any verdict milder, whatever the other
//! documents say. It never calls a change narrowing that could widen.

mod settings;

use ringfence_core::{Class, Document, Effect, Pattern, Role, Rule, inclusion};

use crate::rule_text::rule_text;

/// A difference between two versions of a policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Whether the later version may allow more.
    pub direction: Direction,
    /// The effect of the later version, as a clause without a subject: "allows cmd:git:push:*".
    pub text: String,
    /// The reason that the author gave for a new rule.
    pub why: Option<String>,
}

/// The effect of a difference on verdicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// A verdict may become milder.
    Widens,
    /// No verdict becomes milder.
    Narrows,
}

use Direction::{Narrows, Widens};

/// How a list of rules is described.
struct ListWords {
    /// The effect of adding a rule to the list.
    adding: Direction,
    added: &'static str,
    removed: &'static str,
}

const OPT_INS: ListWords = ListWords {
    adding: Widens,
    added: "opts in to the danger of",
    removed: "no longer opts in to the danger of",
};
const DANGERS: ListWords = ListWords {
    adding: Narrows,
    added: "adds to the danger list:",
    removed: "no longer has on the danger list:",
};

/// Returns the differences between two versions of a policy, widening ones first.
///
/// Each version is its document followed by its ceilings and the sections of its MCP servers. Notes,
/// comments and the order of rules make no difference.
pub fn differences(before: &[Document], after: &[Document]) -> Vec<Difference> {
    let mut found = Vec::new();
    for part in parts(before, after) {
        part.compare(&mut found);
    }
    found.sort_by_key(|difference| difference.direction);
    found
}

/// Documents of one name, role and scope in both versions.
struct Part<'a> {
    first: &'a Document,
    before: Vec<&'a Document>,
    after: Vec<&'a Document>,
}

fn parts<'a>(before: &'a [Document], after: &'a [Document]) -> Vec<Part<'a>> {
    let mut parts: Vec<Part<'a>> = Vec::new();
    let versions = before.iter().map(|own| (own, false)).chain(after.iter().map(|own| (own, true)));
    for (document, is_after) in versions {
        let same = |part: &&mut Part<'_>| {
            part.first.name == document.name
                && part.first.role == document.role
                && part.first.scope == document.scope
        };
        let part = match parts.iter_mut().find(same) {
            Some(part) => part,
            None => {
                parts.push(Part { first: document, before: Vec::new(), after: Vec::new() });
                let Some(part) = parts.last_mut() else { continue };
                part
            }
        };
        if is_after { part.after.push(document) } else { part.before.push(document) }
    }
    parts
}

impl Part<'_> {
    fn compare(&self, found: &mut Vec<Difference>) {
        let prefix = self.prefix();
        let mut tell = |direction: Direction, text: String, why: Option<&str>| {
            let (text, why) = (format!("{prefix}{text}"), why.map(str::to_owned));
            found.push(Difference { direction, text, why });
        };
        self.compare_rules(&mut tell);
        self.compare_list(&mut tell, |own| own.danger.as_deref().unwrap_or_default(), &OPT_INS);
        self.compare_list(&mut tell, |own| &own.dangerous, &DANGERS);
        self.compare_statements(&mut tell);
    }

    fn compare_list(
        &self,
        tell: &mut impl FnMut(Direction, String, Option<&str>),
        list: ListOf,
        words: &ListWords,
    ) {
        let (before, after) = (rules(&self.before, list), rules(&self.after, list));
        for rule in missing_in(&before, &after) {
            tell(words.adding, format!("{} {}", words.added, rule_text(rule)), why(rule));
        }
        let removing = if words.adding == Widens { Narrows } else { Widens };
        for rule in missing_in(&after, &before) {
            tell(removing, format!("{} {}", words.removed, rule_text(rule)), None);
        }
    }

    /// Says which document is meant, if it is not the policy itself.
    fn prefix(&self) -> String {
        match self.first.role {
            Role::Ceiling => format!("{}: ", self.first.name),
            _ if self.first.name.contains("mcp.servers") => format!("{}: ", self.first.name),
            _ => String::new(),
        }
    }

    fn compare_rules(&self, tell: &mut impl FnMut(Direction, String, Option<&str>)) {
        let all: ListOf = |own| &own.rules;
        let fallback: ListOf = |own| &own.fallback;
        let version = |documents: &[&'_ Document]| {
            let mut both = rules(documents, all);
            both.extend(rules(documents, fallback));
            both.into_iter().cloned().collect::<Vec<Rule>>()
        };
        let (before, after) = (version(&self.before), version(&self.after));
        let (before, after): (Vec<&Rule>, Vec<&Rule>) =
            (before.iter().collect(), after.iter().collect());
        for rule in missing_in(&before, &after) {
            let direction = match rule.effect {
                Effect::Deny => Narrows,
                _ if self.limits_anew(rule, &before) => Narrows,
                // Only a question about what was allowed anyway takes something away.
                Effect::Ask if is_allowed(rule, &before) => Narrows,
                Effect::Allow | Effect::Ask => Widens,
            };
            tell(direction, self.added(rule, &before), why(rule));
        }
        for rule in missing_in(&after, &before) {
            let direction = match rule.effect {
                Effect::Deny => Widens,
                _ if self.limits_anew(rule, &after) => Widens,
                Effect::Allow => Narrows,
                // Another document may allow it.
                Effect::Ask => Widens,
            };
            tell(direction, self.removed(rule, &after), None);
        }
    }

    fn added(&self, rule: &Rule, before: &[&Rule]) -> String {
        let (what, class) = (rule_text(rule), rule.pattern.class());
        match (self.first.role, rule.effect) {
            (_, Effect::Deny) => format!("denies {what}"),
            (Role::Ceiling, _) if self.limits_anew(rule, before) => {
                format!("limits {class} to {what}")
            }
            (Role::Ceiling, Effect::Allow) => format!("lets {what} through"),
            (Role::Ceiling, Effect::Ask) => format!("lets {what} through, after a question"),
            (_, Effect::Allow) => format!("allows {what}"),
            (_, Effect::Ask) => format!("asks about {what}"),
        }
    }

    fn removed(&self, rule: &Rule, after: &[&Rule]) -> String {
        let (what, class) = (rule_text(rule), rule.pattern.class());
        match (self.first.role, rule.effect) {
            (_, Effect::Deny) => format!("no longer denies {what}"),
            (Role::Ceiling, _) if self.limits_anew(rule, after) => {
                format!("no longer limits {class} to {what}")
            }
            (Role::Ceiling, _) => format!("no longer lets {what} through"),
            (_, Effect::Allow) => format!("no longer allows {what}"),
            (_, Effect::Ask) => format!("no longer asks about {what}"),
        }
    }

    /// Returns whether a rule is the first of its class in a ceiling: where a ceiling has no rule of
    /// a class, it does not limit that class.
    fn limits_anew(&self, rule: &Rule, others: &[&Rule]) -> bool {
        let class = rule.pattern.class();
        let mut same = others.iter().filter(|own| own.effect != Effect::Deny);
        self.first.role == Role::Ceiling && !same.any(|own| own.pattern.class() == class)
    }

    fn compare_statements(&self, tell: &mut impl FnMut(Direction, String, Option<&str>)) {
        for (word, of) in [
            ("default", (|own| own.default) as fn(&Document) -> Option<Effect>),
            ("default for tools", |own| own.tool_default),
        ] {
            let strictest =
                |documents: &[&Document]| documents.iter().filter_map(|own| of(own)).max();
            let (before, after) = (strictest(&self.before), strictest(&self.after));
            if before == after {
                continue;
            }
            // Without a default, the strictest of the other documents counts, else it is denied.
            let direction = match (before, after) {
                (Some(Effect::Deny), _) | (None, Some(Effect::Ask)) => Widens,
                _ => Narrows,
            };
            let text = match after {
                Some(after) => format!("sets the {word} to {after}{}", was(before)),
                None => format!("no longer sets the {word}{}", was(before)),
            };
            tell(direction, text, None);
        }
        for class in Class::ALL {
            let states = |documents: &[&Document]| {
                documents.iter().any(|own| own.stances.iter().any(|stance| stance.class == class))
            };
            match (states(&self.before), states(&self.after)) {
                (true, false) => {
                    tell(Widens, format!("no longer requires a rule for {class}"), None)
                }
                (false, true) => tell(Narrows, format!("requires a rule for {class}"), None),
                _ => {}
            }
        }
        let directories = |documents: &[&Document]| {
            let all = documents.iter().flat_map(|own| &own.directories);
            all.map(ToString::to_string).collect::<Vec<_>>()
        };
        let (before, after) = (directories(&self.before), directories(&self.after));
        for directory in after.iter().filter(|own| !before.contains(own)) {
            tell(Widens, format!("lets its commands run in {directory} too"), None);
        }
        for directory in before.iter().filter(|own| !after.contains(own)) {
            tell(Narrows, format!("no longer lets its commands run in {directory}"), None);
        }
        let programs = |documents: &[&Document]| {
            let all = documents.iter().flat_map(|own| &own.programs);
            all.map(|own| format!("{own:?}")).collect::<Vec<_>>()
        };
        if programs(&self.before) != programs(&self.after) {
            tell(Widens, "describes programs differently (`[programs]`)".to_owned(), None);
        }
        settings::compare(&self.before, &self.after, tell);
    }
}

type ListOf = for<'d> fn(&'d Document) -> &'d [Rule];

fn rules<'d>(documents: &[&'d Document], list: ListOf) -> Vec<&'d Rule> {
    documents.iter().flat_map(|own| list(own)).collect()
}

/// Returns the rules of `after` that `before` does not have, each once.
fn missing_in<'d>(before: &[&'d Rule], after: &[&'d Rule]) -> Vec<&'d Rule> {
    let mut missing: Vec<&Rule> = Vec::new();
    for rule in after {
        let is_there = |all: &[&Rule]| all.iter().any(|own| is_same(own, rule));
        if !is_there(before) && !is_there(&missing) {
            missing.push(rule);
        }
    }
    missing
}

fn is_same(one: &Rule, two: &Rule) -> bool {
    one.effect == two.effect
        && one.pattern == two.pattern
        && one.except == two.except
        && one.scope == two.scope
        && one.note.until == two.note.until
}

/// Returns whether one of the rules allows everything that a rule asks about.
fn is_allowed(ask: &Rule, rules: &[&Rule]) -> bool {
    rules.iter().any(|own| {
        own.effect == Effect::Allow
            && own.note.until.is_none()
            && has_same_rights(&own.pattern, &ask.pattern)
            && inclusion::includes(&own.pattern, &ask.pattern)
            && inclusion::scope_includes(&own.scope, &ask.scope)
    })
}

/// Returns whether both patterns are about the same class, and about the same rights on files.
fn has_same_rights(one: &Pattern, two: &Pattern) -> bool {
    match (one, two) {
        (Pattern::File(one, _), Pattern::File(two, _)) => one == two,
        (one, two) => one.class() == two.class(),
    }
}

fn why(rule: &Rule) -> Option<&str> {
    rule.note.why.as_deref()
}

fn was(before: Option<Effect>) -> String {
    before.map(|own| format!(" (was {own})")).unwrap_or_default()
}

#[cfg(test)]
#[path = "difference_tests.rs"]
mod tests;
