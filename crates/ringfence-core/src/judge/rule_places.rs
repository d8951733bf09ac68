//! The paths that file and socket rules are about on this host.
//!
//! A decision asks which rules match a path. A sandbox plan is made before any access and asks the
//! reverse: which paths a rule matches. Both use the same expansion of patterns to paths.

use std::borrow::Cow;
use std::sync::Arc;

use super::compile::Policy;
use super::decide::scope_contains;
use super::entry::{EntryKind, EntryView};
use super::expand::PlacedPath;
use super::side_index::SideIndex;
use crate::access::{Access, AccessKind, Exec, Program};
use crate::class::Class;
use crate::document::Role;
use crate::effect::Effect;
use crate::index::RuleNumber;
use crate::path::AbsPath;
use crate::pattern::{Component, Pattern, Rights, Token};
use crate::rule::Rule;

/// The part that a rule plays in a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RuleKind {
    /// An allow rule.
    Allow,
    /// An ask rule.
    Ask,
    /// A deny rule.
    Deny,
    /// An entry of the danger list.
    Danger,
    /// An opt-in to the danger list.
    OptIn,
    /// An allow rule that applies only where no document has a stance.
    Fallback,
    /// An exception to a deny or danger rule.
    Except,
}

impl RuleKind {
    /// Returns whether a rule of this kind can make a verdict milder.
    pub fn is_mild(self) -> bool {
        matches!(self, RuleKind::Allow | RuleKind::OptIn | RuleKind::Fallback | RuleKind::Except)
    }

    /// Returns whether a rule of this kind allows or asks.
    pub(crate) fn grants_or_asks(self) -> bool {
        matches!(self, RuleKind::Allow | RuleKind::Ask | RuleKind::Fallback)
    }

    fn is_danger(self) -> bool {
        self == RuleKind::Danger
    }
}

/// A rule with one of the paths that its pattern expands to on this host.
#[derive(Debug, Clone)]
pub struct RulePlace<'p> {
    /// The rule.
    pub rule: &'p Rule,
    /// The role of the rule's document.
    pub role: Role,
    /// The part that the rule plays in a decision.
    pub kind: RuleKind,
    /// The rule's number among all rules and exceptions.
    pub number: u32,
    /// For an exception: the number of the rule that it narrows.
    pub narrows: Option<u32>,
    /// The rights of a file rule. An exception has the rights of the rule that it narrows.
    pub rights: Rights,
    /// The literal path that the pattern starts with.
    pub literal: Cow<'p, AbsPath>,
    /// The remaining components: none, or a wildcard followed by any components.
    pub rest: &'p [Component],
}

impl Policy {
    /// Returns every file rule that applies in the scope of this access, once for each path that
    /// its pattern expands to on this host.
    pub fn file_places<'p>(&'p self, access: &'p Access) -> impl Iterator<Item = RulePlace<'p>> {
        let of_tables = self.table_places().filter_map(|(number, entry, literal, rest)| {
            self.place_of(access, (number, entry), literal, rest)
        });
        self.places_of(access, |side| &side.file_places).chain(of_tables)
    }

    /// Returns every socket rule that applies in the scope of this access, once for each path that
    /// its pattern expands to on this host.
    pub fn socket_places<'p>(&'p self, access: &'p Access) -> impl Iterator<Item = RulePlace<'p>> {
        self.places_of(access, |side| &side.socket_places)
    }

