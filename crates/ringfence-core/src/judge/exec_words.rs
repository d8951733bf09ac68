//! The words of a command in the forms that patterns are matched against: as written, by meaning,
//! and with options split.

use smallvec::SmallVec;

use super::entry::Side;
use crate::access::{Arg, Exec, Meant, Unknown};
use crate::index::Seen;

/// Marks an abbreviated long option. Marked words match only if a program's options are not known,
/// so that `--target` may mean `--target-dir`.
pub(super) const CUT: char = '\u{1}';

/// The words of a command as input tokens. Eight are stored without allocation.
pub(super) type Words<'e> = SmallVec<[Seen<'e>; 8]>;

/// Returns the words as written. If their meaning is known, words that look like options but are
/// none become unknown: words after `--`, and option values.
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

/// Returns the option values that look like options, sorted. A text that is also used as an option
/// still matches as an option, by the command's meaning.
fn dashed_values(reading: &[Meant]) -> SmallVec<[&str; 4]> {
    let numbered = reading.iter().enumerate();
    let dashed = numbered.filter_map(|(at, meant)| dashed_value(reading, at, meant));
    let mut values: SmallVec<[&str; 4]> = dashed.collect();
    values.sort_unstable();
    values
}

/// Returns the text of a value that looks like an option, if it stands directly after its option.
/// Later words of such a value may be the options of another command.
fn dashed_value<'m>(reading: &[Meant], at: usize, meant: &'m Meant) -> Option<&'m str> {
    match meant {
        Meant::Value(Arg::Known(text)) if text.starts_with('-') && text.len() > 1 => {
            let before = at.checked_sub(1).and_then(|before| reading.get(before));
            before.is_some_and(is_option).then_some(text)
        }
        _ => None,
    }
}

/// Whether an unknown word matches only wildcards, or everything that it might be.
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

/// Splits the meaning of a command into its leading subcommands and the rest.
pub(super) fn split_subs(reading: &[Meant]) -> (&[Meant], &[Meant]) {
    let is_sub = |meant: &&Meant| matches!(meant, Meant::OneOf(_)) && !is_option(meant);
    let subs = reading.iter().take_while(is_sub).count();
    reading.split_at_checked(subs).unwrap_or_default()
}

/// Returns whether the written words start with the subcommands, each of which has one name only.
pub(super) fn begins_with(args: &[Arg], subs: &[Meant]) -> bool {
    let is_written = |(sub, arg): (&Meant, &Arg)| match (sub, arg) {
        (Meant::OneOf(names), Arg::Known(word)) => matches!(&**names, [only] if **only == **word),
        _ => false,
    };
    args.len() >= subs.len() && subs.iter().zip(args).all(is_written)
}

/// Returns whether the written words start with the subcommands, under any of their names.
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

/// Calls `found` with each order of the words after the subcommands: as written, and on the
/// objecting side also with options and operands regrouped.
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
    // Values between operands must not prevent a match of the operands.
    if rest.iter().any(is_beside) {
        let operands = rest.iter().filter(|meant| !is_option(meant) && !is_beside(meant));
        let operands: Words<'_> = operands.map(seen).collect();
        found(&operands);
    }
    if !rest.iter().any(is_option) {
        return;
    }
    // Away from its option, a value that looks like an option must not match one.
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
    // A pattern may name two options in either order.
    if options().nth(1).is_some() {
        unless_in_order(options().rev().chain(others()).map(seen).collect());
    }
    // A pattern may name an operand directly after the subcommand.
    unless_in_order(others().chain(options()).map(seen).collect());
}

/// Returns whether two sequences have the same tokens with the same spellings.
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

/// Returns how many words may precede the subcommand: options, each with at most one value.
///
/// `git -C x push` is a push, but which options take a value is not known here.
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

/// A word of a command, or a part of it after options were split.
pub(super) enum Parted<'a> {
    Text(String),
    /// A long option, with its mark as a possible abbreviation.
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

/// Returns whether a word may be an option, so that it must be matched in several spellings.
pub(super) fn is_option_like(arg: &Arg) -> bool {
    arg.known().is_none_or(|word| word.starts_with('-'))
}

/// Returns the words as written, with each long option marked as a possible abbreviation.
pub(super) fn marked(words: &[Arg], sure: Sure) -> Vec<Parted<'_>> {
    let word = |arg| match seen(arg, sure) {
        Seen::Word(word) if word.starts_with("--") && word.len() > 2 => cut_short(word),
        seen => Parted::Seen(seen),
    };
    words.iter().map(word).collect()
}

/// Returns the words with options split: `-rf` into its letters, `--x=v` into `--x` and `v`.
///
/// The letters occur twice, so that a pattern may name them in either order.
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
