//! Lists and profiles as `build.rs` left them: records without markup, and tables of rules.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use ringfence_core::judge::RuleKind;
use ringfence_core::judge::table::{
    Anchor, AnchorBase, EntryLink, FloatingRules, Node, Prefix, Row, RuleTable, Shape, ShapeNode,
    Slot, TableSide, TokenTrie,
};
use ringfence_core::{Class, Rule};

use crate::name_hash::first_slot;
use crate::rule_record::RuleRecord;

include!(concat!(env!("OUT_DIR"), "/policies.rs"));

/// A profile as it was compiled in.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) name: &'static str,
    pub(crate) default: Option<&'static str>,
    /// Whether it opts in to the danger list.
    pub(crate) has_danger: bool,
    /// What becomes of programs in a fence that no rule grants.
    pub(crate) unlisted_programs: Option<&'static str>,
    pub(crate) rules: &'static List,
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

/// The rules of a list or profile.
#[derive(Debug)]
pub(crate) struct List {
    /// All records, one behind the other.
    text: &'static str,
    /// For each row of the table where its record lies.
    places: &'static [Place],
    /// The rules of the rows, each read when it is first asked for.
    rules: &'static [OnceLock<Box<Rule>>],
    /// The rules as the judge takes them.
    pub(crate) table: &'static RuleTable,
}

/// Where the record of a row lies; numbers alone, as in a [`Table`].
#[derive(Debug)]
struct Place {
    start: u32,
    end: u32,
    /// Which of the record's exceptions the row is, counted from one; zero for the rule itself.
    except: u32,
}

impl List {
    /// Returns the records in the order of the rows, each with what its rule does in a decision.
    pub(crate) fn records(&'static self) -> impl Iterator<Item = (RuleKind, RuleRecord<'static>)> {
        let rows = self.places.iter().zip(self.table.rows).filter(|(place, _)| place.except == 0);
        rows.filter_map(|(place, row)| Some((row.kind, self.record(place)?)))
    }

    /// Returns the rule of a row; `None` if there is no such row.
    // INVARIANT: every record parses; `builtin_tests` and `profiles_tests` hold the lists to it.
    fn rule(&'static self, number: u32) -> Option<&'static Rule> {
        let cell = self.rules.get(number as usize)?;
        if let Some(known) = cell.get() {
            return Some(known);
        }
        let place = self.places.get(number as usize)?;
        let first = match place.except {
            0 => number,
            _ => self.table.rows.get(number as usize)?.narrows,
        };
        let kind = self.table.rows.get(first as usize)?.kind;
        let mut rule = self.record(place)?.rule(kind, &Arc::from(self.table.name)).ok()?;
        if let Some(at) = place.except.checked_sub(1) {
            rule.pattern = rule.except.get(at as usize)?.clone();
            rule.except.clear();
        }
        Some(cell.get_or_init(|| Box::new(rule)))
    }

    fn record(&self, place: &Place) -> Option<RuleRecord<'static>> {
        Some(RuleRecord::read(self.text.get(place.start as usize..place.end as usize)?))
    }
}
