//! Quotes patterns for display.
//!
//! A person copies these patterns into a shell or a policy. The program that was refused may have
//! chosen the names in them, so the quoted text must parse as exactly the same pattern.

use std::fmt::Write;

use crate::redact::is_hidden_char;

/// Quotes a pattern as a shell word. Invisible characters are escaped.
pub fn shell_word(pattern: &str) -> String {
    if pattern.contains(is_hidden_char) {
        return format!("$'{}'", escaped(pattern, '\''));
    }
    format!("'{}'", pattern.replace('\'', r"'\''"))
}

/// Quotes a pattern as a string in a policy file. Invisible characters are escaped.
pub fn policy_text(pattern: &str) -> String {
    format!("\"{}\"", escaped(pattern, '"'))
}

/// Escapes a text with escapes that TOML and shells share.
fn escaped(text: &str, mark: char) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        let code = u32::from(c);
        // Writing to a `String` cannot fail.
        let _ = match c {
            '\\' => shown.write_str(r"\\"),
            c if c == mark => write!(shown, "\\{c}"),
            c if !is_hidden_char(c) => shown.write_char(c),
            _ if code <= 0xffff => write!(shown, "\\u{code:04X}"),
            _ => write!(shown, "\\U{code:08X}"),
        };
    }
    shown
}

#[cfg(test)]
#[path = "quote_tests.rs"]
mod tests;
