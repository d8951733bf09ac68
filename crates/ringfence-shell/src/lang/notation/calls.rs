//! Calls of functions and words before strings, wherever they stand in a text.
//!
//! Strings are looked into as well: languages put code into them in ways of their own, and a name
//! too much only asks once more.

use super::shape::{Does, Found};

/// A name with a parenthesis behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Call<'t> {
    pub(super) name: &'t str,
    /// Its first argument, where that is a string without escapes and nothing else.
    pub(super) text: Option<&'t str>,
    /// Its first argument where that is a plain name.
    pub(super) word: Option<&'t str>,
}

/// All calls in a text.
pub(super) fn of(text: &str) -> impl Iterator<Item = Call<'_>> {
    text.match_indices('(').filter_map(|(at, _)| {
        let before = text.get(..at)?.trim_end();
        let (_, name) = last_name(before)?;
        let after = text.get(at.checked_add(1)?..)?.trim_start();
        let word_end = after.find(|c: char| !is_name(c)).unwrap_or(after.len());
        let (word, rest) = after.split_at_checked(word_end)?;
        let ends = rest.trim_start().starts_with([')', ',']);
        let word = Some(word).filter(|word| ends && !word.is_empty());
        Some(Call { name, text: string(after), word })
    })
}

/// The string behind each of these words, in any case of letters; one that is not plain is doubted.
pub(super) fn files_after(text: &str, words: &[(&str, Does)]) -> Found {
    let mut found = Vec::new();
    let mut inside = None;
    for (at, quote) in text.match_indices(['\'', '"']) {
        match inside {
            Some(open) if open == quote => inside = None,
            Some(_) => {}
            None => {
                inside = Some(quote);
                let before = text.get(..at).unwrap_or("").trim_end();
                let word = last_name(before).map_or("", |(_, name)| name);
                let own = words.iter().find(|(own, _)| word.eq_ignore_ascii_case(own));
                if let Some((word, does)) = own {
                    let value = text.get(at..).and_then(quoted);
                    found.extend(match value {
                        Some(value) => does.with(word, value),
                        None => Does::Unknown.with(word, "?"),
                    });
                }
            }
        }
    }
    found
}

/// The name at the end of a text, with what stands before it. Names are short, so that looking
/// back from every place stays in proportion to the text.
fn last_name(text: &str) -> Option<(&str, &str)> {
    const LONGEST: usize = 64;
    let mut start = text.len();
    for (at, c) in text.char_indices().rev().take(LONGEST) {
        if !is_name(c) {
            break;
        }
        start = at;
    }
    let (before, name) = text.split_at_checked(start)?;
    (!name.is_empty()).then_some((before, name))
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// A string that is a whole argument.
fn string(after: &str) -> Option<&str> {
    let text = quoted(after)?;
    let rest = after.get(text.len().checked_add(2)?..)?.trim_start();
    rest.starts_with([')', ',']).then_some(text)
}

/// The string with which a text begins.
fn quoted(text: &str) -> Option<&str> {
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let (inside, rest) = text.get(1..)?.split_once(quote)?;
    // A doubled quote and an escape mean another text.
    (!inside.contains('\\') && !rest.starts_with(quote)).then_some(inside)
}
