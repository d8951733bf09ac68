//! L201: a command that takes no arguments, for want of a star.

use ringfence_core::pattern::{CommandAlternative, CommandPattern, GlobPart, Pattern, Token};
use ringfence_core::{Effect, Rule};

use super::{is_said_elsewhere, severity};
use crate::lint::code::Code;
use crate::lint::finding::{Finding, Severity};
use crate::lint::spelling;
use crate::lint::survey::{Entry, List, Survey};

pub(in crate::lint) const EXACT_COMMAND: Code = Code {
    code: "L201",
    name: "exact-command",
    severity: Severity::Info,
    summary: "the command matches without arguments only",
    explanation: "Several words without a star are exact in allow, ask and danger lists: \
                  `cmd:git:status` does not match `git status --short`. Where an exact command is \
                  meant, a colon at the end says so. In `danger_list` it is a warning, since all \
                  other spellings stay free of danger.",
    example: r#"allow = ["cmd:git:status"]"#,
    fixed: r#"allow = ["cmd:git:status:*", "cmd:git:stash:"]"#,
};

pub(in crate::lint) fn exact_command<'a>(
    survey: &Survey<'a>,
    entry: &Entry<'a>,
) -> Option<Finding> {
    let Pattern::Command(command) = &entry.rule.pattern else {
        return None;
    };
    if entry.says(Effect::Deny) || !command.alternatives().iter().any(|it| is_unlikely(it, entry)) {
        return None;
    }
    let starred = spelling::with_star(command)?;
    let wider = Pattern::Command(starred);
    if is_said_elsewhere(survey, entry, &wider) || is_told_apart(survey, entry, &wider) {
        return None;
    }
    let message = format!("`{}` matches without further arguments only", entry.rule.pattern);
    let remedy = match closed(command) {
        Some(closed) => {
            format!("write `{wider}` to take arguments, or `{closed}` if none are meant")
        }
        None => format!("write `{wider}` to take arguments"),
    };
    Some(Finding::new(&EXACT_COMMAND, entry, message, remedy).with_severity(severity(entry)))
}

/// Whether it is unlikely that a command of exactly these words is meant.
fn is_unlikely(alternative: &CommandAlternative, entry: &Entry<'_>) -> bool {
    if !spelling::is_exact_by_default(alternative) {
        return false;
    }
    let is_option = |token: &Token| match token {
        Token::Literal(word) => word.starts_with('-'),
        Token::Glob(_) | Token::Run => false,
    };
    match alternative.tokens.last() {
        // Dangers are hardly ever meant for one spelling alone.
        _ if entry.list != List::Rules => true,
        // Who names an option or a file has been exact already.
        _ if alternative.tokens.iter().any(is_option) => false,
        Some(Token::Literal(word)) => !word.contains(['/', '.', '=']),
        Some(Token::Glob(glob)) => glob.parts().last() == Some(&GlobPart::Star),
        Some(Token::Run) | None => false,
    }
}

/// Whether other rules show that the author tells the command's arguments apart: one that has
/// more of the same words, or one of another effect for all the rest.
fn is_told_apart<'a>(survey: &Survey<'a>, entry: &Entry<'a>, wider: &Pattern) -> bool {
    let Some(others) = survey.beside(entry) else {
        return true;
    };
    let mut others = others.filter(|other| other.class() == entry.class());
    let compare = &survey.compare;
    let is_more = |rule: &Rule| {
        compare.includes(wider, &rule.pattern)
            && !compare.includes(&entry.rule.pattern, &rule.pattern)
    };
    let is_rest =
        |rule: &Rule| rule.effect != entry.rule.effect && compare.includes(&rule.pattern, wider);
    others.any(|other| is_more(other.rule) || is_rest(other.rule))
}

/// The pattern with a colon behind it, which says that it is exact.
fn closed(command: &CommandPattern) -> Option<Pattern> {
    let text = command.to_string();
    let closed = CommandPattern::parse(&format!("{text}:")).ok()?;
    (!text.contains(char::is_whitespace)).then_some(Pattern::Command(closed))
}
