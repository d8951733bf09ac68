//! Helpers for short texts: spelling suggestions, splitting, and creation without allocation.

use crate::access::Text;

/// Returns the candidate with the smallest edit distance to the word, if it is small enough.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // No known key is longer than this, so longer words have no candidate.
    const LONGEST: usize = 64;
    if word.chars().count() > LONGEST {
        return None;
    }
    let limit = (word.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}

/// Returns the edit distance of two words: characters changed, added, dropped or swapped.
fn distance(one: &str, two: &str) -> usize {
    let two: Vec<char> = two.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=two.len()).collect();
    let mut last_char = None;
    for (row, a) in one.chars().enumerate() {
        let mut current = vec![row.saturating_add(1)];
        for (column, b) in two.iter().enumerate() {
            let at = |row: &[usize], index: usize| row.get(index).copied().unwrap_or(usize::MAX);
            let changed = at(&last, column).saturating_add(usize::from(a != *b));
            let dropped = at(&last, column.saturating_add(1)).saturating_add(1);
            let added = at(&current, column).saturating_add(1);
            let mut best = changed.min(dropped).min(added);
            let swapped = column
                .checked_sub(1)
                .filter(|left| last_char == Some(*b) && two.get(*left) == Some(&a));
            if let Some(left) = swapped {
                best = best.min(at(&before, left).saturating_add(1));
            }
            current.push(best);
        }
        before = std::mem::replace(&mut last, current);
        last_char = Some(a);
    }
    last.last().copied().unwrap_or(usize::MAX)
}

/// Copies a text, like [`Text::from`], but faster for short texts.
///
/// The lengths 1 to 15 are constants in the generated code, so the inline copy is built in
/// registers. A copy of variable length is written byte by byte, and reading it back at once would
/// stall. Returning the result from a function that is not inlined loses the gain.
#[inline(always)]
pub fn inline_text(text: &str) -> Text {
    #[inline]
    fn of<const LEN: usize>(text: &str) -> Text {
        text.get(..LEN).map_or_else(|| Text::from(text), Text::from)
    }
    match text.len() {
        1 => of::<1>(text),
        2 => of::<2>(text),
        3 => of::<3>(text),
        4 => of::<4>(text),
        5 => of::<5>(text),
        6 => of::<6>(text),
        7 => of::<7>(text),
        8 => of::<8>(text),
        9 => of::<9>(text),
        10 => of::<10>(text),
        11 => of::<11>(text),
        12 => of::<12>(text),
        13 => of::<13>(text),
        14 => of::<14>(text),
        15 => of::<15>(text),
        _ => Text::from(text),
    }
}

/// Returns whether a text contains an ASCII byte. A byte loop is faster than a search routine for
/// short texts.
pub fn has_byte(text: &str, byte: u8) -> bool {
    text.bytes().any(|own| own == byte)
}

/// Splits a text at the first occurrence of an ASCII byte, which belongs to neither part.
pub fn split_at_byte(text: &str, at: u8) -> Option<(&str, &str)> {
    let end = text.bytes().position(|byte| byte == at)?;
    Some((text.get(..end)?, text.get(end.saturating_add(1)..)?))
}

/// Splits a text at every occurrence of an ASCII byte.
pub(crate) fn split_at_each_byte(text: &str, at: u8) -> impl Iterator<Item = &str> {
    let mut left = Some(text);
    std::iter::from_fn(move || {
        let text = left?;
        let (part, rest) =
            split_at_byte(text, at).map_or((text, None), |(part, rest)| (part, Some(rest)));
        left = rest;
        Some(part)
    })
}

/// Returns whether a text contains whitespace, including Unicode whitespace.
pub(crate) fn has_space(text: &str) -> bool {
    // The fold has no early exit, so that the compiler can vectorise it.
    let is_shown = |all: bool, byte: u8| all & matches!(byte, b'!'..=b'~');
    !text.bytes().fold(true, is_shown) && text.contains(char::is_whitespace)
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
