//! Patterns as they are shown to be typed or written down.
//!
//! What is shown must be read again as the very pattern: names in it were chosen by programs.

use std::fmt::Write;

use crate::redact::hides;

/// A pattern as a person types it in a shell; what hides in it is written out.
pub fn shell_word(pattern: &str) -> String {
    if pattern.contains(hides) {
        return format!("$'{}'", escaped(pattern, '\''));
    }
    format!("'{}'", pattern.replace('\'', r"'\''"))
}

/// A pattern as it stands in a policy, with quotation marks; what hides in it is written out.
pub fn policy_text(pattern: &str) -> String {
    format!("\"{}\"", escaped(pattern, '"'))
}

/// A text between marks, in an escape that TOML and shells have in common.
fn escaped(text: &str, mark: char) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        let code = u32::from(c);
        // Writing to a string cannot fail.
        let _ = match c {
            '\\' => shown.write_str(r"\\"),
            c if c == mark => write!(shown, "\\{c}"),
            c if !hides(c) => shown.write_char(c),
            _ if code <= 0xffff => write!(shown, "\\u{code:04X}"),
            _ => write!(shown, "\\U{code:08X}"),
        };
    }
    shown
}

#[cfg(test)]
#[path = "quote_tests.rs"]
mod tests;
