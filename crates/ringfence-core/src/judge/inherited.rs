//! Starts that need no grant of their own.
//!
//! A rule that asks is a grant with a question, and knows a program as grants do: by its name where
//! `PATH` finds it. Whoever needs no grant could choose another file of the same program, and the
//! question would be passed by. Nothing here may make a verdict milder.

use super::compile::Policy;
use super::decide::is_admitted;
use super::entry::{Side, Sort};
use super::matching::Matched;
use crate::access::{Access, Exec, What};
use crate::effect::Effect;
use crate::verdict::{Ground, Verdict};

impl Policy {
    /// What rules that ask say of a start that needs no grant: they know its program as rules that
    /// deny do, by every name and wherever its file lies. A rule that allows outranks them as
    /// ever, if it grants this very file.
    pub fn asks_by_any_name(&self, access: &Access) -> Verdict {
        let What::Exec(exec) = &access.what else { return Verdict::nothing() };
        let mut named = self.asks_of(exec);
        if named.grants.is_empty() {
            return Verdict::nothing();
        }
        self.keep_in_force(access, &mut named);
        let mut own = self.match_exec(exec);
        self.keep_in_force(access, &mut own);
        let mut verdict = Verdict::nothing();
        for ask in self.entries_of(&named.grants, Sort::Rule(Effect::Ask)) {
            let document = self.documents.get(ask.entry.document as usize);
            let is_in_play = document.is_some_and(|own| is_admitted(own.scope.as_deref(), access));
            let mut allows = self
                .entries_of(&own.grants, Sort::Rule(Effect::Allow))
                .filter(|allow| allow.entry.document == ask.entry.document);
            if is_in_play && !allows.any(|allow| self.outranks(allow, ask, access)) {
                verdict.take_in(&Ground::Rule(self.rule_ref(ask)).into());
            }
        }
        verdict
    }

    /// The rules that ask about a program of one of these names.
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
