//! The rules of a policy by number.
//!
//! Numbers follow the order of the documents. Document rules and table rules share one sequence of
//! numbers, so that grounds are listed in document order.

use super::table::RuleTable;
use crate::index::RuleNumber;
use crate::rule::Rule;

/// The rules of all documents, with a lookup by number.
#[derive(Debug, Default)]
pub(crate) struct RuleBook {
    rules: Vec<Rule>,
    // INVARIANT: sorted by `first`, without gaps.
    segments: Vec<Segment>,
    next: RuleNumber,
}

/// A range of rule numbers from one source.
#[derive(Debug)]
struct Segment {
    first: RuleNumber,
    source: Source,
}

#[derive(Debug, Clone, Copy)]
enum Source {
    /// Document rules, starting at this index of `rules`.
    Rules(usize),
    /// All rows of a built-in table.
    Table { table: &'static RuleTable, document: u32 },
}

/// The location of a rule: in the documents or in a built-in table.
#[derive(Debug, Clone, Copy)]
pub(super) enum RuleLocation {
    /// The index of a document rule in `rules`.
    Rule(usize),
    /// A row of a built-in table that a document uses.
    Row { table: &'static RuleTable, row: u32, first: RuleNumber, document: u32 },
}

impl RuleBook {
    /// Returns the number that the next rule will get.
    pub(super) fn next(&self) -> RuleNumber {
        self.next
    }

    /// Reserves memory for this many more document rules.
    pub(super) fn reserve(&mut self, count: usize) {
        self.rules.reserve(count);
    }

    /// Adds a rule of a document.
    pub(super) fn push(&mut self, rule: Rule) {
        let goes_on =
            matches!(self.segments.last(), Some(Segment { source: Source::Rules(_), .. }));
        if !goes_on {
            let source = Source::Rules(self.rules.len());
            self.segments.push(Segment { first: self.next, source });
        }
        self.rules.push(rule);
        self.next = self.next.saturating_add(1);
    }

    /// Adds all rows of a table for a document, and returns the number of the first row.
    pub(super) fn push_table(&mut self, table: &'static RuleTable, document: u32) -> RuleNumber {
        let first = self.next;
        self.segments.push(Segment { first, source: Source::Table { table, document } });
        self.next = first.saturating_add(u32::try_from(table.rows.len()).unwrap_or(u32::MAX));
        first
    }

    /// Returns the document rules, without table rules.
    pub(super) fn own(&self) -> &[Rule] {
        &self.rules
    }

    /// Returns the location of the rule with this number.
    pub(super) fn find(&self, number: RuleNumber) -> Option<RuleLocation> {
        let segment = self.segments.iter().rev().find(|segment| segment.first <= number)?;
        let offset = number.saturating_sub(segment.first);
        Some(match segment.source {
            Source::Rules(start) => RuleLocation::Rule(start.saturating_add(offset as usize)),
            Source::Table { table, document } => {
                RuleLocation::Row { table, row: offset, first: segment.first, document }
            }
        })
    }

    /// Returns the rule with this number.
    pub(crate) fn get(&self, number: RuleNumber) -> Option<&Rule> {
        match self.find(number)? {
            RuleLocation::Rule(at) => self.rules.get(at),
            RuleLocation::Row { table, row, .. } => (table.rule)(row),
        }
    }
}
