//! The arguments of a command in the forms that patterns are matched against: as written, as the
//! program interprets them, and with options split.

use smallvec::SmallVec;

use super::entry::Side;
use crate::access::{Arg, Exec, UnknownArg, WordMeaning};
use crate::index::InputToken;

/// Marks an abbreviated long option. Marked words match only if a program's options are not known,
/// so that `--target` may mean `--target-dir`.
pub(super) const ABBREVIATION_MARK: char = '\u{1}';

/// The words of a command as input tokens. Eight are stored without allocation.
pub(super) type Words<'e> = SmallVec<[InputToken<'e>; 8]>;

/// Returns the arguments as written. If the program's options are known, arguments that only look
/// like options become unknown, so that no option in a pattern matches them. These are arguments
/// after `--`, and option values.
pub(super) fn words_as_written(exec: &Exec, side: Side, mode: MatchMode) -> Words<'_> {
    let reading = exec.reading.as_deref().filter(|_| side == Side::Object);
    let values = reading.map(dashed_values).unwrap_or_default();
    let is_none = |word: &str, ended: bool| {
        let is_value = || !values.is_empty() && values.binary_search(&word).is_ok();
        reading.is_some() && word.starts_with('-') && (ended || is_value())
    };
    let mut ended = false;
    let mut words = SmallVec::new();
    for arg in &exec.args {
        words.push(match token_of_arg(arg, mode) {
            InputToken::Word(word) if is_none(word, ended) => InputToken::Unknown,
            InputToken::Anything { .. } if exec.reading.is_some() => InputToken::Unknown,
            token => token,
        });
        ended |= arg.known() == Some("--");
    }
    words
}

/// Returns the option values that look like options, sorted. A text that is also used as an option
/// still matches where the program reads it as one.
fn dashed_values(reading: &[WordMeaning]) -> SmallVec<[&str; 4]> {
    let numbered = reading.iter().enumerate();
    let dashed = numbered.filter_map(|(at, meant)| dashed_value(reading, at, meant));
    let mut values: SmallVec<[&str; 4]> = dashed.collect();
    values.sort_unstable();
    values
}

/// Returns the text of an option value that looks like an option, if it stands directly after its
/// option. Further values of the same option may be the options of an inner command.
fn dashed_value<'m>(reading: &[WordMeaning], at: usize, meant: &'m WordMeaning) -> Option<&'m str> {
    match meant {
        WordMeaning::Value(Arg::Known(text)) if text.starts_with('-') && text.len() > 1 => {
            let before = at.checked_sub(1).and_then(|before| reading.get(before));
            before.is_some_and(is_option).then_some(text)
        }
        _ => None,
    }
}

/// Whether an unknown word matches only wildcards, or every pattern element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MatchMode {
    /// Only wildcards match an unknown word.
    Certain,
    /// Every element that the unknown word could become matches it.
    Possible,
}

fn token_of_arg(arg: &Arg, mode: MatchMode) -> InputToken<'_> {
    match arg {
        Arg::Known(text) => InputToken::Word(text),
        Arg::Unknown(unknown) => token_of_unknown(unknown, mode),
    }
}

pub(super) fn token_of_meaning(meant: &WordMeaning, side: Side, mode: MatchMode) -> InputToken<'_> {
    match meant {
        WordMeaning::OneOf(names) => InputToken::OneOf(names),
        WordMeaning::Value(value) => token_of_arg(value, mode),
        WordMeaning::Word(text) => InputToken::Word(text),
        WordMeaning::Named(names) => match (side, names.first()) {
            (Side::Grant, Some(own)) => InputToken::Word(own),
            _ => InputToken::OneOf(names),
        },
        WordMeaning::Unknown(unknown) => token_of_unknown(unknown, mode),
    }
}

fn token_of_unknown(unknown: &UnknownArg, mode: MatchMode) -> InputToken<'_> {
    match mode {
        MatchMode::Possible if !unknown.operand => InputToken::Anything { many: unknown.many },
        _ => InputToken::Unknown,
    }
}

