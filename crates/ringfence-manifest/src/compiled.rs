//! Lists and profiles as `build.rs` left them: records without markup.

use std::sync::Arc;

use ringfence_core::judge::{Listed, Needs, Stand};
use ringfence_core::pattern::{CommandPattern, PathPattern};
use ringfence_core::{Class, Effect, Note, Origin, Pattern, PatternError, Rule, Scope};

use crate::name_hash::first_slot;

include!(concat!(env!("OUT_DIR"), "/policies.rs"));

/// A profile as it was compiled in.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) name: &'static str,
    pub(crate) default: Option<&'static str>,
    /// Whether it opts in to the danger list.
    pub(crate) has_danger: bool,
    /// The classes on which its rules give it a stance everywhere.
    pub(crate) stances: &'static [Class],
    pub(crate) rules: &'static [Section],
    pub(crate) text: &'static str,
}

/// Rows of text in the order of their first column, all in one piece.
///
/// A list of `&str` holds an address for each, which the loader would have to fill in at every
/// start, used or not; numbers need nothing.
#[derive(Debug)]
pub(crate) struct Table<const BOUNDS: usize> {
    text: &'static str,
    /// For each row where its columns begin, and where the last one ends.
    rows: &'static [[u32; BOUNDS]],
    /// The numbers of the rows from one on, where their first columns hash to; nought is free.
    slots: &'static [u16],
}

impl<const BOUNDS: usize> Table<BOUNDS> {
    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The number of the row with this first column.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        let first = first_slot(name, self.slots.len());
        let (before, after) = self.slots.split_at_checked(first)?;
        // Ends at a free slot, of which there are always some.
        for slot in after.iter().chain(before) {
            let row = usize::from(*slot).checked_sub(1)?;
            if self.get(row, 0) == Some(name) {
                return Some(row);
            }
        }
        None
    }

    /// What a row has in a column.
    pub(crate) fn get(&self, row: usize, column: usize) -> Option<&'static str> {
        self.cell(self.rows.get(row)?, column)
    }

    /// The first column.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.rows.iter().filter_map(|row| self.cell(row, 0))
    }

    fn cell(&self, row: &[u32; BOUNDS], column: usize) -> Option<&'static str> {
        let start = *row.get(column)?;
        let end = *row.get(column.saturating_add(1))?;
        self.text.get(start as usize..end as usize)
    }
}

/// The rules of one class.
#[derive(Debug)]
pub(crate) struct Section {
    class: Class,
    text: &'static str,
    rows: &'static [Row],
}

/// Where a record lies in the text of its section; numbers alone, as in a [`Table`].
#[derive(Debug)]
struct Row {
    start: u32,
    /// Where its pattern ends.
    pattern: u32,
    end: u32,
    stand: Stand,
    /// What it needs of a call.
    needs: Needs,
    /// Whether it is for some commands alone.
    is_scoped: bool,
}

/// One rule of a list or profile.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Record {
    pub(crate) stand: Stand,
    pub(crate) pattern: &'static str,
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) why: &'static str,
    pub(crate) except: &'static str,
    command: &'static str,
    pub(crate) source: &'static str,
    pub(crate) group: &'static str,
}

/// The records of these classes.
pub(crate) fn records(list: &'static [Section], classes: &[Class]) -> impl Iterator<Item = Record> {
    records_where(list, classes, |_| true)
}

/// The records of these classes that pass; of the others nothing but the pattern is looked at.
pub(crate) fn records_where(
    list: &'static [Section],
    classes: &[Class],
    mut passes: impl FnMut(Listed<'_>) -> bool,
) -> impl Iterator<Item = Record> {
    let wanted = list.iter().filter(|section| classes.contains(&section.class));
    let rows = wanted.flat_map(|section| section.rows.iter().map(move |row| (section, row)));
    rows.filter_map(move |(section, row)| {
        let Section { class, text, .. } = *section;
        let pattern = text.get(row.start as usize..row.pattern as usize)?;
        let Row { stand, needs, is_scoped, .. } = *row;
        let listed = Listed { pattern, class, stand, needs, is_scoped };
        passes(listed).then(|| record(text, row)).flatten()
    })
}

/// How many records of these classes there are.
pub(crate) fn count(list: &'static [Section], classes: &[Class]) -> usize {
    let wanted = list.iter().filter(|section| classes.contains(&section.class));
    wanted.map(|section| section.rows.len()).sum()
}

fn record(text: &'static str, row: &Row) -> Option<Record> {
    let mut fields = text.get(row.start as usize..row.end as usize)?.split('\u{1f}');
    let mut next = || fields.next().unwrap_or("");
    Some(Record {
        stand: row.stand,
        pattern: next(),
        line: next().parse().unwrap_or(0),
        column: next().parse().unwrap_or(0),
        why: next(),
        except: next(),
        command: next(),
        source: next(),
        group: next(),
    })
}

impl Record {
    /// The exceptions, as they were written.
    pub(crate) fn excepts(self) -> impl Iterator<Item = &'static str> {
        self.except.split('\u{1d}').filter(|text| !text.is_empty())
    }

    /// The commands that it is for, where it is not for all.
    fn commands(self) -> Result<Option<Arc<[CommandPattern]>>, PatternError> {
        let texts = self.command.split('\u{1d}').filter(|text| !text.is_empty());
        let patterns = texts.map(CommandPattern::parse).collect::<Result<Arc<[_]>, _>>()?;
        Ok(Some(patterns).filter(|patterns| !patterns.is_empty()))
    }

    /// The rule that the record stands for.
    pub(crate) fn rule(self, effect: Effect, document: &Arc<str>) -> Result<Rule, PatternError> {
        let pattern = Pattern::parse_built_in(self.pattern)?;
        let excepts = self.excepts().map(|text| match &pattern {
            Pattern::File(rights, _) if !text.starts_with("fs:") => {
                PathPattern::parse(text).map(|path| Pattern::File(*rights, path))
            }
            _ => Pattern::parse(text),
        });
        let except = excepts.collect::<Result<_, _>>()?;
        let origin = Origin::new(Arc::clone(document), self.line, self.column);
        let why = (!self.why.is_empty()).then(|| Arc::from(self.why));
        let note = Note { why, ..Note::default() };
        let scope = Scope { command: self.commands()?, ..Scope::default() };
        Ok(Rule { except, note, scope, ..Rule::new(effect, pattern, origin) })
    }
}
