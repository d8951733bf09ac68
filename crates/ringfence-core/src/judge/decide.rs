//! The decision on accesses and calls.

use std::sync::Arc;

use super::compile::{DocumentInfo, Policy};
use super::entry::{EntryKind, EntryView, names_right};
use super::held_by_fence::is_judged_again;
use super::matching::{AspectVisitor, MatchedRules, Numbers};
use super::scope::CompiledScope;
use crate::access::{Access, AccessKind, Cover};
use crate::class::Class;
use crate::document::Role;
use crate::effect::Effect;
use crate::inclusion;
use crate::index::RuleNumber;
use crate::rule::Rule;
use crate::verdict::{
    Doubt, DoubtConstruct, DoubtKind, Ground, Grounds, HeldByFence, RuleRef, Verdict,
};

impl Policy {
    /// Decides one access.
    pub fn decide(&self, access: &Access) -> Verdict {
        let mut verdict = Verdict::of_empty_call();
        self.decide_into(access, &mut verdict);
        verdict
    }

    // The following methods add to a verdict in place, because returning and merging verdicts is
    // slower than computing them.

    /// Decides an access and merges the result into `verdict`, with all grounds.
    pub fn decide_into(&self, access: &Access, verdict: &mut Verdict) {
        if let AccessKind::Keychain(_) = access.what
            && self.settings.projectname.is_none()
        {
            return verdict.add(Effect::Deny, Ground::NoProject);
        }
        match &access.what {
            AccessKind::Exec(exec) => {
                let mut matched = self.match_exec(exec);
                let is_free =
                    matches!(access.scope.cover, Cover::NoGrant | Cover::ObjectionsOnly(_));
                if is_free && exec.carrier.is_some() {
                    self.add_allowances_of_command(exec, &mut matched);
                }
                self.decide_aspect(access, &mut matched, verdict);
            }
            AccessKind::File(file) => {
                self.decide_aspects(access, verdict, &|found| self.each_file_aspect(file, found));
            }
            AccessKind::Socket(path) => {
                self.decide_aspects(access, verdict, &|found| self.each_socket_aspect(path, found));
            }
            AccessKind::Connect(connect) => {
                self.decide_aspects(access, verdict, &|found| {
                    self.each_connection_aspect(connect, found)
                });
            }
            what => self.decide_aspect(access, &mut self.match_simple(what), verdict),
        }
    }