/// Splits interpreted arguments into the leading subcommands and the rest.
pub(super) fn split_subs(reading: &[WordMeaning]) -> (&[WordMeaning], &[WordMeaning]) {
    let is_sub = |meant: &&WordMeaning| matches!(meant, WordMeaning::OneOf(_)) && !is_option(meant);
    let subs = reading.iter().take_while(is_sub).count();
    reading.split_at_checked(subs).unwrap_or_default()
}

/// Returns whether the arguments as written start with the subcommands, and each subcommand has
/// only one name.
pub(super) fn begins_with(args: &[Arg], subs: &[WordMeaning]) -> bool {
    let is_written = |(sub, arg): (&WordMeaning, &Arg)| match (sub, arg) {
        (WordMeaning::OneOf(names), Arg::Known(word)) => {
            matches!(&**names, [only] if **only == **word)
        }
        _ => false,
    };
    args.len() >= subs.len() && subs.iter().zip(args).all(is_written)
}

/// Returns whether the arguments as written start with the subcommands, under any of their names.
pub(super) fn begins_with_names(args: &[Arg], subs: &[WordMeaning]) -> bool {
    let is_written = |(sub, arg): (&WordMeaning, &Arg)| match (sub, arg) {
        (WordMeaning::OneOf(names), Arg::Known(word)) => names.iter().any(|name| **name == **word),
        _ => false,
    };
    args.len() >= subs.len() && subs.iter().zip(args).all(is_written)
}

fn is_option(meant: &WordMeaning) -> bool {
    match meant {
        WordMeaning::OneOf(names) => names.iter().any(|name| name.starts_with('-')),
        _ => false,
    }
}

/// Calls `found` with the arguments after the subcommands, in each order that is matched. This is
/// the order as written; deny and danger rules are also matched with all options first or last.
pub(super) fn each_order(
    rest: &[WordMeaning],
    side: Side,
    mode: MatchMode,
    found: &mut dyn FnMut(&[InputToken<'_>]),
) {
    let token = |meant| token_of_meaning(meant, side, mode);
    if side == Side::Grant {
        let in_order: Words<'_> = rest.iter().map(token).collect();
        return found(&in_order);
    }
    let in_place =
        |(at, meant)| dashed_value(rest, at, meant).map_or_else(|| token(meant), InputToken::Value);
    let in_order: Words<'_> = rest.iter().enumerate().map(in_place).collect();
    found(&in_order);
    let is_dashes = |meant: &WordMeaning| matches!(meant, WordMeaning::Word(text) if text == "--");
    let is_beside =
        |meant: &WordMeaning| matches!(meant, WordMeaning::Value(_)) || is_dashes(meant);
    // A pattern that names only operands must match even if option values stand between them.
    if rest.iter().any(is_beside) {
        let operands = rest.iter().filter(|meant| !is_option(meant) && !is_beside(meant));
        let operands: Words<'_> = operands.map(token).collect();
        found(&operands);
    }
    if !rest.iter().any(is_option) {
        return;
    }
    // After reordering, a value that looks like an option must not match an option in a pattern.
    let token = |meant| match (meant, token(meant)) {
        (WordMeaning::Value(_), InputToken::Word(word)) if word.starts_with('-') => {
            InputToken::Unknown
        }
        (_, token) => token,
    };
    let options = || rest.iter().filter(|meant| is_option(meant));
    let others = || rest.iter().filter(|meant| !is_option(meant));
    let mut unless_in_order = |words: Words<'_>| {
        if !same_tokens(&words, &in_order) {
            found(&words);
        }
    };
    unless_in_order(options().chain(others()).map(token).collect());
    // A pattern may name two options in either order, so the reverse order is matched too.
    if options().nth(1).is_some() {
        unless_in_order(options().rev().chain(others()).map(token).collect());
    }
    // A pattern may name an operand directly after the subcommand, so options are also matched
    // last.
    unless_in_order(others().chain(options()).map(token).collect());
}

/// Returns whether two sequences have the same tokens with the same spellings.
pub(super) fn same_tokens(one: &[InputToken<'_>], other: &[InputToken<'_>]) -> bool {
    let same = |(one, other): (&InputToken<'_>, &InputToken<'_>)| match (one, other) {
        (InputToken::Word(one), InputToken::Word(other)) => one == other,
        (InputToken::OneOf(one), InputToken::OneOf(other)) => std::ptr::eq(*one, *other),
        (InputToken::OneOf([one]), InputToken::Word(other)) => **one == **other,
        (InputToken::Unknown, InputToken::Unknown) => true,
        _ => false,
    };
    one.len() == other.len() && one.iter().zip(other).all(same)
}

/// Returns how many words may precede the subcommand: options, each with at most one value.
///
/// `git -C x push` is a push, but which options take a value is not known here.
pub(super) fn leading_options(words: &[InputToken<'_>]) -> usize {
    const MOST: usize = 16;
    let is_option = |word: &InputToken<'_>| match word {
        InputToken::Word(word) => word.starts_with('-'),
        InputToken::OneOf(_) => true,
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
pub(super) enum SplitWord<'a> {
    Text(String),
    /// A long option, with its mark as a possible abbreviation.
    Long(Box<[Box<str>]>),
    InputToken(InputToken<'a>),
}

impl SplitWord<'_> {
    pub(super) fn token(&self) -> InputToken<'_> {
        match self {
            SplitWord::Text(text) => InputToken::Word(text),
            SplitWord::Long(names) => InputToken::OneOf(names),
            SplitWord::InputToken(token) => *token,
        }
    }
}

fn with_abbreviation(word: &str) -> SplitWord<'static> {
    SplitWord::Long(Box::new([word.into(), format!("{ABBREVIATION_MARK}{word}").into()]))
}

