//! The words of a command as patterns are held against them: as they are written, by their meaning,
//! and taken apart.

use smallvec::SmallVec;

use super::entry::Side;
use crate::access::{Arg, Exec, Meant, Unknown};
use crate::index::Seen;

/// Marks a long option that is cut short: it counts only where the options of a program are not
/// known, so that `--target` may be `--target-dir`.
pub(super) const CUT: char = '\u{1}';

/// The words of a command; most are short enough to need no memory of their own.
pub(super) type Words<'e> = SmallVec<[Seen<'e>; 8]>;

/// The words as they are written. Where their meaning is known, it alone says which of them are
/// options: what stands behind `--` is none, and neither is a value.
pub(super) fn written(exec: &Exec, side: Side, sure: Sure) -> Words<'_> {
    let reading = exec.reading.as_deref().filter(|_| side == Side::Object);
    let values = reading.map(dashed_values).unwrap_or_default();
    let is_none = |word: &str, ended: bool| {
        let is_value = || !values.is_empty() && values.binary_search(&word).is_ok();
        reading.is_some() && word.starts_with('-') && (ended || is_value())
    };
    let mut ended = false;
    let mut words = SmallVec::new();
    for arg in &exec.args {
        words.push(match seen(arg, sure) {
            Seen::Word(word) if is_none(word, ended) => Seen::Unknown,
            Seen::Joker { .. } if exec.reading.is_some() => Seen::Unknown,
            seen => seen,
        });
        ended |= arg.known() == Some("--");
    }
    words
}

/// The values that look like options, sorted. What is one of them and an option as well is still
/// met as an option by its meaning.
fn dashed_values(reading: &[Meant]) -> SmallVec<[&str; 4]> {
    let numbered = reading.iter().enumerate();
    let dashed = numbered.filter_map(|(at, meant)| dashed_value(reading, at, meant));
    let mut values: SmallVec<[&str; 4]> = dashed.collect();
    values.sort_unstable();
    values
}

/// The text of a value that looks like an option, where it stands right behind its own. The further
/// words of a command that is a value may well be options of that.
fn dashed_value<'m>(reading: &[Meant], at: usize, meant: &'m Meant) -> Option<&'m str> {
    match meant {
        Meant::Value(Arg::Known(text)) if text.starts_with('-') && text.len() > 1 => {
            let before = at.checked_sub(1).and_then(|before| reading.get(before));
            before.is_some_and(is_option).then_some(text)
        }
        _ => None,
    }
}

/// Whether a word that is not known counts only where a wildcard takes it, or wherever it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sure {
    Certainly,
    Perhaps,
}

fn seen(arg: &Arg, sure: Sure) -> Seen<'_> {
    match arg {
        Arg::Known(text) => Seen::Word(text),
        Arg::Unknown(unknown) => seen_unknown(unknown, sure),
    }
}

pub(super) fn seen_meant(meant: &Meant, side: Side, sure: Sure) -> Seen<'_> {
    match meant {
        Meant::OneOf(names) => Seen::OneOf(names),
        Meant::Value(value) => seen(value, sure),
        Meant::Word(text) => Seen::Word(text),
        Meant::Named(names) => match (side, names.first()) {
            (Side::Grant, Some(own)) => Seen::Word(own),
            _ => Seen::OneOf(names),
        },
        Meant::Unknown(unknown) => seen_unknown(unknown, sure),
    }
}

fn seen_unknown(unknown: &Unknown, sure: Sure) -> Seen<'_> {
    match sure {
        Sure::Perhaps if !unknown.operand => Seen::Joker { many: unknown.many },
        _ => Seen::Unknown,
    }
}

/// The subcommands with which the meaning of a command begins, and what follows them.
pub(super) fn split_subs(reading: &[Meant]) -> (&[Meant], &[Meant]) {
    let is_sub = |meant: &&Meant| matches!(meant, Meant::OneOf(_)) && !is_option(meant);
    let subs = reading.iter().take_while(is_sub).count();
    reading.split_at_checked(subs).unwrap_or_default()
}

/// Whether the subcommands stand first as they are written, and have no other names.
pub(super) fn begins_with(args: &[Arg], subs: &[Meant]) -> bool {
    let is_written = |(sub, arg): (&Meant, &Arg)| match (sub, arg) {
        (Meant::OneOf(names), Arg::Known(word)) => matches!(&**names, [only] if **only == **word),
        _ => false,
    };
    args.len() >= subs.len() && subs.iter().zip(args).all(is_written)
}

/// Whether the subcommands stand first as they are written, by whichever of their names.
pub(super) fn begins_with_names(args: &[Arg], subs: &[Meant]) -> bool {
    let is_written = |(sub, arg): (&Meant, &Arg)| match (sub, arg) {
        (Meant::OneOf(names), Arg::Known(word)) => names.iter().any(|name| **name == **word),
        _ => false,
    };
    args.len() >= subs.len() && subs.iter().zip(args).all(is_written)
}

fn is_option(meant: &Meant) -> bool {
    match meant {
        Meant::OneOf(names) => names.iter().any(|name| name.starts_with('-')),
        _ => false,
    }
}