    /// Decides an access that is matched in several aspects, such as the spellings of a path or the
    /// addresses of a host. Every aspect must be granted.
    fn decide_aspects(
        &self,
        access: &Access,
        verdict: &mut Verdict,
        each: &dyn Fn(&mut AspectVisitor<'_>),
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

    /// Decides one aspect of an access (one spelling of its path, or one address of its host) in
    /// the order that the design states: denials, danger, grants, ceilings.
    fn decide_aspect(&self, access: &Access, matched: &mut MatchedRules, verdict: &mut Verdict) {
        self.retain_applicable(access, matched);
        // Most accesses match no deny or danger rule, so the checks below are usually skipped.
        if !matched.objections.is_empty()
            && let Some(objection) = self.denial_or_danger(access, matched)
        {
            return verdict.merge(&objection);
        }
        if let Cover::ObjectionsOnly(asks) = access.scope.cover {
            return verdict.merge(&self.ask_verdict(access, matched, asks));
        }
        if access.scope.cover == Cover::NoGrant {
            verdict.merge(&self.decide_without_grant(access, matched));
        } else if self.only_grants {
            self.decide_grants(access, matched, verdict);
        } else {
            return verdict.merge(&self.decide_with_ceilings(access, matched));
        }
        if !matched.possible.is_empty() {
            verdict.merge(&self.decide_possible(access, matched));
        }
    }

    /// Decides the grants, then applies ceilings and the ask rules of untrusted documents.
    #[cold]
    fn decide_with_ceilings(&self, access: &Access, matched: &MatchedRules) -> Verdict {
        let mut verdict = Verdict::of_empty_call();
        self.decide_grants(access, matched, &mut verdict);
        if !matched.possible.is_empty() {
            verdict.merge(&self.decide_possible(access, matched));
        }
        for (number, document) in self.documents_in_scope(access, |role| role == Role::Ceiling) {
            if document.has_stance(access) {
                self.apply_ceiling(number, document, access, matched, &mut verdict);
            }
        }
        if verdict.effect == Effect::Allow {
            self.untrusted_asks(matched).for_each(|ask| verdict.merge(&Verdict::from(ask)));
        }
        verdict
    }

    /// Returns the verdict of the deny rules, or of danger entries without a full opt-in.
    #[cold]
    fn denial_or_danger(&self, access: &Access, matched: &MatchedRules) -> Option<Verdict> {
        let mut grounds = self.denials(matched);
        if grounds.is_empty() {
            grounds = self.dangers(matched);
            if grounds.is_empty() || self.has_opt_ins(access, matched) {
                return None;
            }
            if access.scope.gate.judged_later {
                return Some(Ground::Covered(access.class()).into());
            }
        }
        Some(Verdict { effect: Effect::Deny, grounds })
    }

    /// Removes the rules that are out of scope, expired or excepted.
    pub(super) fn retain_applicable(&self, access: &Access, matched: &mut MatchedRules) {
        let in_force = |entry: &mut RuleNumber| {
            self.entry(*entry)
                .is_some_and(|entry| !entry.expired && scope_contains(entry.scope, access))
        };
        for numbers in [&mut matched.grants, &mut matched.objections] {
            match numbers.len() {
                0 => continue,
                1 => {}
                _ => sort_unique(numbers),
            }
            numbers.retain(in_force);
        }
        if !matched.objections.is_empty() {
            self.remove_excepted(matched);
        }
    }

    #[cold]
    fn remove_excepted(&self, matched: &mut MatchedRules) {
        let excepted: Numbers = (matched.grants.iter())
            .filter_map(|entry| match self.entry(*entry)?.kind {
                EntryKind::Except(of) => Some(of),
                _ => None,
            })
            .collect();
        matched.objections.retain(|entry| !excepted.contains(entry));
    }

    fn denials(&self, matched: &MatchedRules) -> Grounds {
        let denials = self.entries_of(&matched.objections, EntryKind::Rule(Effect::Deny));
        denials
            .map(|found| match self.role(found.entry) {
                Role::BuiltIn => Ground::Protected(self.rule_ref(found)),
                _ => Ground::Rule(self.rule_ref(found)),
            })
            .collect()
    }

    fn dangers(&self, matched: &MatchedRules) -> Grounds {
        let dangers = self.entries_of(&matched.objections, EntryKind::Danger);
        dangers.map(|found| Ground::Danger(self.rule_ref(found))).collect()
    }

    /// Returns whether the access has every required danger opt-in. A granting document must opt
    /// in, and so must the organisation and each ceiling that has a list of opt-ins.
    fn has_opt_ins(&self, access: &Access, matched: &MatchedRules) -> bool {
        let hits = || {
            let both = [&matched.grants, &matched.objections];
            both.into_iter().flat_map(|entries| self.entries_of(entries, EntryKind::OptIn))
        };
        let some_grants = hits().any(|found| self.role(found.entry).grants());
        let keeps_list = |role: Role| matches!(role, Role::Organisation | Role::Ceiling);
        let mut keepers = self
            .documents_in_scope(access, keeps_list)
            .filter(|(_, document)| document.has_danger_list);
        some_grants && keepers.all(|(number, _)| hits().any(|found| found.entry.document == number))
    }

    /// Decides what an unknown word may match. The verdict denies if the word could complete a deny
    /// rule. It asks if the word could complete an ask rule or a danger entry.
    #[cold]
    fn decide_possible(&self, access: &Access, matched: &MatchedRules) -> Verdict {
        let certain = |number: &RuleNumber| {
            matched.grants.contains(number) || matched.objections.contains(number)
        };
        let open = matched.possible.iter().filter(|number| !certain(number));
        let entries = open
            .filter_map(|number| Some((self.entry(*number)?, self.rule(*number)?)))
            .filter(|(entry, _)| !entry.expired && scope_contains(entry.scope, access));
        let doubts = entries.filter_map(|(entry, rule)| {
            let effect = match entry.kind {
                EntryKind::Rule(effect) if effect != Effect::Allow => effect,
                EntryKind::Danger if !self.has_opt_ins(access, matched) => Effect::Ask,
                _ => return None,
            };
            let is_danger = entry.kind == EntryKind::Danger;
            let pattern = &rule.pattern;
            let reason = format!("an unknown word could make this call match `{pattern}`");
            let (reason, span) = (reason.into(), access.span);
            let (kind, construct) = (DoubtKind::Other, DoubtConstruct::Text);
            let doubt = Doubt { effect, reason, span, kind, construct };
            Some(match is_danger && is_judged_again(access) {
                true => Ground::HeldByFence(HeldByFence::Unread(Box::new(doubt))).into(),
                false => doubt.into(),
            })
        });
        doubts.reduce(Verdict::and).unwrap_or_else(Verdict::of_empty_call)
    }

    pub(super) fn decide_grants(
        &self,
        access: &Access,
        matched: &MatchedRules,
        verdict: &mut Verdict,
    ) {
        let mut matched_any = false;
        for number in self.speakers(access, Role::grants) {
            matched_any |= self.apply_speaker(number, access, matched, verdict);
        }
        if !matched_any {
            let ground = self.unmatched_ground(access, matched);
            match (ground, access.scope.enforcement.is_fence()) {
                (Ground::NotGranted { default, .. }, true) => {
                    verdict.merge(&self.decide_ungranted_in_fence(access, default));
                }
                (ground, _) => verdict.add(ground.effect(), ground),
            }
        }
    }

    /// Decides an access that needs no grant: it asks if an ask rule applies, and allows otherwise.
    #[cold]
    fn decide_without_grant(&self, access: &Access, matched: &MatchedRules) -> Verdict {
        let mut verdict = Verdict::of_empty_call();
        for number in self.speakers(access, Role::grants) {
            self.apply_speaker(number, access, matched, &mut verdict);
        }
        match verdict.effect {
            Effect::Ask => verdict,
            _ => Ground::Covered(access.class()).into(),
        }
    }

    /// Returns the ground that decides an access that no allow or ask rule matches.
    fn unmatched_ground(&self, access: &Access, matched: &MatchedRules) -> Ground {
        let documents = || self.documents_in_scope(access, Role::grants);
        if !documents().any(|(_, document)| document.has_stance(access)) {
            if let Some(found) = self.entries_of(&matched.grants, EntryKind::Fallback).next() {
                return Ground::Rule(self.rule_ref(found));
            }
            if matches!(&access.what, AccessKind::CallTool(tool) if tool.kind.is_some()) {
                return Ground::KnownTool;
            }
            if access.scope.cover == Cover::ParentGrant {
                return Ground::Covered(access.class());
            }
        }
        if access.scope.cover == Cover::AllowedByDefault {
            return Ground::Covered(access.class());
        }
        let default = self.stated_default(access).unwrap_or(Effect::Deny);
        Ground::NotGranted { class: access.class(), default }
    }

    /// Returns the strictest default that a granting document states for the class of an access.
    pub(super) fn stated_default(&self, access: &Access) -> Option<Effect> {
        let documents = self.documents_in_scope(access, Role::grants);
        documents.filter_map(|(_, document)| document.default_for(access.class())).max()
    }

    fn apply_ceiling(
        &self,
        number: u32,
        document: &DocumentInfo,
        access: &Access,
        matched: &MatchedRules,
        verdict: &mut Verdict,
    ) {
        if !self.apply_speaker(number, access, matched, verdict) {
            let document = document.name.clone();
            verdict.add(Effect::Deny, Ground::Ceiling { document, class: access.class() });
        }
    }

    /// Merges the allow and ask rules of one speaker into the verdict; returns whether one matched.
    fn apply_speaker(
        &self,
        speaker: u32,
        access: &Access,
        matched: &MatchedRules,
        verdict: &mut Verdict,
    ) -> bool {
        let (mut allows, mut asks) = (false, false);
        for number in &matched.grants {
            let entry = self.entry(*number).filter(|own| self.speaker(*own) == speaker);
            match entry.map(|entry| entry.kind) {
                Some(EntryKind::Rule(Effect::Allow)) => allows = true,
                Some(EntryKind::Rule(Effect::Ask)) => asks = true,
                _ => {}
            }
        }
        if asks && let Some(grounds) = self.effective_asks(speaker, access, matched) {
            verdict.merge(&Verdict { effect: Effect::Ask, grounds });
            return true;
        }
        if allows {
            let found = self.entries_of(&matched.grants, EntryKind::Rule(Effect::Allow));
            for found in found.filter(|found| self.speaker(found.entry) == speaker) {
                if !verdict.has_rule(&self.rules, found.number) {
                    verdict.grounds.push(Ground::Rule(self.rule_ref(found)));
                }
            }
        }
        allows
    }

    /// Returns the matching ask rules of a speaker that none of its matching allow rules outranks.
    #[cold]
    pub(super) fn effective_asks(
        &self,
        speaker: u32,
        access: &Access,
        matched: &MatchedRules,
    ) -> Option<Grounds> {
        let of = |effect| {
            let entries = self.entries_of(&matched.grants, EntryKind::Rule(effect));
            entries.filter(move |found| self.speaker(found.entry) == speaker)
        };
        let open = of(Effect::Ask)
            .filter(|ask| !of(Effect::Allow).any(|allow| self.outranks(allow, *ask, access)))
            .map(|ask| Ground::Rule(self.rule_ref(ask)));
        Some(open.collect()).filter(|all: &Grounds| !all.is_empty())
    }

    fn untrusted_asks<'p>(
        &'p self,
        matched: &'p MatchedRules,
    ) -> impl Iterator<Item = Ground> + 'p {
        let asks = self.entries_of(&matched.grants, EntryKind::Rule(Effect::Ask));
        let asks = asks.filter(|found| self.role(found.entry) == Role::Untrusted);
        asks.map(move |found| Ground::Rule(self.rule_ref(found)))
    }

