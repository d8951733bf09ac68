//! How broad an answer is: this call, this program with these leading words, this program.

use ringfence_analysis::{Level, scales};
use ringfence_core::Pattern;
use ringfence_core::pattern::{Ending, Token};
use ringfence_exec::queue::QuestionSummary;
use ringfence_guard::redact::redact;

/// A scope that an answer can have, from one call to a whole program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AnswerScope {
    /// The pattern of what the answer covers.
    pub(crate) pattern: String,
    /// The same in words.
    pub(crate) words: String,
    /// Whether a rule with this pattern would spare the question from now on. Where a rule asks, only
    /// a narrower one does.
    pub(crate) can_last: bool,
    /// Whether an answer that lasts has this scope unless a person says otherwise.
    pub(crate) is_usual: bool,
}

/// Returns the scopes of an answer to a question, from exact to broad.
pub(crate) fn scopes(question: &QuestionSummary) -> Vec<AnswerScope> {
    let usual = question.pattern.as_deref();
    let exact = question.exact_pattern.as_deref().or(usual);
    let Some(exact) = exact else { return Vec::new() };
    // A rule asks, if only the exact command would spare the question.
    let is_asked_by_rule = usual.is_none_or(|own| words_of(own).is_some_and(|own| !own.1));
    let is_shown = |pattern: &str| redact(pattern) == pattern;
    let mut found = Vec::new();
    // Cut anywhere, a pattern with a secret may still hold the secret, and not be seen to.
    if is_shown(exact) {
        found.push((exact.to_owned(), "this call".to_owned()));
    }
    if let Some((words, _)) = words_of(exact).filter(|_| is_shown(exact)) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let broad = scales(&words).into_iter().rev().filter(|own| own.level != Level::Exact);
        found.extend(broad.filter_map(|own| {
            let kept = match own.level {
                Level::Program => words.get(..1)?.join(" "),
                Level::Words(count) => words.get(..=count)?.join(" "),
                Level::Exact => return None,
            };
            Some((own.pattern.to_string(), format!("`{kept}` with any further words")))
        }));
    }
    if let Some(usual) = usual.filter(|own| !found.iter().any(|(known, _)| known == own)) {
        found.insert(1.min(found.len()), (usual.to_owned(), "calls like this one".to_owned()));
    }
    let found = found.into_iter().filter(|(pattern, _)| is_shown(pattern));
    let scope = |(pattern, words): (String, String)| {
        let is_usual = usual == Some(pattern.as_str());
        AnswerScope {
            can_last: is_usual || (!is_asked_by_rule && usual.is_some()),
            is_usual,
            pattern,
            words,
        }
    };
    found.map(scope).collect()
}

/// Returns the words of a pattern on one command, and whether further words may follow.
fn words_of(pattern: &str) -> Option<(Vec<String>, bool)> {
    let Ok(Pattern::Command(command)) = Pattern::parse(pattern) else { return None };
    let [alternative] = command.alternatives() else { return None };
    let word = |token: &Token| match token {
        Token::Literal(word) => Some(word.to_string()),
        Token::Glob(_) | Token::Run => None,
    };
    let words = alternative.tokens.iter().map(word).collect::<Option<Vec<String>>>()?;
    let is_open = alternative.ending == Ending::Open
        || (words.len() == 1 && alternative.ending != Ending::Closed);
    Some((words, is_open))
}

#[cfg(test)]
#[path = "scopes_tests.rs"]
mod tests;
