//! What an operator makes of a value: `${x#y}`, `${x%/*}`, `${x/a/b}`, `${x:1:2}`.
//!
//! Only what every version of bash makes alike is computed: patterns of plain text, `*` and `?`.

use super::Walker;
use crate::ast::{ParamOpKind, Part, PartKind, Word};

/// The longest value of which patterns are cut.
const LONGEST: usize = 4096;

/// A pattern of plain text, `*` and `?`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Pattern(Vec<Sign>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// `*`
    Any,
    /// `?`
    One,
    Plain(char),
}

impl Pattern {
    /// Whether it matches all of a text.
    fn matches(&self, text: &[char]) -> bool {
        let mut at = vec![false; self.0.len().saturating_add(1)];
        self.mark(0, &mut at);
        for sign in text {
            let mut next = vec![false; at.len()];
            for (place, reached) in at.iter().enumerate() {
                let after = place.saturating_add(1);
                match self.0.get(place).filter(|_| *reached) {
                    Some(Sign::Any) => self.mark(place, &mut next),
                    Some(Sign::One) => self.mark(after, &mut next),
                    Some(Sign::Plain(own)) if own == sign => self.mark(after, &mut next),
                    _ => {}
                }
            }
            at = next;
        }
        at.last().copied().unwrap_or_default()
    }

    fn mark(&self, mut place: usize, at: &mut [bool]) {
        loop {
            if let Some(mark) = at.get_mut(place) {
                *mark = true;
            }
            match self.0.get(place) {
                Some(Sign::Any) => place = place.saturating_add(1),
                _ => return,
            }
        }
    }
}

impl Walker<'_> {
    /// Returns what an operator makes of a value that is known.
    #[cold]
    pub(super) fn operated(
        &mut self,
        kind: ParamOpKind,
        word: &Word,
        value: &str,
    ) -> Option<String> {
        let long = value.len() > LONGEST || word.parts.len() > LONGEST;
        if long || !self.spend(value.len().saturating_mul(value.len())) {
            return None;
        }
        match kind {
            ParamOpKind::RemovePrefix => {
                let (longest, parts) = doubled(&word.parts, '#');
                self.cut((&parts, is_bare(word)), value, longest, true)
            }
            ParamOpKind::RemoveSuffix => {
                let (longest, parts) = doubled(&word.parts, '%');
                self.cut((&parts, is_bare(word)), value, longest, false)
            }
            ParamOpKind::Replace => self.replaced(word, value),
            ParamOpKind::Substring => substring(word, value),
            ParamOpKind::Transform('U') => Some(value.to_uppercase()).filter(|_| value.is_ascii()),
            ParamOpKind::Transform('L') => Some(value.to_lowercase()).filter(|_| value.is_ascii()),
            _ => None,
        }
    }

    fn cut(
        &mut self,
        (parts, bare): (&[Part], bool),
        value: &str,
        longest: bool,
        front: bool,
    ) -> Option<String> {
        let pattern = self.pattern(parts, bare)?;
        let signs: Vec<char> = value.chars().collect();
        let mut ends: Vec<usize> = (0..=signs.len()).collect();
        if longest == front {
            ends.reverse();
        }
        for end in ends {
            let (before, after) = signs.split_at_checked(end)?;
            let (cut, rest) = if front { (before, after) } else { (after, before) };
            if pattern.matches(cut) {
                return Some(rest.iter().collect());
            }
        }
        Some(value.to_owned())
    }

    /// `${x/a/b}`, `${x//a/b}`, `${x/#a/b}`, `${x/%a/b}`
    fn replaced(&mut self, word: &Word, value: &str) -> Option<String> {
        let (all, parts) = doubled(&word.parts, '/');
        let (pattern, by) = at_slash(&parts)?;
        if starts_plain(&pattern, ['#', '%']) && !all {
            return None;
        }
        let pattern = self.pattern(&pattern, is_bare(word))?;
        let by = self.expand_one(&Word { parts: by, ..Word::default() });
        let by = by.as_known().filter(|by| !by.contains('&'))?.to_owned();
        let signs: Vec<char> = value.chars().collect();
        if pattern.0.is_empty() {
            return Some(value.to_owned());
        }
        let (mut text, mut at) = (String::new(), 0_usize);
        while at < signs.len() {
            let ends = (at.saturating_add(1)..=signs.len()).rev();
            let found = ends
                .into_iter()
                .find(|end| signs.get(at..*end).is_some_and(|piece| pattern.matches(piece)));
            match found {
                Some(end) => {
                    text.push_str(&by);
                    at = end;
                    if !all {
                        break;
                    }
                }
                None => {
                    text.extend(signs.get(at));
                    at = at.saturating_add(1);
                }
            }
        }
        text.extend(signs.get(at..).unwrap_or_default());
        Some(text)
    }

    /// The pattern that parts of a word become; `bare` says that no quotes stand in the word.
    fn pattern(&mut self, parts: &[Part], bare: bool) -> Option<Pattern> {
        const SPECIAL: [char; 5] = ['*', '?', '[', '\\', '('];
        let mut signs = Vec::new();
        for part in parts {
            match &part.kind {
                PartKind::Literal(text) | PartKind::Glob(text)
                    if bare && !text.contains(['[', '\\', '(']) =>
                {
                    signs.extend(text.chars().map(|sign| match sign {
                        '*' => Sign::Any,
                        '?' => Sign::One,
                        plain => Sign::Plain(plain),
                    }));
                }
                PartKind::Literal(text) if !text.contains(SPECIAL) => {
                    signs.extend(text.chars().map(Sign::Plain));
                }
                PartKind::Glob(text) if !part.quoted && text == "*" => signs.push(Sign::Any),
                PartKind::Param(_) | PartKind::Tilde(_) => {
                    let word = Word { parts: vec![part.clone()], ..Word::default() };
                    let text = self.expand_one(&word);
                    let text = text.as_known().filter(|text| !text.contains(SPECIAL))?;
                    signs.extend(text.chars().map(Sign::Plain));
                }
                _ => return None,
            }
        }
        Some(Pattern(signs))
    }
}

