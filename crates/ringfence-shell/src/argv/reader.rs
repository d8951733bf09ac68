//! From words to options, values, subcommands and operands.

use std::sync::Arc;

use ringfence_core::access::{Arg, Meant, Unknown};
use ringfence_core::program::{Catalogue, CommandEnd, Entry, OptionSpec, Role, Style};
use smallvec::{SmallVec, smallvec};

use super::level::Levels;
use super::roles;
use super::seen::Seen;
use super::{Named, Reading, Use, Words};
use crate::field::{Field, FieldText};

/// Reads the words after a program.
pub(super) struct Reader<'a> {
    catalogue: &'a dyn Catalogue,
    words: &'a [Field],
    /// The next word.
    pub(super) at: usize,
    pub(super) levels: Levels,
    pub(super) meant: Vec<Meant>,
    subs: Vec<Meant>,
    pub(super) seen: Seen,
    pub(super) occurrences: Vec<Occurrence>,
    /// Options that the catalogue does not list.
    pub(super) unlisted: Vec<Named>,
    operands: Vec<(usize, &'a Field)>,
    /// Words of which nothing is known.
    loose: Vec<Use>,
    /// The words of the command that is carried.
    carried: Option<(usize, CommandEnd, Vec<Field>)>,
    ended: bool,
    /// Where `--` stands.
    dashes: Option<usize>,
    doubt: Option<String>,
}

