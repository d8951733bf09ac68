//! Patterns over the text of a command, as patterns over its words.
//!
//! Others match a command as one text, in which a star also takes blanks. Words are what the judge
//! knows: `git * main` is `git`, one word or more, `main`. A star inside a word is written twice,
//! once within the word and once across words.

use ringfence_core::Effect;
use ringfence_core::pattern::{self, CommandPattern, Glob};

/// The most stars inside words that are written both ways.
const MAX_INNER: usize = 3;

/// What a text about one command does not hold.
const SYNTAX: [char; 11] = ['|', '&', ';', '<', '>', '$', '`', '(', ')', '\\', '\n'];

const HAS_SYNTAX: &str = "it has shell syntax, and rules here are about single commands";

/// What became of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Words {
    /// Patterns in our own notation; together they say what the text says.
    pub(super) patterns: Vec<String>,
    /// What they do not say.
    pub(super) inexact: Option<Inexact>,
}

/// Why the words do not say quite what the text did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Inexact {
    /// They match less.
    Less,
    /// They match more.
    More,
}

/// What follows the words of a text that has no star at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// Nothing.
    Exact,
    /// Any further words.
    Open,
}

/// One place of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    /// A word, in the notation of globs.
    Word(String),
    /// Any run of words.
    Run,
}

/// The words of a text in which `*` takes anything, blanks too; ` *` at its end is optional.
pub(super) fn of_text(text: &str, effect: Effect, ending: Ending) -> Result<Words, &'static str> {
    let text = text.trim();
    if text.contains(SYNTAX) {
        return Err(HAS_SYNTAX);
    }
    let words = split(text)?;
    let (words, open) = match words.split_last() {
        None => return Err("it names no command"),
        Some((last, before)) if is_star(last) && !before.is_empty() => (before, true),
        _ => (words.as_slice(), ending == Ending::Open),
    };
    if let [only] = words
        && is_star(only)
    {
        return Ok(Words { patterns: vec!["cmd:*".to_owned()], inexact: None });
    }
    let inner: usize = words.iter().map(|word| inner_stars(word)).sum();
    let quoted = text.contains(['"', '\'']) && text.contains('*');
    let mut inexact = quoted.then_some(Inexact::Less);
    let across = match (inner <= MAX_INNER, effect) {
        (true, _) => Across::Both,
        // A grant may match less, an objection may match more.
        (false, Effect::Allow) => Across::Never,
        (false, _) => Across::Loose,
    };
    match across {
        Across::Both => {}
        Across::Never => inexact = Some(Inexact::Less),
        Across::Loose => inexact = Some(Inexact::More),
    }
    let patterns = pieces(words, across).into_iter().map(|pieces| write(&pieces, open, effect));
    Ok(Words { patterns: patterns.collect(), inexact })
}

/// The pattern of a command's first words, of which any may have several spellings.
pub(super) fn of_choices(places: &[Vec<&str>]) -> Result<String, &'static str> {
    let blank = |word: &&str| word.is_empty() || word.contains(char::is_whitespace);
    if places.iter().flatten().any(blank) {
        let only = |words: &Vec<&'_ str>| match words.as_slice() {
            [only] => Some((*only).to_owned()),
            _ => None,
        };
        let words: Option<Vec<String>> = places.iter().map(only).collect();
        let words = words.ok_or("it has alternatives and a word with a blank in it")?;
        let words = words.iter().map(String::as_str);
        let pattern = CommandPattern::of_words(words, pattern::Ending::Open);
        return Ok(format!("cmd:{pattern}"));
    }
    let word = |words: &Vec<&str>| match words.as_slice() {
        [only] => plain(only),
        words => {
            let choice = |word: &&str| plain(word).replace(',', "\\,").replace('}', "\\}");
            let words: Vec<String> = words.iter().map(choice).collect();
            format!("{{{}}}", words.join(","))
        }
    };
    let pieces: Vec<Piece> = places.iter().map(|words| Piece::Word(word(words))).collect();
    Ok(write(&pieces, true, Effect::Allow))
}

/// The pattern of a command that starts with a text; nothing in it is a wildcard.
pub(super) fn of_prefix(text: &str) -> Result<String, &'static str> {
    if text.contains(SYNTAX) {
        return Err(HAS_SYNTAX);
    }
    let words = split(text)?;
    match words.is_empty() {
        true => Err("it names no command"),
        false => of_choices(&words.iter().map(|word| vec![word.as_str()]).collect::<Vec<_>>()),
    }
}

/// How stars inside words are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Across {
    Both,
    Never,
    Loose,
}

fn is_star(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c == '*')
}

