//! Settings of other agents, which start servers and take fences away.

use super::shape::{Found, shell, unknown};

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
