//! The spellings in which the words of a command pattern can match.

use super::entry::Side;
use super::exec_words::ABBREVIATION_MARK;
use crate::index::Step;
use crate::pattern::Token;

pub(super) fn plain(token: &Token) -> Step<'_> {
    match token {
        Token::Literal(word) => Step::Literal(word),
        Token::Glob(glob) => Step::Glob(glob),
        Token::Run => Step::Deep,
    }
}

/// Returns the spellings of a pattern's words.
///
/// Options in deny and danger rules match in all usual spellings: `-rf` also matches `-r` and `-f`
/// in any order, and a long option matches its abbreviations.
pub(super) fn spellings(words: &[Token], side: Side) -> Vec<Vec<Step<'_>>> {
    let mut all: Vec<Vec<Step<'_>>> = vec![Vec::new()];
    for word in words {
        let own = plain(word);
        let (keeps_own, others) = match (word, side) {
            (Token::Literal(text), Side::Object) => {
                let spellings = option_spellings(text);
                (spellings.is_none(), spellings.unwrap_or_default())
            }
            (Token::Literal(text), Side::Grant) => (true, equal_spellings(text)),
            (Token::Glob(_) | Token::Run, _) => (true, Vec::new()),
        };
        if others.is_empty() {
            all.iter_mut().for_each(|steps| steps.push(own.clone()));
            continue;
        }
        let before = std::mem::take(&mut all);
        for way in keeps_own.then(|| vec![own]).into_iter().chain(others) {
            all.extend(before.iter().map(|steps| [steps.as_slice(), way.as_slice()].concat()));
        }
    }
    all
}

/// Returns other spellings of an option in an allow or ask rule. They match only the interpreted
/// arguments ([`Exec::reading`](crate::access::Exec)), where each of them means the same.
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
    /// The length of the shortest abbreviation of a long option.
    const SHORTEST: usize = 2;
    if let Some((name, value)) = text.split_once('=').filter(|_| text.starts_with("--")) {
        let apart = vec![Step::Literal(name), Step::Literal(value)];
        return Some(vec![vec![Step::Literal(text)], apart]);
    }
    if let Some(name) = text.strip_prefix("--").filter(|name| name.len() > SHORTEST) {
        let ends = name.char_indices().map(|(at, _)| at).filter(|at| *at >= SHORTEST);
        let cut =
            ends.filter_map(|at| name.get(..at)).map(|name| format!("{ABBREVIATION_MARK}--{name}"));
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
        // Other words may stand between the letters of a split cluster.
        let apart: Vec<Step<'_>> = apart.flat_map(|step| [Step::Deep, step]).skip(1).collect();
        ways.push(apart);
    }
    Some(ways)
}

/// Returns every order of up to three letters.
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
