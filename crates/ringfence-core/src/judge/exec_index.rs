//! An index that matches a command against many command patterns.

use super::entry::{EntryKind, Side};
use super::exec_spellings::{plain, spellings};
use super::exec_words::{
    MatchMode, SplitWord, begins_with, begins_with_names, each_order, is_option_like,
    leading_options, mark_abbreviations, same_tokens, split_options, split_subs, token_of_meaning,
    words_as_written,
};
use super::expand::{Expander, PlacementError};
use crate::access::{Arg, Exec, builtin_synonym};
use crate::index::{InputToken, RuleNumber, Step, TokenTrie, WalkedPrefix, bloom_bit};
use crate::path::{AbsPath, names};
use crate::pattern::{CommandAlternative, CommandPattern, Ending, PathPattern, Token};
use crate::text::has_byte;

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
        (kind, side): (EntryKind, Side),
        entry: RuleNumber,
        expander: &mut Expander<'_>,
    ) -> Result<(), PlacementError> {
        for alternative in pattern.alternatives() {
            let Some((program, words)) = alternative.tokens.split_first() else {
                continue;
            };
            let Some(path) = path_of(program) else {
                each_named_spelling(alternative, (kind, side), |steps| {
                    self.by_name.insert(steps, entry)
                });
                continue;
            };
            let open = is_open(alternative, kind);
            for words in spellings(words, side) {
                let tail: Vec<Step<'_>> =
                    words.into_iter().chain(open.then_some(Step::Deep)).collect();
                for place in expander.places(&path, side)? {
                    self.file_names |= match place.steps().last() {
                        Some(Step::Literal(name)) => bloom_bit(name),
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
    pub(super) fn each_match(&self, exec: &Exec, side: Side, found: &mut dyn FnMut(RuleNumber)) {
        self.each_prefix(exec, side, &mut |trie, prefix| match trie.ignores_rest(prefix) {
            true => trie.each_match_of_any_rest(prefix, found),
            false => each_spelling(trie, prefix, (exec, side, MatchMode::Certain), found),
        });
    }

    /// Calls `found` for every pattern that the command matches if an unknown word has a suitable
    /// value.
    #[cold]
    pub(super) fn each_possible(&self, exec: &Exec, side: Side, found: &mut dyn FnMut(RuleNumber)) {
        self.each_prefix(exec, side, &mut |trie, prefix| {
            each_spelling(trie, prefix, (exec, side, MatchMode::Possible), found);
        });
    }

    /// Calls `visit` with the trie and the walked prefix for each name of the program.
    fn each_prefix(
        &self,
        exec: &Exec,
        side: Side,
        visit: &mut dyn FnMut(&TokenTrie, &WalkedPrefix),
    ) {
        if !self.by_name.is_empty() {
            let mut begin = |name: &str| {
                let own = self.by_name.walk_first(name);
                if !own.is_dead() {
                    visit(&self.by_name, &own);
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
                if self.file_names & bloom_bit(file.file_name()) != 0 {
                    self.each_path_prefix(file, visit);
                }
            }
        }
    }

    /// Calls `visit` with the walked prefix for the program's path.
    #[cold]
    fn each_path_prefix(&self, file: &AbsPath, visit: &mut dyn FnMut(&TokenTrie, &WalkedPrefix)) {
        let path = names(file.as_str()).chain([PATH_END]).map(InputToken::Word);
        let own = self.by_path.walk_prefix(path);
        if !own.is_dead() {
            visit(&self.by_path, &own);
        }
    }
}

/// Returns whether further arguments may follow those of an alternative.
fn is_open(alternative: &CommandAlternative, kind: EntryKind) -> bool {
    match alternative.ending {
        Ending::Open => true,
        Ending::BySide => kind.takes_further_words(),
        Ending::Closed => false,
    }
}

/// Calls `add` with each spelling of an alternative that names its program without a path.
pub(super) fn each_named_spelling<'a>(
    alternative: &'a CommandAlternative,
    (kind, side): (EntryKind, Side),
    mut add: impl FnMut(Vec<Step<'a>>),
) {
    let Some((program, words)) = alternative.tokens.split_first() else { return };
    let open = is_open(alternative, kind).then_some(Step::Deep);
    for words in spellings(words, side) {
        add([plain(program)].into_iter().chain(words).chain(open.clone()).collect());
    }
}

/// Returns whether a token names the program by a path.
pub(super) fn is_path(program: &Token) -> bool {
    path_of(program).is_some()
}

/// Matches the arguments after a program name, in each of their spellings.
fn each_spelling(
    trie: &TokenTrie,
    prefix: &WalkedPrefix,
    (exec, side, mode): (&Exec, Side, MatchMode),
    found: &mut dyn FnMut(RuleNumber),
) {
    let Some(reading) = &exec.reading else {
        return each_match_without_meaning(trie, prefix, (exec, side, mode), found);
    };
    // All orders of the arguments start with the subcommands. Few patterns continue after these
    // subcommands, so most searches end here.
    let (subs, rest) = split_subs(reading);
    let behind =
        trie.extend_prefix(prefix, subs.iter().map(|sub| token_of_meaning(sub, side, mode)));
    // If no pattern continues with any name of the subcommand, none continues with the name as
    // written.
    if behind.is_dead() && begins_with_names(&exec.args, subs) {
        return;
    }
    let is_plain = begins_with(&exec.args, subs);
    if !is_plain {
        trie.each_match_after(prefix, &words_as_written(exec, side, mode), found);
    }
    if behind.is_dead() {
        return;
    }
    if trie.ignores_rest(&behind) {
        return trie.each_match_of_any_rest(&behind, found);
    }
    let words = is_plain.then(|| words_as_written(exec, side, mode));
    let plain = words.as_deref().map(|words| words.get(subs.len()..).unwrap_or_default());
    if let Some(words) = plain {
        trie.each_match_after(&behind, words, found);
    }
    each_order(rest, side, mode, &mut |meant| {
        // The order in which the arguments are written was matched above.
        if !plain.is_some_and(|words| same_tokens(meant, words)) {
            trie.each_match_after(&behind, meant, found);
        }
    });
}

/// Matches the arguments of a program whose options are not known.
#[cold]
fn each_match_without_meaning(
    trie: &TokenTrie,
    prefix: &WalkedPrefix,
    (exec, side, mode): (&Exec, Side, MatchMode),
    found: &mut dyn FnMut(RuleNumber),
) {
    trie.each_match_after(prefix, &words_as_written(exec, side, mode), found);
    if side == Side::Object && exec.args.iter().any(is_option_like) {
        each_match_of_split_options(trie, prefix, &exec.args, mode, found);
    }
}

/// Matches the arguments of a program whose options are not known. Each argument that looks like an
/// option is split in the ways in which the program may read it.
#[cold]
fn each_match_of_split_options(
    trie: &TokenTrie,
    prefix: &WalkedPrefix,
    args: &[Arg],
    mode: MatchMode,
    found: &mut dyn FnMut(RuleNumber),
) {
    for split in [mark_abbreviations(args, mode), split_options(args, mode)] {
        let words: Vec<InputToken<'_>> = split.iter().map(SplitWord::token).collect();
        for from in 0..=leading_options(&words) {
            trie.each_match_after(prefix, words.get(from..).unwrap_or_default(), found);
        }
    }
}

/// Returns the path pattern of a program token, if the token contains a slash.
fn path_of(program: &Token) -> Option<PathPattern> {
    let glob_text;
    let text = match program {
        Token::Literal(word) => &**word,
        Token::Glob(glob) => {
            glob_text = glob.to_string();
            &glob_text
        }
        Token::Run => return None,
    };
    has_byte(text, b'/').then(|| PathPattern::parse(text).ok()).flatten()
}
