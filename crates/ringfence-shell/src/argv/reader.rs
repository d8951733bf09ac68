//! From words to options, values, subcommands and operands.

use std::slice;
use std::sync::Arc;

use ringfence_core::access::{Arg, UnknownArg, WordMeaning};
use ringfence_core::program::{
    Catalogue, CatalogueEntry, Habit, OptionSpec, OptionStyle, SubcommandSpec, WordRole,
};
use smallvec::SmallVec;

use super::level::Levels;
use super::roles;
use super::{Named, Reading, Use, Uses, Words};
use crate::field::{Field, FieldText};

/// Reads the words after a program.
pub(super) struct Reader<'w, 'r> {
    /// What was read, where whoever asked has a place for it: it is large, and so it is not moved.
    pub(super) out: &'r mut Reading<'w>,
    catalogue: &'w dyn Catalogue,
    words: &'w [Field],
    /// The next word.
    pub(super) at: usize,
    pub(super) levels: Levels<'w>,
    /// How many of the words are subcommands.
    subs: usize,
    pub(super) occurrences: SmallVec<[Occurrence<'w>; 2]>,
    /// Options that the catalogue does not list.
    pub(super) unlisted: Vec<Named>,
    pub(super) operands: SmallVec<[(usize, &'w Field); 8]>,
    /// Words of which nothing is known.
    loose: Uses<'w>,
    /// The words of the command that is carried.
    carried: Option<(usize, &'w WordRole, &'w [Field])>,
    pub(super) ended: bool,
    /// Where `--` stands.
    dashes: Option<usize>,
}

/// An option where it stands, with its values.
#[derive(Debug)]
pub(super) struct Occurrence<'w> {
    pub(super) option: &'w OptionSpec,
    pub(super) written: &'w str,
    pub(super) values: SmallVec<[Words<'w>; 1]>,
    pub(super) at: usize,
}

impl<'w, 'r> Reader<'w, 'r> {
    pub(super) fn new(
        catalogue: &'w dyn Catalogue,
        entry: &'w CatalogueEntry,
        words: &'w [Field],
        out: &'r mut Reading<'w>,
    ) -> Reader<'w, 'r> {
        out.meant.reserve_exact(words.len());
        Reader {
            out,
            catalogue,
            words,
            at: 0,
            levels: Levels::new(entry),
            subs: 0,
            occurrences: SmallVec::new(),
            unlisted: Vec::new(),
            operands: SmallVec::new(),
            loose: Uses::new(),
            carried: None,
            ended: false,
            dashes: None,
        }
    }

    pub(super) fn read(&mut self) {
        self.go();
        self.finish();
    }

    /// The options among the words, in order.
    pub(super) fn options(mut self) -> Vec<Named> {
        self.go();
        let named = |own: Occurrence<'_>| Named {
            written: own.written.into(),
            names: Arc::clone(&own.option.spelling.names),
            at: own.at,
        };
        let mut options: Vec<Named> = self.occurrences.into_iter().map(named).collect();
        options.extend(self.unlisted);
        options.sort_by_key(|own| own.at);
        options
    }

    /// Goes along the words.
    fn go(&mut self) {
        while let Some(field) = self.next() {
            if self.ends_options(field) {
                self.ended = true;
                self.dashes = Some(self.at.saturating_sub(1));
                self.out.meant.push(WordMeaning::Word("--".into()));
            } else if !self.ended && (self.option(field) || self.sub(field)) {
                continue;
            } else if self.carries() {
                break;
            } else {
                self.operand(field);
            }
        }
    }

    /// The next word.
    pub(super) fn next(&mut self) -> Option<&'w Field> {
        let field = self.words.get(self.at)?;
        self.at = self.at.saturating_add(1);
        Some(field)
    }

    /// All words that are left.
    pub(super) fn rest(&mut self) -> &'w [Field] {
        let rest = self.words.get(self.at..).unwrap_or_default();
        self.at = self.words.len();
        rest
    }