/// The stars that stand between other characters of a word.
fn inner_stars(word: &str) -> usize {
    match is_star(word) {
        true => 0,
        false => word
            .trim_matches('*')
            .split('*')
            .filter(|part| !part.is_empty())
            .count()
            .saturating_sub(1),
    }
}

/// Words parted by blanks; quotes keep blanks together and are left out.
fn split(text: &str) -> Result<Vec<String>, &'static str> {
    let mut words = Vec::new();
    let mut current: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                current.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(current.take()),
            (_, c) => current.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err("it has an unbalanced quote");
    }
    words.extend(current);
    if words.iter().any(|word| word.is_empty() || word.contains(char::is_whitespace)) {
        return Err("it has a quoted word with a blank in it");
    }
    Ok(words)
}

/// Every way to read the words, stars inside words both ways.
fn pieces(words: &[String], across: Across) -> Vec<Vec<Piece>> {
    let mut ways = vec![Vec::new()];
    for (at, word) in words.iter().enumerate() {
        let readings = read_word(word, at == 0, across);
        ways = ways
            .iter()
            .flat_map(|way: &Vec<Piece>| {
                readings.iter().map(|reading| way.iter().chain(reading).cloned().collect())
            })
            .collect();
    }
    ways
}

fn read_word(word: &str, first: bool, across: Across) -> Vec<Vec<Piece>> {
    if is_star(word) {
        // A star between blanks takes one character at least.
        return vec![vec![Piece::Word("?*".to_owned()), Piece::Run]];
    }
    let parts: Vec<&str> = word.split('*').collect();
    if parts.len() == 1 {
        return vec![vec![Piece::Word(plain(word))]];
    }
    let leading = word.starts_with('*');
    let trailing = word.ends_with('*');
    let inner: Vec<String> =
        parts.iter().filter(|part| !part.is_empty()).map(|part| plain(part)).collect();
    let mut ways: Vec<Vec<Piece>> = Vec::new();
    for cut in cuts(inner.len().saturating_sub(1), across) {
        let mut way = vec![Piece::Word(if leading { "*".to_owned() } else { String::new() })];
        for (at, part) in inner.iter().enumerate() {
            if at > 0 {
                let crossing = cut.get(at.saturating_sub(1)).copied().unwrap_or(false);
                push(&mut way, "*");
                if crossing {
                    way.extend([Piece::Run, Piece::Word("*".to_owned())]);
                }
            }
            push(&mut way, part);
        }
        if trailing {
            push(&mut way, "*");
            way.push(Piece::Run);
        }
        ways.push(way);
    }
    if leading {
        let before = |start: Vec<Piece>| {
            move |way: &Vec<Piece>| start.iter().chain(way).cloned().collect::<Vec<Piece>>()
        };
        if !first {
            return ways.iter().map(before(vec![Piece::Run])).collect();
        }
        let program = vec![Piece::Word("?*".to_owned()), Piece::Run];
        let later: Vec<Vec<Piece>> = ways.iter().map(before(program)).collect();
        ways.extend(later);
    }
    ways
}

fn push(way: &mut [Piece], text: &str) {
    if let Some(Piece::Word(word)) = way.last_mut() {
        word.push_str(text);
    }
}

/// For each inner star, whether it crosses a blank: every choice, or one.
fn cuts(stars: usize, across: Across) -> Vec<Vec<bool>> {
    match across {
        Across::Never => vec![vec![false; stars]],
        Across::Loose => vec![vec![false; stars], vec![true; stars]],
        Across::Both => {
            let mut all = vec![Vec::new()];
            for _ in 0..stars {
                all = all
                    .iter()
                    .flat_map(|cut: &Vec<bool>| {
                        [false, true].map(|next| cut.iter().copied().chain([next]).collect())
                    })
                    .collect();
            }
            all
        }
    }
}

/// A word in which nothing is a wildcard.
fn plain(word: &str) -> String {
    Glob::literal(word).to_string().replace(':', "\\:")
}

fn write(pieces: &[Piece], open: bool, effect: Effect) -> String {
    let runs = pieces.iter().filter(|piece| **piece == Piece::Run).count();
    let ends_open = open || pieces.last() == Some(&Piece::Run);
    let mut words: Vec<&str> = pieces
        .iter()
        .map(|piece| match piece {
            Piece::Word(word) => word.as_str(),
            Piece::Run => "*",
        })
        .collect();
    if open && pieces.last() != Some(&Piece::Run) {
        words.push("*");
    }
    // A colon at the end closes a pattern that would otherwise take more.
    let said = runs == 0 && pieces.len() > 1 && effect != Effect::Deny;
    if !ends_open && !said {
        words.push("");
    }
    format!("cmd:{}", words.join(":"))
}

#[cfg(test)]
#[path = "commands_tests.rs"]
mod tests;
