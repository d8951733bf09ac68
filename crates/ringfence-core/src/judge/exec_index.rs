//! Many command patterns, matched together.

use super::entry::{Side, Sort};
use super::expand::{Expander, Nowhere};
use crate::access::Exec;
use crate::index::{EntryId, Step, TokenTrie};
use crate::pattern::{CommandPattern, Ending, PathPattern, Token};

/// Stands between a program's path and its words.
const PATH_END: &str = "\0";

/// An index of commands, by the program's name or by its path.
#[derive(Debug, Default)]
pub(super) struct ExecIndex {
    by_name: TokenTrie,
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
        for alternative in pattern.alternatives() {
            let open = match alternative.ending {
                Ending::Open => true,
                Ending::BySide => sort.takes_further_words(),
                Ending::Closed => false,
            };
            let Some((program, words)) = alternative.tokens.split_first() else {
                continue;
            };
            for words in spellings(words, side) {
                let tail = words.into_iter().chain(open.then_some(Step::Deep));
                match path_of(program) {
                    None => self.by_name.insert(std::iter::once(plain(program)).chain(tail), entry),
                    Some(path) => {
                        let tail: Vec<Step<'_>> = tail.collect();
                        for place in expander.places(&path, side)? {
                            let end = [Step::Literal(PATH_END)];
                            let steps = place.steps().chain(end).chain(tail.iter().cloned());
                            self.by_path.insert(steps, entry);
                        }
                    }
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
        if self.is_empty() {
            return;
        }
        let words = || exec.args.iter().map(AsRef::as_ref);
        match side {
            Side::Grant => {
                let name = exec.program.known_as.as_deref().unwrap_or_default();
                self.each_spelling(exec, [name], words(), &mut found);
            }
            Side::Object => {
                let names: Vec<&str> = exec.program.names().collect();
                let parted = parted(&exec.args);
                let words: Vec<&str> = words().collect();
                let apart: Vec<&str> = parted.iter().map(String::as_str).collect();
                for from in 0..=leading_options(&words) {
                    let words = words.iter().skip(from).copied();
                    self.each_spelling(exec, names.iter().copied(), words, &mut found);
                }
                if apart != words {
                    for from in 0..=leading_options(&apart) {
                        let apart = apart.iter().skip(from).copied();
                        self.each_spelling(exec, names.iter().copied(), apart, &mut found);
                    }
                }
            }
        }
    }

    fn each_spelling<'t>(
        &self,
        exec: &'t Exec,
        names: impl IntoIterator<Item = &'t str>,
        words: impl Iterator<Item = &'t str> + Clone,
        found: &mut impl FnMut(EntryId),
    ) {
        for name in names {
            let tokens = std::iter::once(name).chain(words.clone());
            self.by_name.each_match(tokens, |entry, _| found(entry));
        }
        if let Some(file) = exec.program.file.as_ref().filter(|_| !self.by_path.is_empty()) {
            let tokens = file.components().chain([PATH_END]).chain(words);
            self.by_path.each_match(tokens, |entry, _| found(entry));
        }
    }
}

/// How many words may stand before the subcommand: options, each with at most one value.
///
/// `git -C x push` is a push; which options take a value is not known here.
fn leading_options(words: &[&str]) -> usize {
    const MOST: usize = 16;
    let mut values = 0usize;
    let before = words.iter().take(MOST).take_while(|word| {
        values = if word.starts_with('-') { 0 } else { values.saturating_add(1) };
        values < 2
    });
    let count = before.count();
    let starts_with_option = words.first().is_some_and(|word| word.starts_with('-'));
    if starts_with_option { count } else { 0 }
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
        if let (Side::Object, Token::Literal(text)) = (side, word) {
            ways = option_spellings(text).unwrap_or(ways);
        }
        let before = std::mem::take(&mut all);
        for way in ways {
            all.extend(before.iter().map(|steps| [steps.as_slice(), way.as_slice()].concat()));
        }
    }
    all
}

fn option_spellings(text: &str) -> Option<Vec<Vec<Step<'_>>>> {
    /// The shortest beginning of a long option that is taken for it.
    const SHORTEST: usize = 2;
    if let Some(name) = text.strip_prefix("--").filter(|name| name.len() > SHORTEST) {
        let ends = name.char_indices().map(|(at, _)| at).filter(|at| *at >= SHORTEST);
        let cut = ends.filter_map(|at| name.get(..at)).map(|name| format!("--{name}"));
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

/// The words of a command with options taken apart: `-rf` as its letters, `--x=v` as `--x` and `v`.
///
/// The letters are given twice, so that they are met in either order.
fn parted(words: &[Box<str>]) -> Vec<String> {
    const LONGEST: usize = 16;
    let mut parted = Vec::with_capacity(words.len());
    let mut options_ended = false;
    for word in words {
        options_ended |= &**word == "--";
        match (word.strip_prefix("--"), word.strip_prefix('-')) {
            _ if options_ended => parted.push(word.to_string()),
            (Some(long), _) => match long.split_once('=') {
                Some((name, value)) => parted.extend([format!("--{name}"), value.to_owned()]),
                None => parted.push(word.to_string()),
            },
            (None, Some(letters)) if letters.chars().nth(1).is_some() => {
                let short = || letters.chars().take(LONGEST).map(|letter| format!("-{letter}"));
                parted.extend(short().chain(short()));
            }
            _ => parted.push(word.to_string()),
        }
    }
    parted
}
