//! Generation of rule tables as Rust source, for a build script.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::entry::{EntryKind, Side};
use super::exec_index::{each_named_spelling, is_path};
use super::expand::steps;
use super::floating::FloatingRules;
use super::queries::programs_of;
use super::rule_places::RuleKind;
use super::side_index::insert_name;
use super::table::AnchorBase;
use crate::class::Class;
use crate::index::{RuleNumber, Step, TokenTrie};
use crate::path::AbsPath;
use crate::pattern::{Component, Glob, PathAlternative, Pattern, Rights};
use crate::rule::{Rule, Scope};

/// Returns a Rust expression for the [`RuleTable`](super::table::RuleTable) of these rules.
///
/// `rule` is the path of a function that returns the rule of a row. Host-dependent rules become
/// rows too, but appear in no trie: each policy compiles them.
pub fn table_source(name: &str, rules: &[(RuleKind, Rule)], rule: &str) -> String {
    let mut draft = Draft::default();
    rules.iter().for_each(|(kind, rule)| draft.add(*kind, rule));
    let Draft { rows, stances, sides, programs, floating, .. } = draft;
    let [grants, objections] = sides.map(|side| side.source());
    let stances: String = stances.iter().map(|class| format!("Class::{class:?},")).collect();
    let programs = programs.map(|names| names.into_iter().collect::<Vec<_>>().join("\n"));
    format!(
        "RuleTable {{ name: {name:?}, rows: &[{rows}], rule: {rule}, stances: &[{stances}], \
         sides: [{grants}, {objections}], programs: {programs:?}, \
         floating: FloatingRules({:?}) }}",
        floating.0
    )
}

/// A table under construction.
#[derive(Default)]
struct Draft<'r> {
    rows: String,
    count: RuleNumber,
    stances: BTreeSet<Class>,
    sides: [SideDraft<'r>; 2],
    programs: [BTreeSet<Box<str>>; 2],
    floating: FloatingRules,
}

impl<'r> Draft<'r> {
    fn add(&mut self, kind: RuleKind, rule: &'r Rule) {
        let is_of_host = !is_fixed(rule);
        let first = self.count;
        self.add_row(kind, first, &rule.pattern, is_of_host);
        for pattern in &rule.except {
            self.add_row(RuleKind::Except, first, pattern, is_of_host);
        }
        if is_of_host {
            return;
        }
        if matches!(kind, RuleKind::Allow | RuleKind::Ask) {
            self.stances.insert(rule.pattern.class());
        }
        let kind = entry_kind_of(kind, first);
        let [objected, narrowed] = &mut self.programs;
        if kind.objects_to_programs() {
            objected.extend(programs_of(&rule.pattern));
        }
        if kind.narrows_programs() {
            narrowed.extend(programs_of(&rule.pattern));
        }
        self.floating.add(kind, &rule.pattern);
    }

    fn add_row(
        &mut self,
        kind: RuleKind,
        first: RuleNumber,
        pattern: &'r Pattern,
        is_of_host: bool,
    ) {
        let number = self.count;
        self.count = number.saturating_add(1);
        let Rights { read, write, delete } = rights_of(pattern);
        let rights = [read, write, delete];
        let class = pattern.class();
        let _ = write!(
            self.rows,
            "Row::new(RuleKind::{kind:?}, {first}, Class::{class:?}, {rights:?}, {is_of_host}),"
        );
        if is_of_host {
            return;
        }
        let kind = entry_kind_of(kind, first);
        let side = kind.side(pattern);
        if let Some(draft) = self.sides.get_mut(side as usize) {
            draft.add(pattern, (kind, side), number);
        }
    }
}

/// One side of a table under construction.
#[derive(Default)]
struct SideDraft<'r> {
    commands: TokenTrie,
    variables: TokenTrie,
    anchors: BTreeMap<AnchorBase, Vec<(&'r PathAlternative, RuleNumber)>>,
}

impl<'r> SideDraft<'r> {
    fn add(&mut self, pattern: &'r Pattern, sides: (EntryKind, Side), number: RuleNumber) {
        match pattern {
            Pattern::Command(command) => {
                for alternative in command.alternatives() {
                    each_named_spelling(alternative, sides, |steps| {
                        self.commands.insert(steps, number)
                    });
                }
            }
            Pattern::Env(name) => insert_name(&mut self.variables, name, number),
            Pattern::File(_, path) => {
                for alternative in path.alternatives() {
                    if let Some(at) = AnchorBase::of(&alternative.base) {
                        self.anchors.entry(at).or_default().push((alternative, number));
                    }
                }
            }
            _ => {}
        }
    }