    pub(super) fn entries_of<'p>(
        &'p self,
        numbers: &'p [RuleNumber],
        kind: EntryKind,
    ) -> impl Iterator<Item = MatchedRule<'p>> {
        let entries = numbers.iter().filter_map(|number| {
            Some(MatchedRule { number: *number, entry: self.entry(*number)? })
        });
        entries.filter(move |found| found.entry.kind == kind)
    }

    /// Returns the documents with an accepted role whose scope contains the access.
    pub(super) fn documents_in_scope<'p>(
        &'p self,
        access: &'p Access,
        role: impl Fn(Role) -> bool + 'p,
    ) -> impl Iterator<Item = (u32, &'p DocumentInfo)> {
        let documents = (0..).zip(&self.documents);
        documents.filter(move |(_, document)| {
            role(document.role) && scope_contains(document.scope.as_deref(), access)
        })
    }

    /// Returns the speakers of the documents with an accepted role whose scope contains the access: the
    /// pool once, and every document apart from it.
    pub(super) fn speakers<'p>(
        &'p self,
        access: &'p Access,
        role: impl Fn(Role) -> bool + 'p,
    ) -> impl Iterator<Item = u32> {
        let speakers = self.documents_in_scope(access, role);
        let speakers = speakers.filter(|(number, document)| *number == document.speaker);
        speakers.map(|(number, _)| number)
    }

    /// Returns the number of the document that speaks for the document of an entry.
    pub(super) fn speaker(&self, entry: EntryView<'_>) -> u32 {
        let document = self.documents.get(entry.document as usize);
        document.map_or(entry.document, |document| document.speaker)
    }

    pub(super) fn rule(&self, number: RuleNumber) -> Option<&Rule> {
        self.rules.get(number)
    }

    pub(super) fn role(&self, entry: EntryView<'_>) -> Role {
        self.documents
            .get(entry.document as usize)
            .map_or(Role::Untrusted, |document| document.role)
    }

    pub(super) fn rule_ref(&self, found: MatchedRule<'_>) -> RuleRef {
        RuleRef::new(Arc::clone(&self.rules), found.number, self.role(found.entry))
    }

    /// Returns whether an allow rule outranks an ask rule that matches the same access.
    pub(super) fn outranks(
        &self,
        allow: MatchedRule<'_>,
        ask: MatchedRule<'_>,
        access: &Access,
    ) -> bool {
        let rules = self.rule(allow.number).zip(self.rule(ask.number));
        rules.is_some_and(|(allow, ask)| outranks(allow, ask, access))
    }
}

