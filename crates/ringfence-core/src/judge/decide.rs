//! The decision.

use std::sync::Arc;

use super::compile::{DocumentInfo, Policy};
use super::entry::{EntryView, Sort, names_right};
use super::matching::{Matched, Numbers, OnAspect};
use super::scope::CompiledScope;
use crate::access::{Access, Cover, What};
use crate::class::Class;
use crate::document::Role;
use crate::effect::Effect;
use crate::effects::Effects;
use crate::index::EntryId;
use crate::lang;
use crate::rule::Rule;
use crate::verdict::{Doubt, Ground, Grounds, RuleRef, Verdict};

impl Policy {
    /// Decides a whole call: the strictest over its accesses and doubts, all grounds kept.
    ///
    /// A call that does nothing is allowed.
    pub fn judge(&self, effects: &Effects) -> Verdict {
        let doubts = effects.doubts.iter().map(|doubt| doubt.clone().into());
        let accesses = effects.accesses.iter().map(|access| self.decide(access));
        doubts.chain(accesses).reduce(Verdict::and).unwrap_or_else(Verdict::nothing)
    }

    /// Decides one access.
    pub fn decide(&self, access: &Access) -> Verdict {
        let mut verdict = Verdict::nothing();
        self.decide_into(access, &mut verdict);
        verdict
    }

    // What follows adds to a verdict where it lies: to hand verdicts on takes longer than to make
    // them.

    /// Makes a verdict the stricter of itself and the decision on an access, with all grounds.
    pub fn decide_into(&self, access: &Access, verdict: &mut Verdict) {
        if let What::Keychain(_) = access.what
            && self.settings.projectname.is_none()
        {
            return verdict.add(Effect::Deny, Ground::NoProject);
        }
        match &access.what {
            What::Exec(exec) => {
                let mut matched = self.match_exec(exec);
                let is_free = matches!(access.scope.cover, Cover::Free | Cover::Objections(_));
                if is_free && exec.carrier.is_some() {
                    self.add_leave_of_command(exec, &mut matched);
                }
                self.decide_aspect(access, &mut matched, verdict);
            }
            What::File(file) => {
                self.decide_each(access, verdict, &|found| self.each_of_file(file, found));
            }
            What::Socket(path) => {
                self.decide_each(access, verdict, &|found| self.each_of_socket(path, found));
            }
            What::Connect(connect) => {
                self.decide_each(access, verdict, &|found| self.each_of_connection(connect, found));
            }
            what => self.decide_aspect(access, &mut self.match_simple(what), verdict),
        }
    }

