//! Whether a command could have the words of a pattern, told from the pattern's text.

use crate::access::{Arg, Exec, Meant};
use crate::text::{cut, has_space, parts};

/// The programs that the text of a command pattern names.
pub(super) enum Named<'t> {
    /// These, parted by commas.
    These(&'t str),
    /// It does not say so plainly.
    Any,
}

impl<'t> Named<'t> {
    /// Reads as much of a text as tells it; the same as [`names_in`](super::by_name::names_in), for
    /// whoever only compares.
    pub(super) fn read(text: &'t str) -> Named<'t> {
        let program = cut(text, b':').map_or(text, |(program, _)| program);
        let inside = program.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        let comma = if inside.is_some() { b',' } else { b'-' };
        // Without a way out in between, many bytes are looked at in one step.
        let is_plain = |all: bool, byte: u8| {
            let is_word = matches!(byte, b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z');
            all & (is_word | matches!(byte, b'_' | b'.' | b'+' | b'-') | (byte == comma))
        };
        let names = inside.unwrap_or(program);
        match names.bytes().fold(true, is_plain) && !has_space(text) {
            true => Named::These(names),
            false => Named::Any,
        }
    }

    /// Whether a program of this name may be among them.
    pub(super) fn may_be(&self, name: &str) -> bool {
        match self {
            Named::These(names) => parts(names, b',').any(|own| own == name || own.is_empty()),
            Named::Any => true,
        }
    }
}

/// Whether the words that the text of a command pattern wants could all be words of a command, or of
/// what it means. Where the text says anything unusual, they could.
pub(super) fn may_have_words(exec: &Exec, text: &str) -> bool {
    let is_usual = |all: bool, byte: u8| {
        all & matches!(byte, b'!'..=b'~') & !matches!(byte, b'\\' | b'[' | b'?' | b'\'' | b'"')
    };
    if !text.bytes().fold(true, is_usual) || has_unknown(exec) {
        return true;
    }
    let Some((_, words)) = cut(text, b':') else { return true };
    parts(words, b':').all(|word| may_have(exec, word))
}

/// Whether some word of the command cannot be told.
fn has_unknown(exec: &Exec) -> bool {
    let mut meant = exec.reading.iter().flatten();
    exec.args.iter().any(|arg| arg.known().is_none())
        || meant.any(|meant| matches!(meant, Meant::Unknown(_) | Meant::Value(Arg::Unknown(_))))
}

fn may_have(exec: &Exec, word: &str) -> bool {
    match word.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        Some(list) if is_list(list) => parts(list, b',').any(|word| may_have_one(exec, word)),
        _ => may_have_one(exec, word),
    }
}

/// Whether what stands in braces is a list of words.
fn is_list(inside: &str) -> bool {
    cut(inside, b',').is_some() && !inside.bytes().any(|byte| matches!(byte, b'{' | b'}'))
}

fn may_have_one(exec: &Exec, word: &str) -> bool {
    if word.is_empty() || word.bytes().any(|byte| matches!(byte, b'*' | b'{' | b'}' | b',')) {
        return true;
    }
    // Options have many spellings, and an operand may be a part of a word: `--format=short`.
    let fits = |own: &str| match word.starts_with('-') {
        true => own.starts_with('-'),
        false => own == word || own.len() > word.len() && own.contains(word),
    };
    let mut meant = exec.reading.iter().flatten();
    exec.args.iter().filter_map(Arg::known).any(fits)
        || meant.any(|meant| match meant {
            Meant::OneOf(names) | Meant::Named(names) => names.iter().any(|name| fits(name)),
            Meant::Word(text) | Meant::Value(Arg::Known(text)) => fits(text),
            Meant::Unknown(_) | Meant::Value(Arg::Unknown(_)) => true,
        })
}
