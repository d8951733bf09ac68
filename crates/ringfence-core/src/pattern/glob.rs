//! Globs within one token, path component or name.

use std::fmt;

use super::MAX_WILDCARDS;
use super::error::PatternError;

/// A sequence of characters and wildcards that is matched against a whole text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Glob {
    parts: Vec<GlobPart>,
}

/// One element of a glob.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum GlobPart {
    /// A fixed character.
    Char(char),
    /// `?`: any one character.
    Any,
    /// `*`: any characters, also none.
    Star,
    /// `[a-z]`: one character of a set.
    Class(CharClass),
}

/// A set of characters, written as ranges.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CharClass {
    negated: bool,
    ranges: Vec<(char, char)>,
}

impl CharClass {
    /// Returns whether the set contains a character.
    pub fn has(&self, c: char) -> bool {
        self.ranges.iter().any(|&(low, high)| low <= c && c <= high) != self.negated
    }

    /// Returns the first and last characters of the ranges.
    pub fn edges(&self) -> impl Iterator<Item = char> + '_ {
        self.ranges.iter().flat_map(|&(low, high)| [low, high])
    }
}

impl Glob {
    /// Parses a glob; `\` makes the next character plain.
    pub fn parse(text: &str) -> Result<Glob, PatternError> {
        // Two stars in a row mean the same as one, but would double the matching cost.
        Glob::read(text, &[GlobPart::Star])
    }

    /// Parses a glob over a whole path, where `**` differs from `*`.
    pub(super) fn parse_path(text: &str) -> Result<Glob, PatternError> {
        Glob::read(text, &[GlobPart::Star, GlobPart::Star])
    }

    /// Parses a glob. `most` is the longest run of stars that has a meaning.
    fn read(text: &str, most: &[GlobPart]) -> Result<Glob, PatternError> {
        let mut parts = Vec::with_capacity(text.len());
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            let part = match c {
                '\\' => GlobPart::Char(
                    chars.next().ok_or_else(|| PatternError::new(text, "ends in a lone `\\`"))?,
                ),
                '*' => GlobPart::Star,
                '?' => GlobPart::Any,
                '[' => GlobPart::Class(parse_class(text, &mut chars)?),
                c => GlobPart::Char(c),
            };
            if part != GlobPart::Star || !parts.ends_with(most) {
                parts.push(part);
            }
        }
        let wildcards = parts.iter().filter(|part| !matches!(part, GlobPart::Char(_))).count();
        if wildcards > MAX_WILDCARDS {
            let reason = format!("has {wildcards} wildcards, more than {MAX_WILDCARDS}");
            return Err(PatternError::new(text, reason));
        }
        Ok(Glob { parts })
    }

    /// Returns whether a text contains no special character of globs.
    pub(super) fn is_plain(text: &str) -> bool {
        !text.bytes().any(|byte| matches!(byte, b'*' | b'?' | b'[' | b'\\'))
    }

    /// Creates a glob that matches exactly this text.
    pub fn literal(text: &str) -> Glob {
        Glob { parts: text.chars().map(GlobPart::Char).collect() }
    }

    /// Creates the glob `*`.
    pub fn any() -> Glob {
        Glob { parts: vec![GlobPart::Star] }
    }

    /// Returns the elements in order.
    pub fn parts(&self) -> &[GlobPart] {
        &self.parts
    }

    /// Returns the text if the glob contains no wildcard.
    pub fn as_literal(&self) -> Option<String> {
        self.parts
            .iter()
            .map(|part| match part {
                GlobPart::Char(c) => Some(*c),
                _ => None,
            })
            .collect()
    }

    /// Returns the text before the first wildcard.
    pub fn literal_start(&self) -> String {
        let plain = |part: &GlobPart| match part {
            GlobPart::Char(c) => Some(*c),
            _ => None,
        };
        self.parts.iter().map_while(plain).collect()
    }

    /// Returns whether the glob is a single `*`.
    pub fn is_any(&self) -> bool {
        self.parts == [GlobPart::Star]
    }

    /// Returns whether the glob matches the whole text. The cost is linear in the text for each
    /// star.
    pub fn matches(&self, text: &str) -> bool {
        let mut rest = text.chars();
        let mut parts = self.parts.as_slice();
        // Only the last star ever needs to be retried: all elements before it have matched.
        let mut retry: Option<(&[GlobPart], std::str::Chars<'_>)> = None;
        loop {
            if let [GlobPart::Star, after @ ..] = parts {
                retry = Some((after, rest.clone()));
                parts = after;
                continue;
            }
            let mut ahead = rest.clone();
            match (parts, ahead.next()) {
                ([], None) => return true,
                ([part, after @ ..], Some(c)) if part.takes(c) => {
                    parts = after;
                    rest = ahead;
                    continue;
                }
                _ => {}
            }
            let Some((after, ref mut from)) = retry else {
                return false;
            };
            if from.next().is_none() {
                return false;
            }
            parts = after;
            rest = from.clone();
        }
    }

    /// Returns the glob with every character mapped, for file systems that ignore case.
    pub fn fold(&self, map: impl Fn(char) -> Vec<char>) -> Glob {
        let parts = self.parts.iter().flat_map(|part| match part {
            GlobPart::Char(c) => map(*c).into_iter().map(GlobPart::Char).collect(),
            other => vec![other.clone()],
        });
        Glob { parts: parts.collect() }
    }
}

impl GlobPart {
    /// Returns whether this element matches a single character; always false for a star.
    pub fn takes(&self, c: char) -> bool {
        match self {
            GlobPart::Char(own) => *own == c,
            GlobPart::Any => true,
            GlobPart::Class(class) => class.has(c),
            GlobPart::Star => false,
        }
    }
}

fn parse_class(text: &str, chars: &mut std::str::Chars<'_>) -> Result<CharClass, PatternError> {
    let open =
        || PatternError::new(text, "has `[` without `]`").hint("write `\\[` for a plain bracket");
    let negated = chars.as_str().starts_with(['!', '^']);
    if negated {
        chars.next();
    }
    let mut ranges = Vec::new();
    loop {
        let low = match chars.next().ok_or_else(open)? {
            ']' if !ranges.is_empty() => return Ok(CharClass { negated, ranges }),
            '\\' => chars.next().ok_or_else(open)?,
            c => c,
        };
        let mut ahead = chars.clone();
        let high = match (ahead.next(), ahead.next()) {
            (Some('-'), Some(high)) if high != ']' => {
                *chars = ahead;
                high
            }
            _ => low,
        };
        if high < low {
            return Err(PatternError::new(text, format!("has the empty range `{low}-{high}`")));
        }
        ranges.push((low, high));
    }
}

impl fmt::Display for Glob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in &self.parts {
            match part {
                GlobPart::Char(c @ ('*' | '?' | '[' | '\\' | '{')) => write!(f, "\\{c}")?,
                GlobPart::Char(c) => write!(f, "{c}")?,
                GlobPart::Any => f.write_str("?")?,
                GlobPart::Star => f.write_str("*")?,
                GlobPart::Class(class) => write!(f, "{class}")?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for CharClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = |c: char| {
            if matches!(c, '\\' | ']' | '[' | '!' | '^' | '-') {
                format!("\\{c}")
            } else {
                c.to_string()
            }
        };
        f.write_str(if self.negated { "[!" } else { "[" })?;
        for &(low, high) in &self.ranges {
            f.write_str(&plain(low))?;
            if high != low {
                write!(f, "-{}", plain(high))?;
            }
        }
        f.write_str("]")
    }
}
