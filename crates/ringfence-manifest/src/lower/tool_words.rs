//! Words for tools.

use ringfence_core::pattern::NamePattern;
use ringfence_core::rule::{ToolKind, ToolScope};

use super::context::Context;
use crate::de::Spanned;

/// Other words for the kinds, in documents of mlld, Seal, Aleph and hermes-agent.
const ALIASES: [(&str, ToolKind); 5] = [
    ("bash", ToolKind::Terminal),
    ("shell", ToolKind::Terminal),
    ("exec", ToolKind::Terminal),
    ("code_exec", ToolKind::CodeExecution),
    ("execute_code", ToolKind::CodeExecution),
];

/// The kind that a word means, in any case.
pub(super) fn kind(word: &str) -> Option<ToolKind> {
    let word = word.to_ascii_lowercase();
    let alias = ALIASES.iter().find(|(alias, _)| *alias == word);
    ToolKind::from_word(&word).or(alias.map(|(_, kind)| *kind))
}

/// The tools that a word takes in: a kind, or a glob on names.
pub(super) fn scope(cx: &mut Context<'_>, word: &Spanned<String>) -> Option<ToolScope> {
    match kind(&word.value) {
        Some(kind) => Some(ToolScope::Kind(kind)),
        None => cx.parsed(word, NamePattern::parse).map(ToolScope::Name),
    }
}