/// An option where it stands, with its values.
#[derive(Debug)]
pub(super) struct Occurrence {
    pub(super) option: Arc<OptionSpec>,
    pub(super) written: Arc<str>,
    pub(super) values: SmallVec<[Words; 1]>,
    pub(super) at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        catalogue: &'a dyn Catalogue,
        entry: Arc<Entry>,
        words: &'a [Field],
    ) -> Reader<'a> {
        Reader {
            catalogue,
            words,
            at: 0,
            levels: Levels::new(entry),
            meant: Vec::with_capacity(words.len()),
            subs: Vec::new(),
            seen: Seen::default(),
            occurrences: Vec::new(),
            unlisted: Vec::new(),
            operands: Vec::new(),
            loose: Vec::new(),
            carried: None,
            ended: false,
            dashes: None,
            doubt: None,
        }
    }

    pub(super) fn read(mut self) -> Reading {
        while let Some(field) = self.next() {
            if self.ends_options(field) {
                self.ended = true;
                self.dashes = Some(self.at.saturating_sub(1));
                self.meant.push(Meant::Word("--".into()));
            } else if !self.ended && (self.option(field) || self.sub(field)) {
                continue;
            } else if self.carries(field) {
                break;
            } else {
                self.operand(field);
            }
        }
        self.finish()
    }

    /// The next word.
    pub(super) fn next(&mut self) -> Option<&'a Field> {
        let field = self.words.get(self.at)?;
        self.at = self.at.saturating_add(1);
        Some(field)
    }

    /// All words that are left.
    pub(super) fn rest(&mut self) -> &'a [Field] {
        let rest = self.words.get(self.at..).unwrap_or_default();
        self.at = self.words.len();
        rest
    }

    pub(super) fn doubt(&mut self, reason: String) {
        self.doubt.get_or_insert(reason);
    }

    /// A word of which nothing is known.
    pub(super) fn loose(&mut self, field: Field) {
        let at = self.at.saturating_sub(1);
        self.loose.push(Use { role: None, fields: smallvec![field], option: None, at });
    }

    /// An unknown word is a doubt where it may decide which program or subcommand runs.
    pub(super) fn doubt_if_it_matters(&mut self, field: &Field) {
        let inner = self.levels.inner();
        // A word among the tests of `find` may be one that runs a command.
        let takes_command = |option: &Arc<OptionSpec>| {
            option.roles.iter().any(|role| matches!(role, Role::Command(_)))
        };
        if inner.options.iter().any(takes_command)
            || inner.carries_command()
            || (!inner.subs.is_empty() && self.operands.is_empty())
        {
            self.doubt(format!("`{}` may be an option or a command", field.shown()));
        }
    }

    fn ends_options(&self, field: &Field) -> bool {
        let by_dashes = !matches!(self.levels.style(), Style::Raw | Style::Keys);
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
        let found = inner.subs.iter().find(|sub| sub.names.iter().any(|name| **name == *word));
        let Some(sub) = found else { return false };
        let Some(entry) = self.catalogue.entry(&sub.key) else { return false };
        self.subs.push(Meant::OneOf(Arc::clone(&sub.names)));
        self.levels.entries.push(entry);
        true
    }

    /// A command among the operands takes all words that are left.
    fn carries(&mut self, field: &Field) -> bool {
        let operands = roles::operands(&self.levels, &self.seen);
        let role = operands.as_ref().and_then(|own| own.role(self.operands.len(), usize::MAX));
        let Some(Role::Command(end)) = role else { return false };
        let end = *end;
        let at = self.at.saturating_sub(1);
        let words: Vec<Field> = std::iter::once(field).chain(self.rest()).cloned().collect();
        self.meant.extend(words.iter().map(|word| meant(word, false)));
        self.carried = Some((at, end, words));
        true
    }

    fn operand(&mut self, field: &'a Field) {
        if let FieldText::Unknown(dynamic) = &field.text
            && !self.ended
            && !dynamic.operand
        {
            self.doubt_if_it_matters(field);
        }
        self.meant.push(meant(field, self.ended));
        self.operands.push((self.at.saturating_sub(1), field));
        if !self.levels.style().permutes() {
            self.ended = true;
        }
    }

    fn finish(self) -> Reading {
        let operands = roles::operands(&self.levels, &self.seen);
        let count = self.operands.len();
        let behind_dashes = self.levels.inner().behind_dashes.as_ref();
        let mut uses = roles::options(&self.levels, &self.seen, &self.occurrences);
        uses.reserve(self.loose.len().saturating_add(count).saturating_add(1));
        uses.extend(self.loose);
        for (index, (at, field)) in self.operands.into_iter().enumerate() {
            let role = operands.as_ref().and_then(|own| own.role(index, count));
            let behind = self.dashes.is_some_and(|dashes| at > dashes);
            let role = behind_dashes.filter(|_| behind).or(role).cloned();
            uses.push(Use { role, fields: smallvec![field.clone()], option: None, at });
        }
        let named = |own: Occurrence| Named {
            written: own.written,
            names: Arc::clone(&own.option.spelling.names),
            at: own.at,
        };
        let mut options: Vec<Named> = self.occurrences.into_iter().map(named).collect();
        options.extend(self.unlisted);
        options.sort_by_key(|own| own.at);
        let carries = self.carried.is_some();
        if let Some((at, end, fields)) = self.carried {
            let fields = Words::from_vec(fields);
            uses.push(Use { role: Some(Role::Command(end)), fields, option: None, at });
        }
        uses.sort_by_key(|own| own.at);
        let left = operands.as_ref().map_or(count == 0, |own| own.leaves_default(count));
        let none = left && !carries;
        let given = roles::given(&self.levels, &self.seen, none);
        let mut meant = self.meant;
        meant.splice(0..0, self.subs);
        Reading {
            entries: self.levels.entries,
            meant,
            uses,
            given,
            doubt: self.doubt,
            operands: count,
            seen: self.seen,
            options,
        }
    }
}

/// An operand; what stands behind `--` is no option, whatever it looks like.
fn meant(field: &Field, operand: bool) -> Meant {
    match field.to_arg(operand) {
        Arg::Known(shown) if operand && shown.starts_with('-') => {
            Meant::Unknown(Unknown { shown: (&*shown).into(), operand: true, many: false })
        }
        Arg::Known(text) => Meant::Word(text),
        Arg::Unknown(unknown) => Meant::Unknown(unknown),
    }
}