    /// Returns every rule except exceptions, with its kind, its document's role, and whether it
    /// applies in the scope of this access.
    pub fn rules_with_kind<'p>(
        &'p self,
        access: &'p Access,
    ) -> impl Iterator<Item = (RuleKind, Role, &'p Rule, bool)> {
        let rules = self.numbered_where(|entry| !matches!(entry.kind, EntryKind::Except(_)));
        rules.map(|(_, entry, rule)| {
            (entry.kind.kind(), self.role(entry), rule, is_in_force(entry, access))
        })
    }

    fn places_of<'p>(
        &'p self,
        access: &'p Access,
        of: impl Fn(&'p SideIndex) -> &'p Vec<(RuleNumber, PlacedPath)>,
    ) -> impl Iterator<Item = RulePlace<'p>> {
        let both = of(&self.grants).iter().chain(of(&self.objections));
        both.filter_map(move |(number, place)| {
            let entry = self.entry(*number)?;
            self.place_of(access, (*number, entry), Cow::Borrowed(&place.literal), &place.rest)
        })
    }

    fn place_of<'p>(
        &'p self,
        access: &Access,
        (number, entry): (RuleNumber, EntryView<'p>),
        literal: Cow<'p, AbsPath>,
        rest: &'p [Component],
    ) -> Option<RulePlace<'p>> {
        let narrows = match entry.kind {
            EntryKind::Except(of) => Some(of),
            _ => None,
        };
        let rights = match narrows {
            Some(of) => self.entry(of)?.rights,
            None => entry.rights,
        };
        let role = self.role(entry);
        let kind = entry.kind.kind();
        let rule = is_in_force(entry, access).then(|| self.rule(number))??;
        Some(RulePlace { rule, role, kind, number, narrows, rights, literal, rest })
    }

    /// Returns whether every program may start with any arguments and variables, so that starts
    /// need no judgement. ringfence's own protected commands are not considered.
    pub fn allows_every_command(&self, access: &Access) -> bool {
        let counts = |class: Class| matches!(class, Class::Exec | Class::Env);
        let rules = || {
            let rules = self
                .rules_with_kind(access)
                .filter(|own| own.1 != Role::BuiltIn || own.0.is_danger());
            rules.filter(|own| counts(own.2.pattern.class()))
        };
        let opt_ins = rules().filter(|own| own.0 == RuleKind::OptIn && own.3 && own.1.grants());
        let has_opt_ins: Vec<Class> =
            opt_ins.filter(|own| is_any(own.2)).map(|own| own.2.pattern.class()).collect();
        let objects = rules().any(|(kind, _, rule, _)| match kind {
            RuleKind::Ask | RuleKind::Deny => true,
            RuleKind::Danger => !has_opt_ins.contains(&rule.pattern.class()),
            _ => false,
        });
        // With several danger lists the opt-in might be incomplete, and a ceiling may narrow
        // anything.
        let lists = self.documents.iter().filter(|own| own.has_danger_list).count();
        let is_plain = lists <= 1 && !self.documents.iter().any(|own| own.role == Role::Ceiling);
        let anything = Access { what: AccessKind::Exec(unknown_program()), ..access.clone() };
        !objects && is_plain && self.decide(&anything).effect == Effect::Allow
    }
}

/// Returns whether the entry applies in the scope of the access.
fn is_in_force(entry: EntryView<'_>, access: &Access) -> bool {
    !entry.expired && scope_contains(entry.scope, access)
}

/// Returns whether a rule's pattern is `cmd:*` or `env:*`.
fn is_any(rule: &Rule) -> bool {
    match &rule.pattern {
        Pattern::Command(command) => {
            command.alternatives().iter().any(|own| matches!(*own.tokens, [Token::Run]))
        }
        Pattern::Env(name) => name.is_any(),
        _ => false,
    }
}

/// Returns a program that no rule can name.
fn unknown_program() -> Arc<Exec> {
    let program = Program { invoked: "./\u{fdd0}".into(), file: None, known_as: None };
    Arc::new(Exec::new(program, Vec::new(), AbsPath::root()))
}

impl From<Effect> for RuleKind {
    /// Returns the kind of an allow, ask or deny rule.
    fn from(effect: Effect) -> RuleKind {
        match effect {
            Effect::Allow => RuleKind::Allow,
            Effect::Ask => RuleKind::Ask,
            Effect::Deny => RuleKind::Deny,
        }
    }
}

impl EntryKind {
    fn kind(self) -> RuleKind {
        match self {
            EntryKind::Rule(effect) => effect.into(),
            EntryKind::Danger => RuleKind::Danger,
            EntryKind::OptIn => RuleKind::OptIn,
            EntryKind::Fallback => RuleKind::Fallback,
            EntryKind::Except(_) => RuleKind::Except,
        }
    }
}

#[cfg(test)]
#[path = "rule_places_tests.rs"]
mod tests;
