//! The ways in which the words of a pattern may be written.

use super::entry::Side;
use super::exec_words::CUT;
use crate::index::Step;
use crate::pattern::Token;

pub(super) fn plain(token: &Token) -> Step<'_> {
    match token {
        Token::Literal(word) => Step::Literal(word),
        Token::Glob(glob) => Step::Glob(glob),
        Token::Run => Step::Deep,
    }
}

/// The ways in which the words of a pattern may be written.
///
/// What objects sees through the usual spellings of options: `-rf` is `-r` and `-f` in any order,
/// and a long option may be cut short.
pub(super) fn spellings(words: &[Token], side: Side) -> Vec<Vec<Step<'_>>> {
    let mut all: Vec<Vec<Step<'_>>> = vec![Vec::new()];
    for word in words {
        let mut ways = vec![vec![plain(word)]];
        if let Token::Literal(text) = word {
            ways = match side {
                Side::Object => option_spellings(text).unwrap_or(ways),
                Side::Grant => {
                    ways.extend(equal_spellings(text));
                    ways
                }
            };
        }
        let before = std::mem::take(&mut all);
        for way in ways {
            all.extend(before.iter().map(|steps| [steps.as_slice(), way.as_slice()].concat()));
        }
    }
    all
}

/// The other ways to write an option of a granting pattern, where they mean the same to every
/// program that reads options by this spelling at all: they are met only in a command's meaning.
fn equal_spellings(text: &str) -> Vec<Vec<Step<'_>>> {
    if let Some((name, value)) = text.split_once('=').filter(|_| text.starts_with("--")) {
        return vec![vec![Step::Literal(name), Step::Literal(value)]];
    }
    let letters = text.strip_prefix('-').unwrap_or_default();
    let cluster = letters.chars().all(|letter| letter.is_ascii_alphabetic());
    if !cluster || !(2..=3).contains(&letters.len()) {
        return Vec::new();
    }
    let letters: Vec<&str> = letters.split_terminator("").skip(1).collect();
    let apart = |order: Vec<&str>| -> Vec<Step<'_>> {
        order.iter().map(|letter| Step::OneOf(vec![format!("-{letter}")])).collect()
    };
    orders(&letters).into_iter().map(apart).collect()
}

fn option_spellings(text: &str) -> Option<Vec<Vec<Step<'_>>>> {
    /// The shortest beginning of a long option that is taken for it.
    const SHORTEST: usize = 2;
    if let Some((name, value)) = text.split_once('=').filter(|_| text.starts_with("--")) {
        let apart = vec![Step::Literal(name), Step::Literal(value)];
        return Some(vec![vec![Step::Literal(text)], apart]);
    }
    if let Some(name) = text.strip_prefix("--").filter(|name| name.len() > SHORTEST) {
        let ends = name.char_indices().map(|(at, _)| at).filter(|at| *at >= SHORTEST);
        let cut = ends.filter_map(|at| name.get(..at)).map(|name| format!("{CUT}--{name}"));
        return Some(vec![vec![Step::OneOf(cut.chain([text.to_owned()]).collect())]]);
    }
    let letters: Vec<&str> = text.strip_prefix('-')?.split_terminator("").skip(1).collect();
    let cluster = letters.iter().all(|c| c.chars().all(|c| c.is_ascii_alphabetic()));
    if !cluster || !(2..=3).contains(&letters.len()) {
        return None;
    }
    let mut ways = vec![vec![Step::Literal(text)]];
    for order in orders(&letters) {
        let apart = order.iter().map(|letter| Step::OneOf(vec![format!("-{letter}")]));
        // Between two letters of a cluster other words may stand.
        let apart: Vec<Step<'_>> = apart.flat_map(|step| [Step::Deep, step]).skip(1).collect();
        ways.push(apart);
    }
    Some(ways)
}

/// Every order of up to three letters.
fn orders<'l>(letters: &[&'l str]) -> Vec<Vec<&'l str>> {
    if letters.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (at, first) in letters.iter().enumerate() {
        let mut rest = letters.to_vec();
        rest.remove(at);
        all.extend(orders(&rest).into_iter().map(|mut order| {
            order.insert(0, first);
            order
        }));
    }
    all
}