    fn source(self) -> String {
        let anchors = self.anchors.into_iter().map(|(at, patterns)| anchor_source(at, patterns));
        let anchors: String = anchors.collect();
        let (commands, variables) = (self.commands.source(), self.variables.source());
        format!("TableSide::new({commands}, {variables}, const {{ &[{anchors}] }})")
    }
}

fn anchor_source(at: AnchorBase, mut patterns: Vec<(&PathAlternative, RuleNumber)>) -> String {
    let mut files = TokenTrie::default();
    for (pattern, number) in &patterns {
        files.insert(steps(&AbsPath::root(), &pattern.components), *number);
    }
    let names = |pattern: &'_ PathAlternative| -> Vec<String> {
        let literals = pattern.components.iter().map_while(|component| match component {
            Component::Literal(name) => Some(name.to_string()),
            Component::Glob(_) | Component::Deep => None,
        });
        literals.collect()
    };
    patterns.sort_by_cached_key(|(pattern, number)| (names(pattern), *number));
    let all: Vec<Vec<String>> = patterns.iter().map(|(pattern, _)| names(pattern)).collect();
    let mut prefixes = String::new();
    for (start, own) in all.iter().enumerate() {
        let before = start.checked_sub(1).and_then(|before| all.get(before));
        for (depth, name) in own.iter().enumerate() {
            let path = own.get(..=depth);
            if before.is_some_and(|before| before.get(..=depth) == path) {
                continue;
            }
            let same = all.iter().skip(start).take_while(|other| other.get(..=depth) == path);
            let end = start.saturating_add(same.count());
            let _ = write!(
                prefixes,
                "Prefix {{ depth: {depth}, name: {name:?}, rows: ({start}, {end}) }},"
            );
        }
    }
    let rows: Vec<RuleNumber> = patterns.iter().map(|(_, number)| *number).collect();
    let files = files.source();
    format!(
        "Anchor {{ at: AnchorBase::{at:?}, files: {files}, prefixes: &[{prefixes}], rows: &{rows:?} }},"
    )
}

/// Returns whether a rule means the same on every host, and can be printed.
fn is_fixed(rule: &Rule) -> bool {
    rule.scope == Scope::default()
        && rule.note.until.is_none()
        && [&rule.pattern].into_iter().chain(&rule.except).all(is_fixed_pattern)
}

fn is_fixed_pattern(pattern: &Pattern) -> bool {
    let glob = |glob: &Glob| match glob.as_literal() {
        Some(name) => Step::Literal(&name).is_printable(),
        None => Step::Glob(glob).is_printable(),
    };
    match pattern {
        Pattern::Command(command) => command.alternatives().iter().all(|alternative| {
            let mut fits = alternative.tokens.first().is_some_and(|program| !is_path(program));
            // The sides differ only in spellings, so checking one side is enough.
            each_named_spelling(alternative, (EntryKind::Danger, Side::Object), |steps| {
                fits &= steps.iter().all(Step::is_printable);
            });
            fits
        }),
        Pattern::Env(name) => name.alternatives().iter().all(glob),
        Pattern::File(_, path) => {
            let bases = path.alternatives().iter().map(|own| AnchorBase::of(&own.base));
            let bases: BTreeSet<Option<AnchorBase>> = bases.collect();
            bases.len() == 1
                && !bases.contains(&None)
                && path.alternatives().iter().all(|own| {
                    steps(&AbsPath::root(), &own.components).all(|step| step.is_printable())
                })
        }
        _ => false,
    }
}

fn rights_of(pattern: &Pattern) -> Rights {
    match pattern {
        Pattern::File(rights, _) => *rights,
        _ => Rights::default(),
    }
}

/// Returns the kind of a row. An exception narrows the row with the number `narrows`.
pub(super) fn entry_kind_of(kind: RuleKind, narrows: RuleNumber) -> EntryKind {
    use crate::effect::Effect;
    match kind {
        RuleKind::Allow => EntryKind::Rule(Effect::Allow),
        RuleKind::Ask => EntryKind::Rule(Effect::Ask),
        RuleKind::Deny => EntryKind::Rule(Effect::Deny),
        RuleKind::Danger => EntryKind::Danger,
        RuleKind::OptIn => EntryKind::OptIn,
        RuleKind::Fallback => EntryKind::Fallback,
        RuleKind::Except => EntryKind::Except(narrows),
    }
}
