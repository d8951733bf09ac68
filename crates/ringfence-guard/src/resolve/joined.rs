//! Tools of MCP servers by names that can be read in several ways.
//!
//! What objects is looked for in every reading. What grants counts by the servers that are known: where
//! one of them is in the name, it is read by those and by no others. Where none is, every reading needs
//! a grant, and a person is asked where one has none. So a server that nobody knows gets nothing for
//! beginning like another, and a name that somebody else may have written adds a reading, never less.

use ringfence_core::{Access, AccessKind, Doubt, Effect, Ground};
use serde_json::Value;

use super::{Resolver, mcp_tool};
use crate::call::McpAction;
use crate::joined::{JoinedName, Reading};

/// The most readings that are looked at. Names that models are given have some sixty characters.
const MOST: usize = 64;

impl Resolver<'_> {
    pub(super) fn joined(&mut self, name: &JoinedName, args: &Value) {
        let readings: Vec<Reading<'_>> = name.readings().take(MOST.saturating_add(1)).collect();
        let (first, others) = match readings.as_slice() {
            [] => return self.doubt("it names no tool of a server"),
            [only] => return self.read_as(*only, args),
            all if all.len() > MOST => {
                return self.doubt("its name can be read in too many ways");
            }
            [first, others @ ..] => (*first, others),
        };
        let known: Vec<Reading<'_>> =
            readings.iter().copied().filter(|own| self.is_certain(name, *own)).collect();
        if !known.is_empty() {
            let possible = &name.servers().possible;
            for own in &readings {
                let counts = known.contains(own) || possible.iter().any(|has| has == own.server);
                if counts { self.read_as(*own, args) } else { self.objections_to(*own) }
            }
            return;
        }
        let granted = readings.iter().copied().find(|own| self.grants(*own));
        let Some(granted) = granted else {
            // Nobody grants any of them, so whoever is asked is asked about all that it may be.
            self.read_as(first, args);
            return others.iter().for_each(|own| self.objections_to(*own));
        };
        for own in &readings {
            if self.grants(*own) {
                // Whoever grants all servers need not know their names.
                self.mcp_item(own.server, &item(*own, args));
            } else {
                self.objections_to(*own);
                self.may_be(*own, granted);
            }
        }
    }

    fn read_as(&mut self, own: Reading<'_>, args: &Value) {
        self.mcp(own.server, &item(own, args));
    }

    /// Whether the agent surely has the server: it says so, a section of a granting policy does, or a rule
    /// that grants names the tool past the place where the name could be cut again.
    fn is_certain(&self, name: &JoinedName, own: Reading<'_>) -> bool {
        let told = |has: &String| has == own.server;
        name.servers().certain.iter().any(told)
            || self.around.policy.names_server(own.server)
            || self.around.policy.splits_joined_name(own.server, own.tool, name.separator())
    }

    /// Whether the policy lets the tool be called, at least after a question.
    fn grants(&self, own: Reading<'_>) -> bool {
        let verdict = self.around.policy.decide(&self.call_of(own));
        let by_rule = |ground: &Ground| matches!(ground, Ground::Rule(_) | Ground::Covered(_));
        verdict.effect != Effect::Deny && verdict.grounds.iter().any(by_rule)
    }

    /// Adds a reading that is objected to, and nothing for one that is not.
    fn objections_to(&mut self, own: Reading<'_>) {
        let access = self.call_of(own);
        let objects = |ground: &Ground| {
            let is_rule =
                matches!(ground, Ground::Rule(_) | Ground::Protected(_) | Ground::Danger(_));
            is_rule && ground.effect() == Effect::Deny
        };
        if self.around.policy.decide(&access).grounds.iter().any(objects) {
            self.effects.accesses.push(access);
        }
    }

    fn may_be(&mut self, own: Reading<'_>, granted: Reading<'_>) {
        let reason = format!(
            "the name may mean the tool `{}` of a server `{}`, which nothing grants; the rule `mcp:{}/{}` \
             would say that it does not",
            own.tool, own.server, granted.server, granted.tool
        );
        self.effects.doubts.push(Doubt::asked(reason));
    }

    /// The call of a tool by itself.
    fn call_of(&self, own: Reading<'_>) -> Access {
        let tool = mcp_tool(own.server, own.tool);
        let mut scope = self.scope.clone();
        scope.tool = Some(tool.clone());
        Access { what: AccessKind::CallTool(tool), scope, span: None }
    }
}

fn item(own: Reading<'_>, args: &Value) -> McpAction {
    McpAction::Tool { name: own.tool.to_owned(), args: args.clone() }
}

#[cfg(test)]
#[path = "joined_tests.rs"]
mod tests;