    /// Decides what has several aspects, that is parts each of which must be granted: each spelling
    /// of a path, each address of a name.
    fn decide_each(
        &self,
        access: &Access,
        verdict: &mut Verdict,
        each: &dyn Fn(&mut OnAspect<'_>),
    ) {
        let mut any = false;
        each(&mut |matched| {
            any = true;
            self.decide_aspect(access, matched, verdict);
        });
        if !any {
            let (class, default) = (access.class(), Effect::Deny);
            verdict.add(default, Ground::NotGranted { class, default });
        }
    }

    /// Section by section as the design has it: denials, danger, grants, ceilings.
    fn decide_aspect(&self, access: &Access, matched: &mut Matched, verdict: &mut Verdict) {
        self.keep_in_force(access, matched);
        // Nearly everything meets nobody who objects, and only those who grant.
        if !matched.objections.is_empty()
            && let Some(objection) = self.objection(access, matched)
        {
            return verdict.take_in(&objection);
        }
        if let Cover::Objections(asks) = access.scope.cover {
            return verdict.take_in(&self.questions(access, matched, asks));
        }
        if access.scope.cover == Cover::Free {
            verdict.take_in(&self.free(access, matched));
        } else if self.only_grants {
            self.granted(access, matched, verdict);
        } else {
            return verdict.take_in(&self.narrowed(access, matched));
        }
        if !matched.possible.is_empty() {
            verdict.take_in(&self.possible(access, matched));
        }
    }

    /// What ceilings, and the questions of documents that nobody trusts, leave of what is granted.
    #[cold]
    fn narrowed(&self, access: &Access, matched: &Matched) -> Verdict {
        let mut verdict = Verdict::nothing();
        self.granted(access, matched, &mut verdict);
        if !matched.possible.is_empty() {
            verdict.take_in(&self.possible(access, matched));
        }
        for (number, document) in self.in_play(access, |role| role == Role::Ceiling) {
            if document.has_stance(access) {
                self.ceiling(number, document, access, matched, &mut verdict);
            }
        }
        if verdict.effect == Effect::Allow {
            self.untrusted_asks(matched).for_each(|ask| verdict.take_in(&Verdict::from(ask)));
        }
        verdict
    }

    /// Denials, and dangers to which not all opted in.
    #[cold]
    fn objection(&self, access: &Access, matched: &Matched) -> Option<Verdict> {
        let mut grounds = self.denials(matched);
        if grounds.is_empty() {
            grounds = self.dangers(matched);
            if grounds.is_empty() || self.opted_in(access, matched) {
                return None;
            }
            if access.scope.gate.judged_later {
                return Some(Ground::Covered(access.class()).into());
            }
        }
        Some(Verdict { effect: Effect::Deny, grounds })
    }

    /// Drops rules that are out of scope, over, or excepted.
    pub(super) fn keep_in_force(&self, access: &Access, matched: &mut Matched) {
        let in_force = |entry: &mut EntryId| {
            self.entry(*entry)
                .is_some_and(|entry| !entry.expired && is_admitted(entry.scope, access))
        };
        for numbers in [&mut matched.grants, &mut matched.objections] {
            match numbers.len() {
                0 => continue,
                1 => {}
                _ => sort(numbers),
            }
            numbers.retain(in_force);
        }
        if !matched.objections.is_empty() {
            self.take_out_excepted(matched);
        }
    }

    #[cold]
    fn take_out_excepted(&self, matched: &mut Matched) {
        let excepted: Numbers = (matched.grants.iter())
            .filter_map(|entry| match self.entry(*entry)?.sort {
                Sort::Except(of) => Some(of),
                _ => None,
            })
            .collect();
        matched.objections.retain(|entry| !excepted.contains(entry));
    }

    fn denials(&self, matched: &Matched) -> Grounds {
        let denials = self.entries_of(&matched.objections, Sort::Rule(Effect::Deny));
        denials
            .map(|found| match self.role(found.entry) {
                Role::BuiltIn => Ground::Protected(self.rule_ref(found)),
                _ => Ground::Rule(self.rule_ref(found)),
            })
            .collect()
    }

    fn dangers(&self, matched: &Matched) -> Grounds {
        let dangers = self.entries_of(&matched.objections, Sort::Danger);
        dangers.map(|found| Ground::Danger(self.rule_ref(found))).collect()
    }

    /// Whether all who must opt in do: one who grants, and whoever else keeps a list.
    fn opted_in(&self, access: &Access, matched: &Matched) -> bool {
        let hits = || {
            let both = [&matched.grants, &matched.objections];
            both.into_iter().flat_map(|entries| self.entries_of(entries, Sort::OptIn))
        };
        let some_grants = hits().any(|found| self.role(found.entry).grants());
        let keeps_list = |role: Role| matches!(role, Role::Organisation | Role::Ceiling);
        let mut keepers =
            self.in_play(access, keeps_list).filter(|(_, document)| document.has_danger_list);
        some_grants && keepers.all(|(number, _)| hits().any(|found| found.entry.document == number))
    }

    /// What a word that is not known may bring about: a denial where it could complete a deny rule,
    /// a question where it could complete an ask rule or an entry of the danger list.
    #[cold]
    fn possible(&self, access: &Access, matched: &Matched) -> Verdict {
        let certain = |number: &EntryId| {
            matched.grants.contains(number) || matched.objections.contains(number)
        };
        let open = matched.possible.iter().filter(|number| !certain(number));
        let entries = open
            .filter_map(|number| Some((self.entry(*number)?, self.rule(*number)?)))
            .filter(|(entry, _)| !entry.expired && is_admitted(entry.scope, access));
        let doubts = entries.filter_map(|(entry, rule)| {
            let effect = match entry.sort {
                Sort::Rule(effect) if effect != Effect::Allow => effect,
                Sort::Danger if !self.opted_in(access, matched) => Effect::Ask,
                _ => return None,
            };
            let pattern = &rule.pattern;
            let reason = format!("a word that cannot be told could make it `{pattern}`");
            let (reason, span) = (reason.into(), access.span);
            Some(Doubt { effect, reason, span, of_starts: false }.into())
        });
        doubts.reduce(Verdict::and).unwrap_or_else(Verdict::nothing)
    }

    pub(super) fn granted(&self, access: &Access, matched: &Matched, verdict: &mut Verdict) {
        let mut spoke = false;
        for number in self.speakers(access, Role::grants) {
            spoke |= self.answer(number, access, matched, verdict);
        }
        if !spoke {
            let ground = self.unspoken(access, matched);
            verdict.add(ground.effect(), ground);
        }
    }

    /// What comes of an access that needs no grant: a question, where one is asked.
    #[cold]
    fn free(&self, access: &Access, matched: &Matched) -> Verdict {
        let mut verdict = Verdict::nothing();
        for number in self.speakers(access, Role::grants) {
            self.answer(number, access, matched, &mut verdict);
        }
        match verdict.effect {
            Effect::Ask => verdict,
            _ => Ground::Covered(access.class()).into(),
        }
    }

    /// What holds where no rule that grants or asks matches.
    fn unspoken(&self, access: &Access, matched: &Matched) -> Ground {
        let documents = || self.in_play(access, Role::grants);
        if !documents().any(|(_, document)| document.has_stance(access)) {
            if let Some(found) = self.entries_of(&matched.grants, Sort::Fallback).next() {
                return Ground::Rule(self.rule_ref(found));
            }
            if matches!(&access.what, What::CallTool(tool) if tool.kind.is_some()) {
                return Ground::KnownTool;
            }
            if access.scope.cover == Cover::Granted {
                return Ground::Covered(access.class());
            }
        }
        if access.scope.cover == Cover::Given {
            return Ground::Covered(access.class());
        }
        let stated = documents().filter_map(|(_, document)| document.default_for(access.class()));
        let default = stated.max().unwrap_or(Effect::Deny);
        Ground::NotGranted { class: access.class(), default }
    }

    fn ceiling(
        &self,
        number: u32,
        document: &DocumentInfo,
        access: &Access,
        matched: &Matched,
        verdict: &mut Verdict,
    ) {
        if !self.answer(number, access, matched, verdict) {
            let document = document.name.clone();
            verdict.add(Effect::Deny, Ground::Ceiling { document, class: access.class() });
        }
    }

    /// Adds what one speaker says by allow and ask rules. Returns `false` if none of them matches.
    fn answer(
        &self,
        speaker: u32,
        access: &Access,
        matched: &Matched,
        verdict: &mut Verdict,
    ) -> bool {
        let (mut allows, mut asks) = (false, false);
        for number in &matched.grants {
            let entry = self.entry(*number).filter(|own| self.speaker(*own) == speaker);
            match entry.map(|entry| entry.sort) {
                Some(Sort::Rule(Effect::Allow)) => allows = true,
                Some(Sort::Rule(Effect::Ask)) => asks = true,
                _ => {}
            }
        }
        if asks && let Some(grounds) = self.open_asks(speaker, access, matched) {
            verdict.take_in(&Verdict { effect: Effect::Ask, grounds });
            return true;
        }
        if allows {
            let found = self.entries_of(&matched.grants, Sort::Rule(Effect::Allow));
            for found in found.filter(|found| self.speaker(found.entry) == speaker) {
                if !verdict.has_rule(&self.rules, found.number) {
                    verdict.grounds.push(Ground::Rule(self.rule_ref(found)));
                }
            }
        }
        allows
    }

    /// Returns the ask rules of a speaker that none of its allow rules outranks.
    #[cold]
    pub(super) fn open_asks(
        &self,
        speaker: u32,
        access: &Access,
        matched: &Matched,
    ) -> Option<Grounds> {
        let of = |effect| {
            let entries = self.entries_of(&matched.grants, Sort::Rule(effect));
            entries.filter(move |found| self.speaker(found.entry) == speaker)
        };
        let open = of(Effect::Ask)
            .filter(|ask| !of(Effect::Allow).any(|allow| self.outranks(allow, *ask, access)))
            .map(|ask| Ground::Rule(self.rule_ref(ask)));
        Some(open.collect()).filter(|all: &Grounds| !all.is_empty())
    }

    fn untrusted_asks<'p>(&'p self, matched: &'p Matched) -> impl Iterator<Item = Ground> + 'p {
        let asks = self.entries_of(&matched.grants, Sort::Rule(Effect::Ask));
        let asks = asks.filter(|found| self.role(found.entry) == Role::Untrusted);
        asks.map(move |found| Ground::Rule(self.rule_ref(found)))
    }

    pub(super) fn entries_of<'p>(
        &'p self,
        numbers: &'p [EntryId],
        sort: Sort,
    ) -> impl Iterator<Item = Found<'p>> {
        let entries = numbers
            .iter()
            .filter_map(|number| Some(Found { number: *number, entry: self.entry(*number)? }));
        entries.filter(move |found| found.entry.sort == sort)
    }

    /// The documents of some roles that are in play for the access.
    pub(super) fn in_play<'p>(
        &'p self,
        access: &'p Access,
        role: impl Fn(Role) -> bool + 'p,
    ) -> impl Iterator<Item = (u32, &'p DocumentInfo)> {
        let documents = (0..).zip(&self.documents);
        documents.filter(move |(_, document)| {
            role(document.role) && is_admitted(document.scope.as_deref(), access)
        })
    }

    /// Returns those who speak for documents of some roles that are in play for the access, each once:
    /// the pool, and every document apart from it.
    pub(super) fn speakers<'p>(
        &'p self,
        access: &'p Access,
        role: impl Fn(Role) -> bool + 'p,
    ) -> impl Iterator<Item = u32> {
        let speakers = self.in_play(access, role);
        let speakers = speakers.filter(|(number, document)| *number == document.speaker);
        speakers.map(|(number, _)| number)
    }

    /// Returns the number of the document that speaks for the document of an entry.
    pub(super) fn speaker(&self, entry: EntryView<'_>) -> u32 {
        let document = self.documents.get(entry.document as usize);
        document.map_or(entry.document, |document| document.speaker)
    }

    pub(super) fn rule(&self, number: EntryId) -> Option<&Rule> {
        self.rules.get(number)
    }

    pub(super) fn role(&self, entry: EntryView<'_>) -> Role {
        self.documents
            .get(entry.document as usize)
            .map_or(Role::Untrusted, |document| document.role)
    }

    pub(super) fn rule_ref(&self, found: Found<'_>) -> RuleRef {
        RuleRef::new(Arc::clone(&self.rules), found.number, self.role(found.entry))
    }

    /// Whether an allow rule outranks an ask rule that matches as well.
    pub(super) fn outranks(&self, allow: Found<'_>, ask: Found<'_>, access: &Access) -> bool {
        let rules = self.rule(allow.number).zip(self.rule(ask.number));
        rules.is_some_and(|(allow, ask)| outranks(allow, ask, access))
    }
}