/// Whether no quotes and no backslashes stand in a word: in quotes outside of it a star is none.
fn is_bare(word: &Word) -> bool {
    let length = |part: &Part| match &part.kind {
        PartKind::Literal(text) | PartKind::Glob(text) => text.len(),
        _ => part.span.end.saturating_sub(part.span.start),
    };
    let all: usize = word.parts.iter().map(length).sum();
    all == word.span.end.saturating_sub(word.span.start)
}

/// Whether an operator is doubled, and the parts of its word without that.
fn doubled(parts: &[Part], sign: char) -> (bool, Vec<Part>) {
    let mut parts = parts.to_vec();
    let Some(Part { quoted: false, kind: PartKind::Literal(text), .. }) = parts.first_mut() else {
        return doubled_in_quotes(parts, sign);
    };
    let is_doubled = text.starts_with(sign);
    if is_doubled {
        text.remove(0);
    }
    (is_doubled, parts)
}

/// In quotes the operator is as plain as outside.
fn doubled_in_quotes(mut parts: Vec<Part>, sign: char) -> (bool, Vec<Part>) {
    match parts.first_mut() {
        Some(Part { kind: PartKind::Literal(text), .. }) if text.starts_with(sign) => {
            text.remove(0);
            (true, parts)
        }
        _ => (false, parts),
    }
}

fn starts_plain(parts: &[Part], signs: [char; 2]) -> bool {
    matches!(parts.first(), Some(Part { kind: PartKind::Literal(text), .. }) if text.starts_with(signs))
}

/// Parts of a word before and behind its first slash.
fn at_slash(parts: &[Part]) -> Option<(Vec<Part>, Vec<Part>)> {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let mut behind = false;
    for part in parts {
        match &part.kind {
            PartKind::Literal(text) if !behind => match text.split_once('/') {
                Some((one, other)) => {
                    behind = true;
                    let half = |text: &str| Part {
                        kind: PartKind::Literal(text.to_owned()),
                        ..part.clone()
                    };
                    before.push(half(one));
                    after.push(half(other));
                }
                None => before.push(part.clone()),
            },
            _ if behind => after.push(part.clone()),
            _ => before.push(part.clone()),
        }
    }
    // A backslash before the slash makes it plain; how much of it is left is not known here.
    let has_backslash = |parts: &[Part]| {
        parts
            .iter()
            .any(|part| matches!(&part.kind, PartKind::Literal(text) if text.contains('\\')))
    };
    (!has_backslash(&before)).then_some((before, after))
}

/// `${x:1}`, `${x:1:2}` with plain numbers.
fn substring(word: &Word, value: &str) -> Option<String> {
    let text = word.as_static()?;
    let (from, count) = match text.split_once(':') {
        Some((from, count)) => (from, Some(count)),
        None => (&*text, None),
    };
    let number = |text: &str| {
        let text = text.trim();
        let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let octal = text.len() > 1 && text.starts_with('0');
        text.parse::<usize>().ok().filter(|_| plain && !octal)
    };
    let rest = value.chars().skip(number(from)?);
    Some(match count {
        Some(count) => rest.take(number(count)?).collect(),
        None => rest.collect(),
    })
}