/// Returns whether a word may be an option, so that it must be matched in several spellings.
pub(super) fn is_option_like(arg: &Arg) -> bool {
    arg.known().is_none_or(|word| word.starts_with('-'))
}

/// Returns the words as written, with each long option marked as a possible abbreviation.
pub(super) fn mark_abbreviations(words: &[Arg], mode: MatchMode) -> Vec<SplitWord<'_>> {
    let word = |arg| match token_of_arg(arg, mode) {
        InputToken::Word(word) if word.starts_with("--") && word.len() > 2 => {
            with_abbreviation(word)
        }
        token => SplitWord::InputToken(token),
    };
    words.iter().map(word).collect()
}

/// Returns the words with options split: `-rf` into its letters, `--x=v` into `--x` and `v`.
///
/// The letters occur twice, so that a pattern may name them in either order.
pub(super) fn split_options(args: &[Arg], mode: MatchMode) -> Vec<SplitWord<'_>> {
    const LONGEST: usize = 16;
    let mut words = Vec::with_capacity(args.len());
    let mut options_ended = false;
    for arg in args {
        let Some(word) = arg.known() else {
            words.push(SplitWord::InputToken(token_of_arg(arg, mode)));
            continue;
        };
        options_ended |= word == "--";
        match (word.strip_prefix("--"), word.strip_prefix('-')) {
            _ if options_ended => words.push(SplitWord::InputToken(InputToken::Word(word))),
            (Some(long), _) => match long.split_once('=') {
                Some((name, value)) => {
                    words.extend([
                        with_abbreviation(&format!("--{name}")),
                        SplitWord::Text(value.to_owned()),
                    ]);
                }
                None if word.len() > 2 => words.push(with_abbreviation(word)),
                None => words.push(SplitWord::InputToken(InputToken::Word(word))),
            },
            (None, Some(letters)) if letters.chars().nth(1).is_some() => {
                let short = || letters.chars().take(LONGEST).map(|letter| format!("-{letter}"));
                words.extend(short().chain(short()).map(SplitWord::Text));
            }
            _ => words.push(SplitWord::InputToken(InputToken::Word(word))),
        }
    }
    words
}
