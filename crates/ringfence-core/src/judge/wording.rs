//! Whether a command could have the words of a pattern, told from the pattern's text.

use crate::access::{Arg, Exec, Meant};
use crate::text::{cut, parts};

/// Whether the words that the text of a command pattern wants could all be words of a command, or of
/// what it means. Where the text says anything unusual, they could.
pub(super) fn may_have_words(exec: &Exec, text: &str) -> bool {
    let is_unusual = |byte: u8| matches!(byte, b'\\' | b'[' | b'?' | b'\'' | b'"' | 0..=b' ');
    if !text.is_ascii() || text.bytes().any(is_unusual) || has_unknown(exec) {
        return true;
    }
    let Some((_, words)) = cut(text, b':') else { return true };
    parts(words, b':').all(|word| may_have(exec, word))
}

/// Whether some word of the command cannot be told.
fn has_unknown(exec: &Exec) -> bool {
    let mut meant = exec.reading.iter().flatten();
    exec.args.iter().any(|arg| arg.known().is_none())
        || meant.any(|meant| matches!(meant, Meant::Unknown(_)))
}

fn may_have(exec: &Exec, word: &str) -> bool {
    match word.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        Some(list) if is_list(list) => list.split(',').any(|word| may_have_one(exec, word)),
        _ => may_have_one(exec, word),
    }
}

/// Whether what stands in braces is a list of words.
fn is_list(inside: &str) -> bool {
    inside.contains(',') && !inside.contains(['{', '}'])
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
            Meant::OneOf(names) => names.iter().any(|name| fits(name)),
            Meant::Word(text) => fits(text),
            Meant::Unknown(_) => true,
        })
}