    #[cold]
    pub(super) fn doubt(&mut self, reason: String) {
        self.out.doubt.get_or_insert(reason);
    }

    /// A word of which nothing is known.
    #[cold]
    pub(super) fn loose(&mut self, field: Field) {
        let at = self.at.saturating_sub(1);
        self.loose.push(Use { role: None, fields: vec![field].into(), option: None, at });
    }

    /// An unknown word is a doubt where it may decide which program or subcommand runs.
    #[cold]
    pub(super) fn doubt_if_it_matters(&mut self, field: &Field) {
        let inner = self.levels.inner();
        // A word among the tests of `find` may be one that runs a command.
        let takes_command = |option: &OptionSpec| {
            option.roles.iter().any(|role| matches!(role, WordRole::Command(_)))
        };
        if inner.options.iter().any(|own| takes_command(own))
            || inner.carries_command()
            || (!inner.subs.is_empty() && self.operands.is_empty())
        {
            self.doubt(format!("`{}` may be an option or a command", field.shown()));
        }
    }

    fn ends_options(&self, field: &Field) -> bool {
        let by_dashes = !matches!(self.levels.style(), OptionStyle::Raw | OptionStyle::Keys);
        !self.ended && by_dashes && field.as_known() == Some("--")
    }

    /// A subcommand where one is expected.
    fn sub(&mut self, field: &Field) -> bool {
        let inner = self.levels.inner();
        if inner.subs.is_empty() || !self.operands.is_empty() {
            return false;
        }
        let Some(word) = field.as_known() else {
            self.doubt(format!("`{}` stands where a subcommand is expected", field.shown()));
            return false;
        };
        let Some(sub) = inner.subs.named(word).or_else(|| self.loosely_named(word)) else {
            return false;
        };
        let Some(entry) = self.catalogue.entry(&sub.key) else { return false };
        self.out.meant.insert(self.subs, WordMeaning::OneOf(Arc::clone(&sub.names)));
        self.subs = self.subs.saturating_add(1);
        self.levels.push(entry);
        true
    }