/// An entry that matches, and its number.
#[derive(Clone, Copy)]
pub(super) struct Found<'p> {
    pub(super) number: EntryId,
    pub(super) entry: EntryView<'p>,
}

impl DocumentInfo {
    /// Whether the document has a stance on the class of the access, in its scope.
    ///
    /// Where loopback is granted, a granted command that opens a port there meets only rules on
    /// ports. Port 0 stands for every other address.
    pub(super) fn has_stance(&self, access: &Access) -> bool {
        let stances = match access.what {
            What::Listen(1..) if access.scope.cover == Cover::Granted => Some(&self.port_stances),
            _ => self.stances.get(access.class().index()),
        };
        stances.into_iter().flatten().any(|scope| is_admitted(scope.as_deref(), access))
    }

    fn default_for(&self, class: Class) -> Option<Effect> {
        match class {
            Class::Tool => self.tool_default.or(self.default),
            _ => self.default,
        }
    }
}

fn outranks(allow: &Rule, ask: &Rule, access: &Access) -> bool {
    if let What::File(file) = &access.what {
        match (names_right(&allow.pattern, file.op), names_right(&ask.pattern, file.op)) {
            (true, false) => return true,
            (false, true) => return false,
            _ => {}
        }
    }
    let within = lang::includes(&ask.pattern, &allow.pattern)
        && lang::scope_includes(&ask.scope, &allow.scope);
    let around = || {
        lang::includes(&allow.pattern, &ask.pattern)
            && lang::scope_includes(&allow.scope, &ask.scope)
    };
    within && !around()
}

/// Puts rules in order, each once.
fn sort(numbers: &mut Numbers) {
    numbers.sort_unstable();
    numbers.dedup();
}

pub(super) fn is_admitted(scope: Option<&CompiledScope>, access: &Access) -> bool {
    scope.is_none_or(|scope| scope.admits(access))
}
