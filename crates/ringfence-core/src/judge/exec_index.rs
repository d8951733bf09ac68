//! Many command patterns, matched together.

use smallvec::SmallVec;

use super::by_name::ByName;
use super::entry::{Side, Sort};
use super::expand::{Expander, Nowhere};
use crate::access::{Arg, Exec, Meant, Unknown};
use crate::index::{Begun, EntryId, Seen, Step, TokenTrie};
use crate::pattern::{CommandAlternative, CommandPattern, Ending, PathPattern, Token};

/// Marks a long option that is cut short: it counts only where the options of a program are not
/// known, so that `--target` may be `--target-dir`.
const CUT: char = '\u{1}';

/// Stands between a program's path and its words.
const PATH_END: &str = "\0";

/// The words of a command; most are short enough to need no memory of their own.
type Words<'e> = SmallVec<[Seen<'e>; 8]>;

/// An index of commands, by the program's name or by its path.
#[derive(Debug, Default)]
pub(super) struct ExecIndex {
    by_name: ByName,
    by_path: TokenTrie,
}

impl ExecIndex {
    pub(super) fn insert(
        &mut self,
        pattern: &CommandPattern,
        (sort, side): (Sort, Side),
        entry: EntryId,
        expander: &mut Expander<'_>,
    ) -> Result<(), Nowhere> {
        let is_named = self.by_name.insert(pattern, (sort, side), entry);
        // A path has to be found on this host, and now.
        if is_named || !pattern.text().contains('/') {
            return Ok(());
        }
        for alternative in pattern.alternatives() {
            let Some((program, words)) = alternative.tokens.split_first() else {
                continue;
            };
            let Some(path) = path_of(program) else { continue };
            let open = is_open(alternative, sort);
            for words in spellings(words, side) {
                let tail: Vec<Step<'_>> =
                    words.into_iter().chain(open.then_some(Step::Deep)).collect();
                for place in expander.places(&path, side)? {
                    let end = [Step::Literal(PATH_END)];
                    let steps = place.steps().chain(end).chain(tail.iter().cloned());
                    self.by_path.insert(steps, entry);
                }
            }
        }
        Ok(())
    }

    fn is_empty(&self) -> bool {
        self.by_name.is_empty() && self.by_path.is_empty()
    }

    /// Calls `found` for every pattern that takes in the command; a pattern may be found twice.
    pub(super) fn each_match(&self, exec: &Exec, side: Side, mut found: impl FnMut(EntryId)) {
        self.each(exec, side, Sure::Certainly, &mut found);
    }

    /// Calls `found` for every pattern that an unknown word could complete.
    pub(super) fn each_possible(&self, exec: &Exec, side: Side, mut found: impl FnMut(EntryId)) {
        let open = |arg: &Arg| matches!(arg, Arg::Unknown(unknown) if !unknown.operand);
        if exec.args.iter().any(open) {
            self.each(exec, side, Sure::Perhaps, &mut found);
        }
    }

    fn each(&self, exec: &Exec, side: Side, sure: Sure, found: &mut impl FnMut(EntryId)) {
        if self.is_empty() {
            return;
        }
        let begun = self.begin(exec, side);
        if begun.is_empty() {
            return;
        }
        let words = written(exec, side, sure);
        each_spelling(&begun, &words, found);
        if let Some(reading) = &exec.reading {
            readings(reading, side, sure, |meant| {
                // What is read as it is written has been matched.
                if !is_same(meant, &words) {
                    each_spelling(&begun, meant, found);
                }
            });
        } else if side == Side::Object && exec.args.iter().any(is_option_like) {
            let marked = marked(&exec.args, sure);
            let words: Vec<Seen<'_>> = marked.iter().map(Parted::seen).collect();
            for from in 0..=leading_options(&words) {
                each_spelling(&begun, words.get(from..).unwrap_or_default(), found);
            }
            let apart = parted(&exec.args, sure);
            let apart: Vec<Seen<'_>> = apart.iter().map(Parted::seen).collect();
            for from in 0..=leading_options(&apart) {
                each_spelling(&begun, apart.get(from..).unwrap_or_default(), found);
            }
        }
    }

    /// Where the patterns are that name the program; the words come in several spellings.
    fn begin(&self, exec: &Exec, side: Side) -> SmallVec<[(&TokenTrie, Begun); 2]> {
        let mut begun = SmallVec::new();
        let mut add = |trie, own: Begun| {
            if !own.is_over() {
                begun.push((trie, own));
            }
        };
        let mut add_named = |name| self.by_name.begin(name, &mut add);
        match side {
            Side::Grant => add_named(exec.program.known_as.as_deref().unwrap_or_default()),
            Side::Object => exec.program.names().for_each(add_named),
        }
        if let Some(file) = exec.program.file.as_ref().filter(|_| !self.by_path.is_empty()) {
            let path = file.components().chain([PATH_END]).map(Seen::Word);
            add(&self.by_path, self.by_path.begin(path));
        }
        begun
    }
}

/// Whether further words may follow those of an alternative.
fn is_open(alternative: &CommandAlternative, sort: Sort) -> bool {
    match alternative.ending {
        Ending::Open => true,
        Ending::BySide => sort.takes_further_words(),
        Ending::Closed => false,
    }
}

/// Calls `add` with each spelling of an alternative that has its program's name.
pub(super) fn name_steps<'a>(
    alternative: &'a CommandAlternative,
    (sort, side): (Sort, Side),
    mut add: impl FnMut(Vec<Step<'a>>),
) {
    let Some((program, words)) = alternative.tokens.split_first() else { return };
    let open = is_open(alternative, sort).then_some(Step::Deep);
    for words in spellings(words, side) {
        add([plain(program)].into_iter().chain(words).chain(open.clone()).collect());
    }
}