/// The orders in which the meaning of a command is matched behind its subcommands: as the words
/// stand; and for what objects also with all options before the operands.
pub(super) fn orders(rest: &[Meant], side: Side, sure: Sure, found: &mut dyn FnMut(&[Seen<'_>])) {
    let seen = |meant| seen_meant(meant, side, sure);
    if side == Side::Grant {
        let in_order: Words<'_> = rest.iter().map(seen).collect();
        return found(&in_order);
    }
    let in_place =
        |(at, meant)| dashed_value(rest, at, meant).map_or_else(|| seen(meant), Seen::Value);
    let in_order: Words<'_> = rest.iter().enumerate().map(in_place).collect();
    found(&in_order);
    let is_dashes = |meant: &Meant| matches!(meant, Meant::Word(text) if text == "--");
    let is_beside = |meant: &Meant| matches!(meant, Meant::Value(_)) || is_dashes(meant);
    // Operands are the same whatever values stand between them.
    if rest.iter().any(is_beside) {
        let operands = rest.iter().filter(|meant| !is_option(meant) && !is_beside(meant));
        let operands: Words<'_> = operands.map(seen).collect();
        found(&operands);
    }
    if !rest.iter().any(is_option) {
        return;
    }
    // Away from its option, a value that looks like one is no word to go by.
    let seen = |meant| match (meant, seen(meant)) {
        (Meant::Value(_), Seen::Word(word)) if word.starts_with('-') => Seen::Unknown,
        (_, seen) => seen,
    };
    let options = || rest.iter().filter(|meant| is_option(meant));
    let others = || rest.iter().filter(|meant| !is_option(meant));
    let mut unless_in_order = |words: Words<'_>| {
        if !is_same(&words, &in_order) {
            found(&words);
        }
    };
    unless_in_order(options().chain(others()).map(seen).collect());
    // Options are met in either order.
    if options().nth(1).is_some() {
        unless_in_order(options().rev().chain(others()).map(seen).collect());
    }
    // And an operand may be named right after the subcommand.
    unless_in_order(others().chain(options()).map(seen).collect());
}

/// Whether two rows of words are one: word by word the same, with the same spellings.
pub(super) fn is_same(one: &[Seen<'_>], other: &[Seen<'_>]) -> bool {
    let same = |(one, other): (&Seen<'_>, &Seen<'_>)| match (one, other) {
        (Seen::Word(one), Seen::Word(other)) => one == other,
        (Seen::OneOf(one), Seen::OneOf(other)) => std::ptr::eq(*one, *other),
        (Seen::OneOf([one]), Seen::Word(other)) => **one == **other,
        (Seen::Unknown, Seen::Unknown) => true,
        _ => false,
    };
    one.len() == other.len() && one.iter().zip(other).all(same)
}

/// How many words may stand before the subcommand: options, each with at most one value.
///
/// `git -C x push` is a push; which options take a value is not known here.
pub(super) fn leading_options(words: &[Seen<'_>]) -> usize {
    const MOST: usize = 16;
    let is_option = |word: &Seen<'_>| match word {
        Seen::Word(word) => word.starts_with('-'),
        Seen::OneOf(_) => true,
        _ => false,
    };
    let mut values = 0usize;
    let before = words.iter().take(MOST).take_while(|word| {
        values = if is_option(word) { 0 } else { values.saturating_add(1) };
        values < 2
    });
    let count = before.count();
    if words.first().is_some_and(is_option) { count } else { 0 }
}

/// A word, or a part of one.
pub(super) enum Parted<'a> {
    Text(String),
    /// A long option, as it is and as one that is cut short.
    Long(Box<[Box<str>]>),
    Seen(Seen<'a>),
}

impl Parted<'_> {
    pub(super) fn seen(&self) -> Seen<'_> {
        match self {
            Parted::Text(text) => Seen::Word(text),
            Parted::Long(names) => Seen::OneOf(names),
            Parted::Seen(seen) => *seen,
        }
    }
}

fn cut_short(word: &str) -> Parted<'static> {
    Parted::Long(Box::new([word.into(), format!("{CUT}{word}").into()]))
}

/// Whether a word could be an option, so that its spelling matters.
pub(super) fn is_option_like(arg: &Arg) -> bool {
    arg.known().is_none_or(|word| word.starts_with('-'))
}

/// The words as they are written; any long option may be one that is cut short.
pub(super) fn marked(words: &[Arg], sure: Sure) -> Vec<Parted<'_>> {
    let word = |arg| match seen(arg, sure) {
        Seen::Word(word) if word.starts_with("--") && word.len() > 2 => cut_short(word),
        seen => Parted::Seen(seen),
    };
    words.iter().map(word).collect()
}

/// The words of a command with options taken apart: `-rf` as its letters, `--x=v` as `--x` and `v`.
///
/// The letters are given twice, so that they are met in either order.
pub(super) fn parted(words: &[Arg], sure: Sure) -> Vec<Parted<'_>> {
    const LONGEST: usize = 16;
    let mut parted = Vec::with_capacity(words.len());
    let mut options_ended = false;
    for arg in words {
        let Some(word) = arg.known() else {
            parted.push(Parted::Seen(seen(arg, sure)));
            continue;
        };
        options_ended |= word == "--";
        match (word.strip_prefix("--"), word.strip_prefix('-')) {
            _ if options_ended => parted.push(Parted::Seen(Seen::Word(word))),
            (Some(long), _) => match long.split_once('=') {
                Some((name, value)) => {
                    parted
                        .extend([cut_short(&format!("--{name}")), Parted::Text(value.to_owned())]);
                }
                None if word.len() > 2 => parted.push(cut_short(word)),
                None => parted.push(Parted::Seen(Seen::Word(word))),
            },
            (None, Some(letters)) if letters.chars().nth(1).is_some() => {
                let short = || letters.chars().take(LONGEST).map(|letter| format!("-{letter}"));
                parted.extend(short().chain(short()).map(Parted::Text));
            }
            _ => parted.push(Parted::Seen(Seen::Word(word))),
        }
    }
    parted
}
