//! An index that matches a command against many command patterns.

use super::entry::{Side, Sort};
use super::exec_spellings::{plain, spellings};
use super::exec_words::{
    Parted, Sure, begins_with, begins_with_names, is_option_like, is_same, leading_options, marked,
    orders, parted, seen_meant, split_subs, written,
};
use super::expand::{Expander, Nowhere};
use crate::access::{Arg, Exec, builtin_synonym};
use crate::index::{Begun, EntryId, Seen, Step, TokenTrie, bit_of};
use crate::path::{AbsPath, names};
use crate::pattern::{CommandAlternative, CommandPattern, Ending, PathPattern, Token};

/// The token between a program's path and its arguments.
const PATH_END: &str = "\0";

/// An index of command patterns, by program name or program path.
#[derive(Debug)]
pub(super) struct ExecIndex {
    /// Patterns whose first token is a program name.
    by_name: TokenTrie,
    by_path: TokenTrie,
    /// A Bloom filter over the file names in `by_path`; all bits are set if some pattern has any
    /// name.
    file_names: u64,
}

impl Default for ExecIndex {
    fn default() -> ExecIndex {
        ExecIndex::fixed(TokenTrie::EMPTY)
    }
}

impl ExecIndex {
    /// Creates an index of patterns by program name.
    pub(super) const fn fixed(by_name: TokenTrie) -> ExecIndex {
        ExecIndex { by_name, by_path: TokenTrie::EMPTY, file_names: 0 }
    }

    pub(super) fn insert(
        &mut self,
        pattern: &CommandPattern,
        (sort, side): (Sort, Side),
        entry: EntryId,
        expander: &mut Expander<'_>,
    ) -> Result<(), Nowhere> {
        for alternative in pattern.alternatives() {
            let Some((program, words)) = alternative.tokens.split_first() else {
                continue;
            };
            let Some(path) = path_of(program) else {
                name_steps(alternative, (sort, side), |steps| self.by_name.insert(steps, entry));
                continue;
            };
            let open = is_open(alternative, sort);
            for words in spellings(words, side) {
                let tail: Vec<Step<'_>> =
                    words.into_iter().chain(open.then_some(Step::Deep)).collect();
                for place in expander.places(&path, side)? {
                    self.file_names |= match place.steps().last() {
                        Some(Step::Literal(name)) => bit_of(name),
                        _ => u64::MAX,
                    };
                    let end = [Step::Literal(PATH_END)];
                    let steps = place.steps().chain(end).chain(tail.iter().cloned());
                    self.by_path.insert(steps, entry);
                }
            }
        }
        Ok(())
    }

    /// Calls `found` for every pattern that matches the command. A pattern may be reported twice.
    pub(super) fn each_match(&self, exec: &Exec, side: Side, found: &mut dyn FnMut(EntryId)) {
        self.begin(exec, side, &mut |trie, begun| match trie.is_indifferent(begun) {
            true => trie.each_match_anyhow(begun, found),
            false => each_spelling(trie, begun, (exec, side, Sure::Certainly), found),
        });
    }

    /// Calls `found` for every pattern that the command matches if an unknown word has a suitable
    /// value.
    #[cold]
    pub(super) fn each_possible(&self, exec: &Exec, side: Side, found: &mut dyn FnMut(EntryId)) {
        self.begin(exec, side, &mut |trie, begun| {
            each_spelling(trie, begun, (exec, side, Sure::Perhaps), found);
        });
    }

    /// Calls `begun` with the trie and the walked prefix for each name of the program.
    fn begin(&self, exec: &Exec, side: Side, begun: &mut dyn FnMut(&TokenTrie, &Begun)) {
        if !self.by_name.is_empty() {
            let mut begin = |name: &str| {
                let own = self.by_name.begin_with(name);
                if !own.is_over() {
                    begun(&self.by_name, &own);
                }
            };
            match side {
                Side::Grant => {
                    for program in exec.granted_programs() {
                        let name = program.known_as.as_deref().unwrap_or_default();
                        begin(name);
                        if program.file.is_none()
                            && let Some(other) = builtin_synonym(name)
                        {
                            begin(other);
                        }
                    }
                }
                Side::Object => {
                    exec.program.each_name(&mut begin);
                }
            }
        }
        if self.file_names != 0 {
            let aliases = if side == Side::Grant { &*exec.aliases } else { &[] };
            let files = std::iter::once(&exec.program).chain(aliases);
            for file in files.filter_map(|program| program.file.as_ref()) {
                if self.file_names & bit_of(file.file_name()) != 0 {
                    self.begin_at(file, begun);
                }
            }
        }
    }

