//! Makes invisible characters in a text visible.

use std::borrow::Cow;
use std::fmt::Write;

/// Escapes every character that is invisible, reorders text or controls a terminal: `\n`, `\x1b`,
/// `\u{202e}`. The result is always one line.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden_char) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        show(&mut shown, c);
    }
    Cow::Owned(shown)
}

fn show(shown: &mut String, c: char) {
    // Writing to a `String` cannot fail.
    let _ = match c {
        '\n' => shown.write_str("\\n"),
        '\r' => shown.write_str("\\r"),
        '\t' => shown.write_str("\\t"),
        c if !is_hidden_char(c) => shown.write_char(c),
        c if u32::from(c) < 0x100 => write!(shown, "\\x{:02x}", u32::from(c)),
        c => write!(shown, "\\u{{{:x}}}", u32::from(c)),
    };
}

/// Returns whether a character is invisible, looks like a space or changes the display of others.
pub fn is_hidden_char(c: char) -> bool {
    c.is_control()
        || (c.is_whitespace() && c != ' ')
        || matches!(c,
            // Soft hyphen, joiners, fillers and zero-width marks.
            '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}'
            | '\u{2800}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            // Text direction marks.
            | '\u{61c}' | '\u{202a}'..='\u{202e}'
            // Variation selectors, tags, and shorthand and musical marks without a glyph.
            | '\u{fe00}'..='\u{fe0f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
            // Private-use characters.
            | '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}')
}

#[cfg(test)]
#[path = "visible_tests.rs"]
mod tests;
