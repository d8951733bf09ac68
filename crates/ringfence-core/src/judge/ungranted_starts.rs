//! Program starts that need no grant of their own. Deny, danger and some ask rules still apply to
//! them.
//!
//! An ask rule usually identifies a program like an allow rule: by its name, if `PATH` finds the
//! file. An agent could then choose another file of the same program to avoid the question. So ask
//! rules may match by any name here. Nothing here may make a verdict milder.

use super::compile::Policy;
use super::decide::scope_contains;
use super::entry::{EntryKind, Side};
use super::matching::MatchedRules;
use crate::access::{Access, AccessKind, AskRules, Exec};
use crate::effect::Effect;
use crate::verdict::{Ground, Grounds, Verdict};

impl Policy {
    /// Returns the verdict of the ask rules that apply to an access without a grant. An ask rule
    /// that an allow rule of the same speaker outranks does not apply.
    pub(super) fn ask_verdict(
        &self,
        access: &Access,
        matched: &MatchedRules,
        asks: AskRules,
    ) -> Verdict {
        let mut verdict = Verdict::of_empty_call();
        if asks != AskRules::None {
            for number in self.speakers(access, |_| true) {
                let open = self.effective_asks(number, access, matched).unwrap_or_default();
                let counts = |ground: &Ground| asks != AskRules::WithPath || has_path(ground);
                let grounds: Grounds = open.into_iter().filter(counts).collect();
                if !grounds.is_empty() {
                    verdict.merge(&Verdict { effect: Effect::Ask, grounds });
                }
            }
        }
        if asks == AskRules::ByAnyName
            && let AccessKind::Exec(exec) = &access.what
        {
            self.ask_by_any_name(access, exec, &mut verdict);
        }
        match verdict.effect {
            Effect::Allow => Ground::Covered(access.class()).into(),
            _ => verdict,
        }
    }

    /// Adds the ask rules that name the program by any of its names, wherever its file is. An allow
    /// rule outranks them if it grants this file.
    pub(super) fn ask_by_any_name(&self, access: &Access, exec: &Exec, verdict: &mut Verdict) {
        let mut named = self.asks_naming(exec);
        if named.grants.is_empty() {
            return;
        }
        self.retain_applicable(access, &mut named);
        let mut own = self.match_exec(exec);
        self.retain_applicable(access, &mut own);
        for ask in self.entries_of(&named.grants, EntryKind::Rule(Effect::Ask)) {
            let document = self.documents.get(ask.entry.document as usize);
            let is_in_play =
                document.is_some_and(|own| scope_contains(own.scope.as_deref(), access));
            let mut allows = self
                .entries_of(&own.grants, EntryKind::Rule(Effect::Allow))
                .filter(|allow| self.speaker(allow.entry) == self.speaker(ask.entry));
            if is_in_play && !allows.any(|allow| self.outranks(allow, ask, access)) {
                verdict.merge(&Ground::Rule(self.rule_ref(ask)).into());
            }
        }
    }

    /// Returns the ask rules that match the program under one of its names.
    fn asks_naming(&self, exec: &Exec) -> MatchedRules {
        let mut matched = MatchedRules::default();
        for name in exec.program.names() {
            let mut named = exec.clone();
            named.program.known_as = Some(name.into());
            self.each_command(&named, Side::Grant, &mut |number| {
                let asks = |kind| kind == EntryKind::Rule(Effect::Ask);
                if self.entry(number).is_some_and(|entry| asks(entry.kind)) {
                    matched.grants.push(number);
                }
            });
        }
        matched
    }
}

/// Returns whether the rule's pattern contains a path. Such a rule is about certain files, not
/// about a program in general.
fn has_path(ground: &Ground) -> bool {
    ground.rule().is_some_and(|rule| rule.pattern.to_string().contains('/'))
}
