//! Built-in rule tables bound to this host: the directories of their anchors, and links in their
//! paths.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::compile::{Compiler, Policy};
use super::entry::{EntryView, Side};
use super::expand::{Expander, PlacedPath};
use super::side_index::{SideIndex, insert_places};
use super::table::{Anchor, RuleTable};
use crate::index::{RuleNumber, TokenTrie};
use crate::path::AbsPath;
use crate::pattern::{Component, PathAlternative, Pattern};
use crate::rule::Rule;

/// A built-in rule table that a document uses.
#[derive(Debug)]
pub(super) struct BoundTable {
    pub(super) table: &'static RuleTable,
    /// The rule number of the table's first row.
    pub(super) first: RuleNumber,
    /// The anchors of both sides, one element per directory of the anchor.
    pub(super) anchors: Vec<BoundAnchor>,
    /// Anchors that stand for no directory on this host.
    unplaced: Vec<&'static Anchor>,
}

/// An anchor (such as `~` or `@root`) with one of its directories.
#[derive(Debug)]
pub(super) struct BoundAnchor {
    pub(super) side: Side,
    pub(super) directory: AbsPath,
    /// The number of components in `directory`.
    pub(super) depth: usize,
    pub(super) anchor: &'static Anchor,
}

/// The position of a path relative to an anchor's directory.
pub(super) enum RelativePosition {
    /// At the directory or below it. The directory has this number of components.
    Below(usize),
    /// Above the directory.
    Above,
}

impl BoundAnchor {
    /// Returns the position of a path relative to the anchor's directory, or `None` if neither
    /// contains the other.
    pub(super) fn position_of(&self, path: &AbsPath) -> Option<RelativePosition> {
        if self.depth == 0 || path.starts_with(&self.directory) {
            return Some(RelativePosition::Below(self.depth));
        }
        self.directory.starts_with(path).then_some(RelativePosition::Above)
    }

    pub(super) fn files(&self) -> &'static TokenTrie {
        &self.anchor.files
    }
}

impl BoundTable {
    /// Returns the rules whose anchor stands for no directory on this host.
    pub(super) fn unplaced(&self) -> impl Iterator<Item = &'static Rule> {
        let rows = self.unplaced.iter().flat_map(|anchor| anchor.rows);
        let rows: BTreeSet<u32> = rows.copied().collect();
        rows.into_iter().filter_map(|row| (self.table.rule)(row))
    }

    /// Returns each file rule by number, with the literal path that its pattern starts with and the
    /// components after it. Links are not resolved.
    fn places(&self) -> impl Iterator<Item = (RuleNumber, Cow<'_, AbsPath>, &'static [Component])> {
        self.anchors.iter().flat_map(move |own| {
            let rows: BTreeSet<u32> = own.anchor.rows.iter().copied().collect();
            rows.into_iter().flat_map(move |row| {
                let alternatives = alternatives((self.table.rule)(row));
                let places = alternatives.filter_map(|alternative| {
                    let (literal, rest) = own.place(alternative)?;
                    Some((self.first.saturating_add(row), Cow::Owned(literal), rest))
                });
                places.collect::<Vec<_>>()
            })
        })
    }
}

impl BoundAnchor {
    /// Returns the literal prefix of a pattern below the anchor's directory, and the remaining
    /// components.
    fn place(&self, pattern: &'static PathAlternative) -> Option<(AbsPath, &'static [Component])> {
        let literals = pattern.components.iter().map_while(|component| match component {
            Component::Literal(name) => Some(&**name),
            Component::Glob(_) | Component::Deep => None,
        });
        let count = literals.clone().count();
        let literal = self.directory.descend(literals).ok()?;
        Some((literal, pattern.components.get(count..)?))
    }
}

fn alternatives(rule: Option<&'static Rule>) -> impl Iterator<Item = &'static PathAlternative> {
    let path = rule.and_then(|rule| match &rule.pattern {
        Pattern::File(_, path) => Some(path),
        _ => None,
    });
    path.into_iter().flat_map(|path| path.alternatives())
}

impl Compiler<'_> {
    /// Adds the rules of a built-in table to a document.
    pub(super) fn add_table(&mut self, table: &'static RuleTable, document: u32) {
        let first = self.rules.push_table(table, document);
        let mut bound = BoundTable { table, first, anchors: Vec::new(), unplaced: Vec::new() };
        for side in [Side::Grant, Side::Object] {
            for anchor in table.side(side).anchors {
                match self.expander.bases(&anchor.at.base()) {
                    Ok(directories) => {
                        for directory in directories {
                            self.add_linked(&directory, anchor, side, (table, first));
                            let depth = directory.components().count();
                            bound.anchors.push(BoundAnchor { side, directory, depth, anchor });
                        }
                    }
                    Err(_) => bound.unplaced.push(anchor),
                }
            }
        }
        self.policy.tables.push(bound);
    }

    /// Adds the real paths behind links on this host to the policy's own index, because a table
    /// cannot contain them.
    fn add_linked(
        &mut self,
        directory: &AbsPath,
        anchor: &'static Anchor,
        side: Side,
        (table, first): (&'static RuleTable, RuleNumber),
    ) {
        let rows = self.expander.behind_links(directory, anchor, side);
        let index: &mut SideIndex = match side {
            Side::Grant => &mut self.policy.grants,
            Side::Object => &mut self.policy.objections,
        };
        for row in rows {
            for alternative in alternatives((table.rule)(row)) {
                let places = self.expander.places_of(directory, alternative, side);
                // The first place is the unresolved path, which the table itself contains.
                let linked: Vec<PlacedPath> = places.into_iter().skip(1).collect();
                let number = first.saturating_add(row);
                insert_places(&mut index.files, &mut index.file_places, linked, number);
            }
        }
    }
}

impl Expander<'_> {
    /// Returns the rows of an anchor whose literal path contains a link on this host.
    fn behind_links(&mut self, directory: &AbsPath, anchor: &Anchor, side: Side) -> BTreeSet<u32> {
        let is_there = match self.real_directory(directory, side) {
            Some((real, is_there)) if real == *directory => is_there,
            _ => return anchor.rows.iter().copied().collect(),
        };
        let mut linked = BTreeSet::new();
        // The directories from the anchor to the current prefix. Prefixes deeper than `alive` do
        // not exist.
        let (mut way, mut alive) = (vec![directory.clone()], usize::from(is_there));
        for prefix in anchor.prefixes {
            if prefix.depth >= alive {
                continue;
            }
            way.truncate(prefix.depth.saturating_add(1));
            alive = prefix.depth.saturating_add(1);
            let Some(path) = way.last().and_then(|own| own.child(prefix.name).ok()) else {
                continue;
            };
            match self.is_plain_entry(&path, side) {
                Some(true) => {
                    way.push(path);
                    alive = alive.saturating_add(1);
                }
                Some(false) => {}
                None => {
                    let (start, end) = prefix.rows;
                    linked.extend(anchor.rows.get(start..end).unwrap_or_default());
                }
            }
        }
        linked
    }
}

impl Policy {
    /// Returns every file rule of all tables, with the literal path that its pattern starts with
    /// and the components after it.
    pub(super) fn table_places(
        &self,
    ) -> impl Iterator<Item = (RuleNumber, EntryView<'_>, Cow<'_, AbsPath>, &[Component])> {
        let places = self.tables.iter().flat_map(BoundTable::places);
        places.filter_map(|(number, literal, rest)| {
            Some((number, self.entry(number)?, literal, rest))
        })
    }
}
