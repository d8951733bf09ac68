//! The rules of a policy by their numbers.
//!
//! Numbers follow the order of the documents. Rules of the documents themselves and rules of tables
//! share one sequence of numbers, so that grounds are listed in the order of the documents.

use super::table::RuleTable;
use crate::index::EntryId;
use crate::rule::Rule;

/// The rules of all documents, and where each number leads.
#[derive(Debug, Default)]
pub(crate) struct RuleBook {
    rules: Vec<Rule>,
    // INVARIANT: in the order of their first numbers, without gaps.
    segments: Vec<Segment>,
    next: EntryId,
}

/// Consecutive numbers of rules from one source.
#[derive(Debug)]
struct Segment {
    first: EntryId,
    source: Source,
}

#[derive(Debug, Clone, Copy)]
enum Source {
    /// Rules of documents, from this place in the list on.
    Rules(usize),
    /// All rows of a table.
    Table { table: &'static RuleTable, document: u32 },
}

/// Where the number of a rule leads.
#[derive(Debug, Clone, Copy)]
pub(super) enum Numbered {
    /// To the rule at this place in the list.
    Rule(usize),
    /// To a row of a table, which a document has taken in.
    Row { table: &'static RuleTable, row: u32, first: EntryId, document: u32 },
}

impl RuleBook {
    /// Returns the number of the next rule.
    pub(super) fn next(&self) -> EntryId {
        self.next
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
    pub(super) fn push_table(&mut self, table: &'static RuleTable, document: u32) -> EntryId {
        let first = self.next;
        self.segments.push(Segment { first, source: Source::Table { table, document } });
        self.next = first.saturating_add(u32::try_from(table.rows.len()).unwrap_or(u32::MAX));
        first
    }

    /// Returns the rules of documents, those of tables left out.
    pub(super) fn own(&self) -> &[Rule] {
        &self.rules
    }

    /// Returns where a number leads.
    pub(super) fn find(&self, number: EntryId) -> Option<Numbered> {
        let segment = self.segments.iter().rev().find(|segment| segment.first <= number)?;
        let offset = number.saturating_sub(segment.first);
        Some(match segment.source {
            Source::Rules(start) => Numbered::Rule(start.saturating_add(offset as usize)),
            Source::Table { table, document } => {
                Numbered::Row { table, row: offset, first: segment.first, document }
            }
        })
    }

    /// Returns the rule of a number.
    pub(crate) fn get(&self, number: EntryId) -> Option<&Rule> {
        match self.find(number)? {
            Numbered::Rule(at) => self.rules.get(at),
            Numbered::Row { table, row, .. } => (table.rule)(row),
        }
    }
}
