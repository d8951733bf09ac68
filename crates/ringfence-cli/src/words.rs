//! Words of commands for people: quoted where they need it, secrets hashed, nothing invisible.

use std::borrow::Cow;

use ringfence_guard::redact::{redact, redact_words, visible};

/// A word as a person would type it.
pub(crate) fn quoted(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || "_-+=:,./@%^~".contains(c);
    let is_bare = !word.is_empty() && !word.starts_with('~') && word.chars().all(is_plain);
    if is_bare || word == "{}" || word == "[" || word == "]" {
        return Cow::Borrowed(word);
    }
    Cow::Owned(format!("'{}'", word.replace('\'', "'\\''")))
}

/// Words that stand behind each other, fit to be shown.
pub(crate) fn shown<T: AsRef<str>>(words: &[T]) -> String {
    let joined = redact_words(words).join(" ");
    visible(&redact(&joined)).into_owned()
}

/// The text, cut where it grows too long for a heading.
pub(crate) fn shortened(text: &str, longest: usize) -> Cow<'_, str> {
    if text.chars().count() <= longest {
        return Cow::Borrowed(text);
    }
    let kept: String = text.chars().take(longest.saturating_sub(1)).collect();
    Cow::Owned(format!("{}…", kept.trim_end()))
}

/// `1 command`, `2 commands`.
pub(crate) fn counted(count: usize, one: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {one}s"),
    }
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod tests;
