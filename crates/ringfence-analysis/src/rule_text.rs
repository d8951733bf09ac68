//! Rules in words.

use ringfence_core::rule::ToolScope;
use ringfence_core::{Rule, Scope};

/// Returns what a rule is about: its pattern, its exceptions and its scope.
pub fn rule_text(rule: &Rule) -> String {
    let mut text = format!("{}{}", rule.pattern, scope_text(&rule.scope));
    if !rule.except.is_empty() {
        text.push_str(&format!(" except {}", joined(rule.except.iter())));
    }
    if let Some(last) = rule.note.until {
        text.push_str(&format!(" until {last}"));
    }
    text
}

/// Returns what a rule is limited to, with a space before it; empty if it is not limited.
pub fn scope_text(scope: &Scope) -> String {
    let mut text = String::new();
    if let Some(agent) = &scope.agent {
        text.push_str(&format!(" for {agent}"));
    }
    match &scope.tool {
        Some(ToolScope::Kind(kind)) => text.push_str(&format!(" in {} tools", kind.as_str())),
        Some(ToolScope::Name(name)) => text.push_str(&format!(" in {name}")),
        None => {}
    }
    if let Some(commands) = &scope.command {
        text.push_str(&format!(" under {}", joined(commands.iter())));
    }
    if let Some(commands) = &scope.unless {
        text.push_str(&format!(" not under {}", joined(commands.iter())));
    }
    if let Some(places) = &scope.within {
        text.push_str(&format!(" within {}", joined(places.iter())));
    }
    text
}

fn joined<T: ToString>(all: impl Iterator<Item = T>) -> String {
    all.map(|own| own.to_string()).collect::<Vec<_>>().join(", ")
}
