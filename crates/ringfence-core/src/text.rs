//! Help with words that were probably meant otherwise, and with short texts.

use crate::access::Text;

/// The candidate that is nearest to the word, if any is near enough to be meant.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Words beyond any key's length are not worth comparing.
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

/// How many characters must be changed, added, dropped or swapped to get from one to the other.
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

/// A text of its own, as [`Text::from`] makes it.
///
/// Most words are short, and are kept where they stand. Of a length that is known when this is compiled
/// one is put together in registers; else it is copied byte by byte, and whoever looks at it right
/// afterwards waits for that. So it is of use where the text is not handed on by a function either.
#[inline(always)]
pub fn short(text: &str) -> Text {
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

/// Whether a text has such a byte, which is ASCII. Words and patterns are short: looking at each byte
/// is quicker than to search.
pub fn has(text: &str, byte: u8) -> bool {
    text.bytes().any(|own| own == byte)
}

/// A text before and behind the first such byte, which is ASCII.
pub fn cut(text: &str, at: u8) -> Option<(&str, &str)> {
    let end = text.bytes().position(|byte| byte == at)?;
    Some((text.get(..end)?, text.get(end.saturating_add(1)..)?))
}

/// The parts of a text between such bytes, which are ASCII.
pub(crate) fn parts(text: &str, at: u8) -> impl Iterator<Item = &str> {
    let mut left = Some(text);
    std::iter::from_fn(move || {
        let text = left?;
        let (part, rest) = cut(text, at).map_or((text, None), |(part, rest)| (part, Some(rest)));
        left = rest;
        Some(part)
    })
}

/// Whether a text has a blank of any sort in it.
pub(crate) fn has_space(text: &str) -> bool {
    // Without a way out in between, many bytes are looked at in one step.
    let is_shown = |all: bool, byte: u8| all & matches!(byte, b'!'..=b'~');
    !text.bytes().fold(true, is_shown) && text.contains(char::is_whitespace)
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
