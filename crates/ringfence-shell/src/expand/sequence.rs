//! `{1..5}` and its like.

/// The longest sequence that is written out.
pub(super) const MAX_ITEMS: usize = 4096;

/// What the text between braces is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Sequence {
    /// No sequence: the braces stand for themselves.
    Not,
    /// Its items.
    Items(Vec<String>),
    /// A sequence that is not written out.
    Unclear,
}

/// Reads the text between braces.
pub(super) fn sequence(text: &str) -> Sequence {
    let Some((first, rest)) = text.split_once("..") else { return Sequence::Not };
    // Bash overlooks some blanks before a number, in some places.
    if text.contains(['\r', '\u{b}', '\u{c}']) {
        return Sequence::Unclear;
    }
    let (last, step) = match rest.split_once("..") {
        Some((last, step)) => match integer(step) {
            Some(step) => (last, step),
            None => return Sequence::Not,
        },
        None => (rest, 1),
    };
    if let (Some(from), Some(to)) = (integer(first), integer(last)) {
        let width =
            if is_padded(first) || is_padded(last) { first.len().max(last.len()) } else { 0 };
        return numbers(from, to, step, width);
    }
    match (letter(first), letter(last)) {
        (Some(from), Some(to)) => letters(from, to, step),
        _ => Sequence::Not,
    }
}

fn integer(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

fn is_padded(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits.len() > 1 && digits.starts_with('0')
}

fn letter(text: &str) -> Option<u8> {
    match text.as_bytes() {
        [byte] if byte.is_ascii_alphabetic() => Some(*byte),
        _ => None,
    }
}

fn numbers(from: i64, to: i64, step: i64, width: usize) -> Sequence {
    // Bash pads with a narrower type; nothing that large is written out anyway.
    let small = -1_000_000_000..=1_000_000_000;
    if !small.contains(&from) || !small.contains(&to) || !small.contains(&step) {
        return Sequence::Unclear;
    }
    let Some(values) = values(from, to, step) else { return Sequence::Unclear };
    Sequence::Items(values.map(|value| format!("{value:0width$}")).collect())
}

fn letters(from: u8, to: u8, step: i64) -> Sequence {
    // Between the cases lie a backslash and a backquote, which bash then reads as such.
    if from.is_ascii_uppercase() != to.is_ascii_uppercase() {
        return Sequence::Unclear;
    }
    let Some(values) = values(from.into(), to.into(), step) else { return Sequence::Unclear };
    let character = |value| u8::try_from(value).map(char::from).unwrap_or_default();
    Sequence::Items(values.map(|value| character(value).to_string()).collect())
}

/// The values from one end to the other; `None` if there are too many.
fn values(from: i64, to: i64, step: i64) -> Option<impl Iterator<Item = i64>> {
    let step = step.unsigned_abs().max(1);
    let count = from.abs_diff(to).checked_div(step)?.saturating_add(1);
    if usize::try_from(count).is_ok_and(|count| count > MAX_ITEMS) {
        return None;
    }
    let step = i64::try_from(step).ok()?;
    let step = if from <= to { step } else { step.saturating_neg() };
    let next = move |value: &i64| value.checked_add(step);
    let count = usize::try_from(count).ok()?;
    Some(std::iter::successors(Some(from), next).take(count))
}

#[cfg(test)]
#[path = "sequence_tests.rs"]
mod tests;
