//! Starts that need no grant of their own.
//!
//! A rule that asks is a grant with a question, and knows a program as grants do: by its name where
//! `PATH` finds it. Whoever needs no grant could choose another file of the same program, and the
//! question would be passed by. Nothing here may make a verdict milder.

use super::compile::Policy;
use super::decide::is_admitted;
use super::entry::{Side, Sort};
use super::matching::Matched;
use crate::access::{Access, AskRules, Exec, What};
use crate::effect::Effect;
use crate::verdict::{Ground, Grounds, Verdict};

impl Policy {
    /// Returns the questions about an access that needs no grant: the ask rules that count and that no
    /// allow rule of the same speaker outranks.
    pub(super) fn questions(&self, access: &Access, matched: &Matched, asks: AskRules) -> Verdict {
        let mut verdict = Verdict::nothing();
        if asks != AskRules::None {
            for number in self.speakers(access, |_| true) {
                let open = self.open_asks(number, access, matched).unwrap_or_default();
                let counts = |ground: &Ground| asks != AskRules::WithPath || has_path(ground);
                let grounds: Grounds = open.into_iter().filter(counts).collect();
                if !grounds.is_empty() {
                    verdict.take_in(&Verdict { effect: Effect::Ask, grounds });
                }
            }
        }
        if asks == AskRules::ByAnyName
            && let What::Exec(exec) = &access.what
        {
            self.ask_by_any_name(access, exec, &mut verdict);
        }
        match verdict.effect {
            Effect::Allow => Ground::Covered(access.class()).into(),
            _ => verdict,
        }
    }

    /// Adds the questions of ask rules that know the program as deny rules do: by every name and
    /// wherever its file lies. An allow rule outranks them as ever, if it grants this very file.
    fn ask_by_any_name(&self, access: &Access, exec: &Exec, verdict: &mut Verdict) {
        let mut named = self.asks_of(exec);
        if named.grants.is_empty() {
            return;
        }
        self.keep_in_force(access, &mut named);
        let mut own = self.match_exec(exec);
        self.keep_in_force(access, &mut own);
        for ask in self.entries_of(&named.grants, Sort::Rule(Effect::Ask)) {
            let document = self.documents.get(ask.entry.document as usize);
            let is_in_play = document.is_some_and(|own| is_admitted(own.scope.as_deref(), access));
            let mut allows = self
                .entries_of(&own.grants, Sort::Rule(Effect::Allow))
                .filter(|allow| self.speaker(allow.entry) == self.speaker(ask.entry));
            if is_in_play && !allows.any(|allow| self.outranks(allow, ask, access)) {
                verdict.take_in(&Ground::Rule(self.rule_ref(ask)).into());
            }
        }
    }

    /// Returns the ask rules that name the program by one of its names.
    fn asks_of(&self, exec: &Exec) -> Matched {
        let mut matched = Matched::default();
        for name in exec.program.names() {
            let mut named = exec.clone();
            named.program.known_as = Some(name.into());
            self.each_command(&named, Side::Grant, &mut |number| {
                let asks = |sort| sort == Sort::Rule(Effect::Ask);
                if self.entry(number).is_some_and(|entry| asks(entry.sort)) {
                    matched.grants.push(number);
                }
            });
        }
        matched
    }
}

/// Returns whether the pattern of the rule has a path. Such a rule may know this very file, and is not
/// about the program in general.
fn has_path(ground: &Ground) -> bool {
    ground.rule().is_some_and(|rule| rule.pattern.to_string().contains('/'))
}