/// Whether the program is told by its path.
pub(super) fn is_path(program: &Token) -> bool {
    path_of(program).is_some()
}

/// Goes on with the words in one spelling, wherever patterns name the program.
fn each_spelling(
    begun: &[(&TokenTrie, Begun)],
    words: &[Seen<'_>],
    found: &mut impl FnMut(EntryId),
) {
    for (trie, begun) in begun {
        trie.each_match_on(begun, words.iter().copied(), &mut *found);
    }
}

/// The words as they are written. Where their meaning is known, it alone says which of them are
/// options: what stands behind `--` is none, and neither is a value.
fn written(exec: &Exec, side: Side, sure: Sure) -> Words<'_> {
    let by_meaning = exec.reading.is_some() && side == Side::Object;
    let mut ended = false;
    let mut words = SmallVec::new();
    for arg in &exec.args {
        words.push(match seen(arg, sure) {
            Seen::Word(word) if by_meaning && ended && word.starts_with('-') => Seen::Unknown,
            Seen::Joker { .. } if exec.reading.is_some() => Seen::Unknown,
            seen => seen,
        });
        ended |= arg.known() == Some("--");
    }
    words
}

/// Whether a word that is not known counts only where a wildcard takes it, or wherever it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sure {
    Certainly,
    Perhaps,
}

fn seen(arg: &Arg, sure: Sure) -> Seen<'_> {
    match arg {
        Arg::Known(text) => Seen::Word(text),
        Arg::Unknown(unknown) => seen_unknown(unknown, sure),
    }
}

fn seen_meant(meant: &Meant, sure: Sure) -> Seen<'_> {
    match meant {
        Meant::OneOf(names) => Seen::OneOf(names),
        Meant::Word(text) => Seen::Word(text),
        Meant::Unknown(unknown) => seen_unknown(unknown, sure),
    }
}

fn seen_unknown(unknown: &Unknown, sure: Sure) -> Seen<'_> {
    match sure {
        Sure::Perhaps if !unknown.operand => Seen::Joker { many: unknown.many },
        _ => Seen::Unknown,
    }
}

/// The orders in which the meaning of a command is matched: as the words stand, subcommands first;
/// and for what objects also with all options before the operands.
fn readings(reading: &[Meant], side: Side, sure: Sure, mut found: impl FnMut(&[Seen<'_>])) {
    let seen = |meant| seen_meant(meant, sure);
    let in_order: Words<'_> = reading.iter().map(seen).collect();
    found(&in_order);
    let is_option = |meant: &&Meant| match meant {
        Meant::OneOf(names) => names.iter().any(|name| name.starts_with('-')),
        _ => false,
    };
    if side == Side::Grant || !reading.iter().any(|meant| is_option(&meant)) {
        return;
    }
    let subs = reading.iter().take_while(|meant| matches!(meant, Meant::OneOf(_)));
    let subs = subs.take_while(|meant| !is_option(meant)).count();
    let (subs, rest) = reading.split_at_checked(subs).unwrap_or_default();
    let options = || rest.iter().filter(is_option);
    let others = || rest.iter().filter(|meant| !is_option(meant));
    let mut unless_in_order = |words: Words<'_>| {
        if !is_same(&words, &in_order) {
            found(&words);
        }
    };
    unless_in_order(subs.iter().chain(options()).chain(others()).map(seen).collect());
    // Options are met in either order.
    if options().nth(1).is_some() {
        unless_in_order(subs.iter().chain(options().rev()).chain(others()).map(seen).collect());
    }
    // And an operand may be named right after the subcommand.
    unless_in_order(subs.iter().chain(others()).chain(options()).map(seen).collect());
}

/// Whether two rows of words are one: word by word the same, with the same spellings.
fn is_same(one: &[Seen<'_>], other: &[Seen<'_>]) -> bool {
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
fn leading_options(words: &[Seen<'_>]) -> usize {
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

/// The path that a program's token names, if it has a slash.
fn path_of(program: &Token) -> Option<PathPattern> {
    let text = match program {
        Token::Literal(word) => word.to_string(),
        Token::Glob(glob) => glob.to_string(),
        Token::Run => return None,
    };
    PathPattern::parse(&text).ok().filter(|_| text.contains('/'))
}

fn plain(token: &Token) -> Step<'_> {
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
fn spellings(words: &[Token], side: Side) -> Vec<Vec<Step<'_>>> {
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

/// A word, or a part of one.
enum Parted<'a> {
    Text(String),
    /// A long option, as it is and as one that is cut short.
    Long(Box<[Box<str>]>),
    Seen(Seen<'a>),
}

impl Parted<'_> {
    fn seen(&self) -> Seen<'_> {
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
fn is_option_like(arg: &Arg) -> bool {
    arg.known().is_none_or(|word| word.starts_with('-'))
}

/// The words as they are written; any long option may be one that is cut short.
fn marked(words: &[Arg], sure: Sure) -> Vec<Parted<'_>> {
    let word = |arg| match seen(arg, sure) {
        Seen::Word(word) if word.starts_with("--") && word.len() > 2 => cut_short(word),
        seen => Parted::Seen(seen),
    };
    words.iter().map(word).collect()
}

/// The words of a command with options taken apart: `-rf` as its letters, `--x=v` as `--x` and `v`.
///
/// The letters are given twice, so that they are met in either order.
fn parted(words: &[Arg], sure: Sure) -> Vec<Parted<'_>> {
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