/// A rule that matches an access, with its number.
#[derive(Clone, Copy)]
pub(super) struct MatchedRule<'p> {
    pub(super) number: RuleNumber,
    pub(super) entry: EntryView<'p>,
}

impl DocumentInfo {
    /// Returns whether the document has a stance on the class of the access, in its scope.
    ///
    /// When a granted command opens a loopback port, only stances on ports count. Port 0 stands for
    /// every address other than loopback.
    pub(super) fn has_stance(&self, access: &Access) -> bool {
        let stances = match access.what {
            AccessKind::Listen(1..) if access.scope.cover == Cover::ParentGrant => {
                Some(&self.port_stances)
            }
            _ => self.stances.get(access.class().index()),
        };
        stances.into_iter().flatten().any(|scope| scope_contains(scope.as_deref(), access))
    }

    pub(super) fn default_for(&self, class: Class) -> Option<Effect> {
        match class {
            Class::Tool => self.tool_default.or(self.default),
            Class::Exec => self.exec_default.or(self.default),
            _ => self.default,
        }
    }
}

fn outranks(allow: &Rule, ask: &Rule, access: &Access) -> bool {
    if let AccessKind::File(file) = &access.what {
        match (names_right(&allow.pattern, file.op), names_right(&ask.pattern, file.op)) {
            (true, false) => return true,
            (false, true) => return false,
            _ => {}
        }
    }
    let within = inclusion::includes(&ask.pattern, &allow.pattern)
        && inclusion::scope_includes(&ask.scope, &allow.scope);
    let around = || {
        inclusion::includes(&allow.pattern, &ask.pattern)
            && inclusion::scope_includes(&allow.scope, &ask.scope)
    };
    within && !around()
}

/// Sorts rule numbers and removes duplicates.
fn sort_unique(numbers: &mut Numbers) {
    numbers.sort_unstable();
    numbers.dedup();
}

pub(super) fn scope_contains(scope: Option<&CompiledScope>, access: &Access) -> bool {
    scope.is_none_or(|scope| scope.contains(access))
}
