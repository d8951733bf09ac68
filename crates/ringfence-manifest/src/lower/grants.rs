//! Grants that give nearly everything away: `sudo`, `doas`, a system Python.

use ringfence_core::pattern::{CommandAlternative, CommandPattern, Ending, Token};
use ringfence_core::{Pattern, Rule};

use super::context::Context;
use crate::text::{Fault, Span};

/// In Seal's sections such a grant must be named under `dangerously_grant`, and is said aloud.
pub(super) fn check_section(cx: &mut Context<'_>, pattern: &CommandPattern, span: Span) {
    for word in words(pattern) {
        if cx.granted.contains(word) {
            cx.warn(Fault::new(span, warning(word)));
        } else {
            let hint = format!("if it is meant: `[security] dangerously_grant = [\"{word}\"]`");
            let message = format!("grants `{word}`, which `dangerously_grant` does not name");
            cx.fault(Fault::new(span, message).hint(hint));
        }
    }
}

/// In nested lists, which mean the same as flat ones, such a grant is only said aloud.
pub(super) fn check_rule(cx: &mut Context<'_>, rule: &Rule, span: Span) {
    if let Pattern::Command(pattern) = &rule.pattern {
        for word in words(pattern) {
            cx.warn(Fault::new(span, warning(word)));
        }
    }
}

fn warning(word: &str) -> String {
    format!("grants `{word}`: whoever may run it may do nearly anything")
}

/// The words of `dangerously_grant` that a pattern falls under.
fn words(pattern: &CommandPattern) -> Vec<&'static str> {
    let mut words: Vec<&'static str> = pattern.alternatives().iter().filter_map(word).collect();
    words.sort_unstable();
    words.dedup();
    words
}

fn word(command: &CommandAlternative) -> Option<&'static str> {
    let literal = |at: usize| match command.tokens.get(at) {
        Some(Token::Literal(word)) => Some(word.rsplit('/').next().unwrap_or(word)),
        _ => None,
    };
    let program = literal(0)?;
    let version = |name: &str| {
        let rest = program.strip_prefix(name);
        rest.is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit() || c == '.'))
    };
    let uv_runs = || match (command.tokens.len(), literal(1)) {
        (1, _) => command.ending == Ending::Open,
        (_, word) => word.is_none_or(|word| word == "run"),
    };
    match program {
        "sudo" => Some("sudo"),
        "doas" => Some("doas"),
        _ if version("python") || version("pypy") => Some("python"),
        "uv" if uv_runs() => Some("python"),
        _ => None,
    }
}
