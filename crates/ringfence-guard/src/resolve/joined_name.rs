//! Resolves MCP tools whose joined name can be split in several ways.
//!
//! Deny, danger and protection rules apply if they match any reading of the name. Grants depend on
//! the known servers: if a known server fits, only readings with known servers count. If none fits,
//! every reading needs a grant, and a person is asked about those without one.
//!
//! An unknown server therefore gets nothing because its name begins like another one. A server name
//! that an agent may have written can add readings, but never removes one.

use ringfence_core::{Access, AccessKind, Doubt, Effect, Ground};
use serde_json::Value;

use super::{Resolver, mcp_tool};
use crate::call::McpAction;
use crate::joined_name::{JoinedName, NameReading};

/// The maximum number of readings. Tool names given to models have about sixty characters.
const MOST: usize = 64;

impl Resolver<'_> {
    pub(super) fn joined(&mut self, name: &JoinedName, args: &Value) {
        let readings: Vec<NameReading<'_>> = name.readings().take(MOST.saturating_add(1)).collect();
        let (first, others) = match readings.as_slice() {
            [] => return self.doubt("it names no tool of a server"),
            [only] => return self.read_as(*only, args),
            all if all.len() > MOST => {
                return self.doubt("its name can be read in too many ways");
            }
            [first, others @ ..] => (*first, others),
        };
        let known: Vec<NameReading<'_>> =
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
            // No reading is granted, so the question must cover all of them.
            self.read_as(first, args);
            return others.iter().for_each(|own| self.objections_to(*own));
        };
        for own in &readings {
            if self.grants(*own) {
                // A grant for all servers applies to any reading.
                self.mcp_item(own.server, &item(*own, args));
            } else {
                self.objections_to(*own);
                self.may_be(*own, granted);
            }
        }
    }

    fn read_as(&mut self, own: NameReading<'_>, args: &Value) {
        self.mcp(own.server, &item(own, args));
    }

    /// Returns whether the agent certainly has the server. Either the event says so, or a section
    /// of a granting policy names the server, or a grant names the tool beyond the next separator.
    fn is_certain(&self, name: &JoinedName, own: NameReading<'_>) -> bool {
        let told = |has: &String| has == own.server;
        name.servers().certain.iter().any(told)
            || self.around.policy.names_server(own.server)
            || self.around.policy.splits_joined_name(own.server, own.tool, name.separator())
    }

    /// Returns whether the policy allows the tool, possibly after a question.
    fn grants(&self, own: NameReading<'_>) -> bool {
        let verdict = self.around.policy.decide(&self.call_of(own));
        let by_rule = |ground: &Ground| matches!(ground, Ground::Rule(_) | Ground::Covered(_));
        verdict.effect != Effect::Deny && verdict.grounds.iter().any(by_rule)
    }

    /// Adds the reading if a deny, danger or protection rule matches it.
    fn objections_to(&mut self, own: NameReading<'_>) {
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

    fn may_be(&mut self, own: NameReading<'_>, granted: NameReading<'_>) {
        let reason = format!(
            "the name may mean the tool `{}` of a server `{}`, which no rule grants; a rule `mcp:{}/{}` \
             would exclude that",
            own.tool, own.server, granted.server, granted.tool
        );
        self.effects.doubts.push(Doubt::asked(reason));
    }

    /// Returns the access of calling the tool.
    fn call_of(&self, own: NameReading<'_>) -> Access {
        let tool = mcp_tool(own.server, own.tool);
        let mut scope = self.scope.clone();
        scope.tool = Some(tool.clone());
        Access { what: AccessKind::CallTool(tool), scope, span: None }
    }
}

fn item(own: NameReading<'_>, args: &Value) -> McpAction {
    McpAction::Tool { name: own.tool.to_owned(), args: args.clone() }
}

#[cfg(test)]
#[path = "joined_name_tests.rs"]
mod tests;