    /// The subcommand that a word names where it is cut short, or written in other letters.
    #[cold]
    fn loosely_named(&mut self, word: &str) -> Option<&'w SubcommandSpec> {
        let inner = self.levels.inner();
        let habits = &self.levels.entries.first()?.habits;
        let (cut, any_case) = (Habit::CutShort, Habit::AnyCase);
        if habits.contains(&any_case)
            && let Some(sub) = inner.subs.named(&word.to_ascii_lowercase())
        {
            return Some(sub);
        }
        if !habits.contains(&cut) || word.is_empty() {
            return None;
        }
        let begins = |sub: &&SubcommandSpec| sub.names.iter().any(|name| name.starts_with(word));
        let mut subs = inner.subs.iter().filter(begins);
        match (subs.next(), subs.next()) {
            (only, None) => only,
            _ => {
                self.doubt(format!("`{word}` is the beginning of several commands"));
                None
            }
        }
    }

    /// A command among the operands takes all words that are left.
    fn carries(&mut self) -> bool {
        if !self.levels.may_carry {
            return false;
        }
        self.carries_command()
    }

    #[cold]
    fn carries_command(&mut self) -> bool {
        let operands = roles::operands(&self.levels, &self.out.seen);
        let role = operands.and_then(|own| own.role(self.operands.len(), usize::MAX));
        let Some(role @ WordRole::Command(_)) = role else { return false };
        let at = self.at.saturating_sub(1);
        self.at = at;
        let words = self.rest();
        self.out.meant.extend(words.iter().map(|word| meant(word, false)));
        self.carried = Some((at, role, words));
        true
    }

    fn operand(&mut self, field: &'w Field) {
        if let FieldText::Unknown(dynamic) = &field.text
            && !self.ended
            && !dynamic.operand
        {
            self.doubt_if_it_matters(field);
        }
        if matches!(field.text, FieldText::Unknown(_)) {
            self.hide(field);
        }
        let names = field.as_known().filter(|_| self.levels.has_refspecs).and_then(refspec_names);
        let others = || field.as_known().filter(|_| self.levels.has_names);
        let names = names.or_else(|| others().and_then(|text| self.levels.names_of(text)));
        self.out.meant.push(names.unwrap_or_else(|| meant(field, self.ended)));
        self.operands.push((self.at.saturating_sub(1), field));
        if !self.levels.style().permutes() {
            self.ended = true;
        }
    }

    fn finish(&mut self) {
        let Reading { seen, uses, sorts, .. } = &mut *self.out;
        let operands = roles::operands(&self.levels, seen);
        let count = self.operands.len();
        let behind_dashes = self.levels.inner().behind_dashes.as_ref();
        let values = self.occurrences.iter().map(|own| own.values.len().max(1)).sum::<usize>();
        let others = self.loose.len().saturating_add(count).saturating_add(1);
        uses.reserve(values.saturating_add(others));
        if !self.occurrences.is_empty() {
            roles::options(&self.levels, seen, self.occurrences.drain(..), uses);
        }
        if !self.loose.is_empty() {
            append(uses, &mut self.loose);
        }
        uses.iter().filter_map(|own| own.role).for_each(|role| sorts.add(role));
        // Operands come in order, but the options may stand among them.
        let in_order = uses.is_empty();
        for (index, (at, field)) in self.operands.iter().copied().enumerate() {
            let role = operands.and_then(|own| own.role(index, count));
            let behind = self.dashes.is_some_and(|dashes| at > dashes);
            let role = behind_dashes.filter(|_| behind).or(role);
            role.into_iter().for_each(|role| sorts.add(role));
            uses.push(Use { role, fields: slice::from_ref(field).into(), option: None, at });
        }
        let carries = self.carried.is_some();
        if let Some((at, role, fields)) = self.carried {
            uses.push(Use { role: Some(role), fields: fields.into(), option: None, at });
        }
        if !in_order && !uses.is_sorted_by_key(|own| own.at) {
            uses.sort_by_key(|own| own.at);
        }
        let left = operands.map_or(count == 0, |own| own.leaves_default(count));
        let none = left && !carries;
        self.out.given = roles::given(&self.levels, seen, none);
        self.out.entries = std::mem::take(&mut self.levels.entries);
        self.out.operands = count;
        self.out.sorts.refspecs = self.levels.has_refspecs;
    }
}

#[cold]
fn append<'w>(uses: &mut Uses<'w>, loose: &mut Uses<'w>) {
    uses.append(loose);
}

/// What a rule may call the branch to which a refspec pushes, where the word is not just its name.
#[cold]
fn refspec_names(text: &str) -> Option<WordMeaning> {
    let branch = text.strip_prefix('+').unwrap_or(text);
    let branch = branch.rsplit_once(':').map_or(branch, |(_, target)| target);
    let full = branch.strip_prefix("refs/").unwrap_or(branch);
    let short = ["heads/", "tags/"].iter().find_map(|kind| full.strip_prefix(kind)).unwrap_or(full);
    // A place on another host has a colon as well, and no branch is called like a path from the root.
    let is_other = short != text && !short.is_empty() && !short.starts_with('/');
    is_other.then(|| WordMeaning::Named(Arc::new([text, branch, full, short].map(Box::from))))
}

/// An operand; what stands behind `--` is no option, whatever it looks like.
fn meant(field: &Field, operand: bool) -> WordMeaning {
    match &field.text {
        FieldText::Known(text) if !operand => WordMeaning::Word(text.clone()),
        _ => meant_operand(field, operand),
    }
}

#[cold]
fn meant_operand(field: &Field, operand: bool) -> WordMeaning {
    match field.to_arg(operand) {
        Arg::Known(shown) if operand && shown.starts_with('-') => {
            WordMeaning::Unknown(UnknownArg { shown: (&*shown).into(), operand: true, many: false })
        }
        Arg::Known(text) => WordMeaning::Word(text),
        Arg::Unknown(unknown) => WordMeaning::Unknown(unknown),
    }
}
