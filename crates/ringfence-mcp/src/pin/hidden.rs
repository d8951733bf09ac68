//! What hides in a definition: characters that people do not see and a model reads.

use ringfence_guard::redact::is_hidden_char;
use serde_json::Value;

use super::Kind;

/// Where something hides in a definition, and what; the first place.
pub(super) fn find(definition: &Value) -> Option<String> {
    find_at(definition, &mut String::new())
}

/// What is odd about the name of a tool or prompt: letters that look like others do not differ to the eye,
/// and models take no others in names of tools than the plain ones.
pub(super) fn odd_name(kind: Kind, key: &str) -> Option<String> {
    let odd = key.chars().find(|c| !c.is_ascii()).filter(|_| kind != Kind::Resource)?;
    Some(format!("its name has a letter that can look like another (U+{:04X})", u32::from(odd)))
}

fn find_at(value: &Value, place: &mut String) -> Option<String> {
    let length = place.len();
    match value {
        Value::String(text) => hidden(text).map(|own| sentence(place, own)),
        Value::Array(items) => items.iter().enumerate().find_map(|(position, item)| {
            place.truncate(length);
            place.push_str(&format!("[{position}]"));
            find_at(item, place)
        }),
        Value::Object(fields) => fields.iter().find_map(|(key, value)| {
            place.truncate(length);
            if let Some(own) = hidden(key) {
                return Some(sentence(place, own));
            }
            if length > 0 {
                place.push('.');
            }
            place.push_str(key);
            find_at(value, place)
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

fn sentence(place: &str, own: char) -> String {
    let code = u32::from(own);
    let kind = match own {
        '\u{1b}' | '\u{9b}' => "a code for terminals",
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            "a character that changes the order of writing"
        }
        _ => "a character that nobody sees",
    };
    let place = if place.is_empty() { "a key" } else { place };
    format!("`{place}` has {kind} (U+{code:04X})")
}

/// The first character of a text that hides and has no business there.
fn hidden(text: &str) -> Option<char> {
    let mut before = None;
    let mut rest = text.chars().peekable();
    while let Some(own) = rest.next() {
        if is_hidden_char(own) && !belongs(before, own, rest.peek().copied()) {
            return Some(own);
        }
        before = Some(own);
    }
    None
}

/// Whether a character that shows nothing is part of how the text around it is written: ends of
/// lines, wide blanks, emoji, and the joiners of scripts that need them.
fn belongs(before: Option<char>, own: char, after: Option<char>) -> bool {
    let shows = |c: char| !c.is_ascii() && !is_hidden_char(c);
    match own {
        '\n' | '\t' => true,
        '\r' => after == Some('\n'),
        '\u{fe0f}' | '\u{fe0e}' => {
            before.is_some_and(|c| shows(c) && !c.is_alphabetic()) || after == Some('\u{20e3}')
        }
        '\u{200c}' | '\u{200d}' => {
            before.is_some_and(|c| shows(c) || c == '\u{fe0f}') && after.is_some_and(shows)
        }
        '\u{2028}' | '\u{2029}' => false,
        _ => own.is_whitespace() && !own.is_control(),
    }
}

#[cfg(test)]
#[path = "hidden_tests.rs"]
mod tests;
