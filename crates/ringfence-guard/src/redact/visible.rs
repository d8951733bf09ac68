//! What hides in a text, made visible.

use std::borrow::Cow;
use std::fmt::Write;

/// The text with every character that shows nothing, moves others or speaks to a terminal written
/// out: `\n`, `\x1b`, `\u{202e}`. Text on one line stays on one line.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(hides) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        show(&mut shown, c);
    }
    Cow::Owned(shown)
}

fn show(shown: &mut String, c: char) {
    // Writing to a string cannot fail.
    let _ = match c {
        '\n' => shown.write_str("\\n"),
        '\r' => shown.write_str("\\r"),
        '\t' => shown.write_str("\\t"),
        c if !hides(c) => shown.write_char(c),
        c if u32::from(c) < 0x100 => write!(shown, "\\x{:02x}", u32::from(c)),
        c => write!(shown, "\\u{{{:x}}}", u32::from(c)),
    };
}

/// Whether a character shows nothing of itself, looks like a space, or moves what is around it.
pub fn hides(c: char) -> bool {
    c.is_control()
        || (c.is_whitespace() && c != ' ')
        || matches!(c,
            // Soft hyphen, joiners, fillers and marks without width.
            '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}'
            | '\u{2800}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            // Order of writing.
            | '\u{61c}' | '\u{202a}'..='\u{202e}'
            // Variants, tags, shorthand and musical marks without shape.
            | '\u{fe00}'..='\u{fe0f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
            // Characters that have no meaning to anyone but their inventor.
            | '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}')
}

#[cfg(test)]
#[path = "visible_tests.rs"]
mod tests;