    /// Calls `begun` with the walked prefix for the program's path.
    #[cold]
    fn begin_at(&self, file: &AbsPath, begun: &mut dyn FnMut(&TokenTrie, &Begun)) {
        let path = names(file.as_str()).chain([PATH_END]).map(Seen::Word);
        let own = self.by_path.begin(path);
        if !own.is_over() {
            begun(&self.by_path, &own);
        }
    }
}

/// Returns whether further arguments may follow those of an alternative.
fn is_open(alternative: &CommandAlternative, sort: Sort) -> bool {
    match alternative.ending {
        Ending::Open => true,
        Ending::BySide => sort.takes_further_words(),
        Ending::Closed => false,
    }
}

/// Calls `add` with each spelling of an alternative that names its program without a path.
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

/// Returns whether a token names the program by a path.
pub(super) fn is_path(program: &Token) -> bool {
    path_of(program).is_some()
}

/// Matches the arguments after a prefix, in each of their spellings.
fn each_spelling(
    trie: &TokenTrie,
    begun: &Begun,
    (exec, side, sure): (&Exec, Side, Sure),
    found: &mut dyn FnMut(EntryId),
) {
    let Some(reading) = &exec.reading else {
        return each_unread(trie, begun, (exec, side, sure), found);
    };
    // Every order of the meaning starts with the subcommands, and few patterns continue after them.
    let (subs, rest) = split_subs(reading);
    let behind = trie.begin_on(begun, subs.iter().map(|sub| seen_meant(sub, side, sure)));
    // If no subcommand name continues a pattern, the same word as written does not either.
    if behind.is_over() && begins_with_names(&exec.args, subs) {
        return;
    }
    let is_plain = begins_with(&exec.args, subs);
    if !is_plain {
        trie.each_match_on(begun, &written(exec, side, sure), found);
    }
    if behind.is_over() {
        return;
    }
    if trie.is_indifferent(&behind) {
        return trie.each_match_anyhow(&behind, found);
    }
    let words = is_plain.then(|| written(exec, side, sure));
    let plain = words.as_deref().map(|words| words.get(subs.len()..).unwrap_or_default());
    if let Some(words) = plain {
        trie.each_match_on(&behind, words, found);
    }
    orders(rest, side, sure, &mut |meant| {
        // The order that equals the written words was matched above.
        if !plain.is_some_and(|words| is_same(meant, words)) {
            trie.each_match_on(&behind, meant, found);
        }
    });
}

/// Matches the arguments of a program whose options are not known.
#[cold]
fn each_unread(
    trie: &TokenTrie,
    begun: &Begun,
    (exec, side, sure): (&Exec, Side, Sure),
    found: &mut dyn FnMut(EntryId),
) {
    trie.each_match_on(begun, &written(exec, side, sure), found);
    if side == Side::Object && exec.args.iter().any(is_option_like) {
        each_taken_apart(trie, begun, &exec.args, sure, found);
    }
}

/// Matches the arguments of a program whose options are not known, split in each way in which they
/// may be options.
#[cold]
fn each_taken_apart(
    trie: &TokenTrie,
    begun: &Begun,
    args: &[Arg],
    sure: Sure,
    found: &mut dyn FnMut(EntryId),
) {
    for parted in [marked(args, sure), parted(args, sure)] {
        let words: Vec<Seen<'_>> = parted.iter().map(Parted::seen).collect();
        for from in 0..=leading_options(&words) {
            trie.each_match_on(begun, words.get(from..).unwrap_or_default(), found);
        }
    }
}

/// Returns the path pattern of a program token, if the token contains a slash.
fn path_of(program: &Token) -> Option<PathPattern> {
    let text = match program {
        Token::Literal(word) => word.to_string(),
        Token::Glob(glob) => glob.to_string(),
        Token::Run => return None,
    };
    PathPattern::parse(&text).ok().filter(|_| text.contains('/'))
}
