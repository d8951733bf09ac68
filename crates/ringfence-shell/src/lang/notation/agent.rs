//! Settings of other agents, which start servers and take fences away.

use super::shape::{Found, read, shell, unknown};
use crate::lang::Finding;
use ringfence_core::net::is_url;

/// `KEY=VALUE` for codex; whatever is not known to choose a model or a manner may run programs.
pub(super) fn codex(text: &str) -> Found {
    const MANNERS: [&str; 8] = [
        "model",
        "model_reasoning_effort",
        "model_reasoning_summary",
        "model_verbosity",
        "hide_agent_reasoning",
        "personality",
        "file_opener",
        "disable_response_storage",
    ];
    let key = text.split('=').next().unwrap_or(text).trim();
    match MANNERS.contains(&key) {
        true => Vec::new(),
        false => vec![unknown(&format!("the setting `{key}` of codex may run programs"))],
    }
}

/// What aider is told: commands of its own begin with a slash, some of which run a line.
pub(super) fn aider(text: &str) -> Found {
    const TALK: [&str; 8] =
        ["/ask", "/code", "/architect", "/help", "/tokens", "/map", "/diff", "/exit"];
    let text = text.trim();
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    match first {
        _ if text.starts_with('!') => vec![shell(text.trim_start_matches('!'))],
        "/run" | "/test" | "/lint" => vec![shell(rest)],
        _ if !text.starts_with('/') || TALK.contains(&first) => Vec::new(),
        _ => vec![unknown(&format!("what aider's `{first}` does is not known"))],
    }
}

/// A file, or an object in the line, that names servers to start.
pub(super) fn config(text: &str) -> Found {
    let started = unknown("the servers that this starts are not seen");
    match text.trim_start().starts_with('{') {
        true => vec![started],
        false => vec![read(text.trim_start_matches('@')), started],
    }
}

/// One word of a server: its address, or the command that starts it.
pub(super) fn server(word: &str) -> Found {
    match is_url(word) {
        true => vec![Finding::Url(word.to_owned())],
        false => vec![unknown("a server is a program that is started later")],
    }
}
