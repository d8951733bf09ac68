//! Many command patterns, matched together.

use smallvec::SmallVec;

use super::by_name::ByName;
use super::entry::{Side, Sort};
use super::exec_spellings::{plain, spellings};
use super::exec_words::{
    Parted, Sure, is_option_like, is_same, leading_options, marked, parted, readings, written,
};
use super::expand::{Expander, Nowhere};
use crate::access::{Arg, Exec};
use crate::index::{Begun, EntryId, Seen, Step, TokenTrie};
use crate::pattern::{CommandAlternative, CommandPattern, Ending, PathPattern, Token};

/// Stands between a program's path and its words.
const PATH_END: &str = "\0";

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
        let indifferent = |(trie, own): &(&TokenTrie, Begun)| trie.is_indifferent(own);
        if sure == Sure::Certainly && begun.iter().all(indifferent) {
            return begun.iter().for_each(|(trie, own)| trie.each_match_anyhow(own, &mut *found));
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

/// The path that a program's token names, if it has a slash.
fn path_of(program: &Token) -> Option<PathPattern> {
    let text = match program {
        Token::Literal(word) => word.to_string(),
        Token::Glob(glob) => glob.to_string(),
        Token::Run => return None,
    };
    PathPattern::parse(&text).ok().filter(|_| text.contains('/'))
}
