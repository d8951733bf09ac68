//! Tools that were judged before.
//!
//! The call of a tool whose arguments name nothing is judged by the tool alone. The policy, which
//! never changes, says the same of it each time; so it is asked once, and only a yes is used. It
//! decides nothing by itself: whatever else a call is goes to the guard.

use std::sync::{Arc, Mutex, PoisonError};

use ringfence_core::{AccessKind, Effect, Policy};

use crate::call::{Action, Call, McpAction};
use crate::guard::Guard;
use crate::resolve::names_nothing;

/// What the guard said of one server's tools.
pub struct Familiar {
    guard: Arc<Guard>,
    server: String,
    agent: Option<Arc<str>>,
    known: Mutex<Known>,
}

/// What one policy said.
struct Known {
    policy: Arc<Policy>,
    // INVARIANT: sorted by name.
    tools: Vec<(Box<str>, Alone)>,
}

/// What becomes of a tool's call that names nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Alone {
    /// It calls the tool, which is allowed, and does nothing else.
    Allowed,
    /// The guard has to look at it.
    Judged,
}

/// The most tools that are remembered: clients may call them by any name.
const MOST: usize = 1000;
const LONGEST: usize = 256;

impl Familiar {
    /// Nothing is known yet of the tools of this server, when this agent calls them.
    pub fn new(guard: Arc<Guard>, server: &str, agent: Option<Arc<str>>) -> Familiar {
        let known = Mutex::new(Known { policy: guard.policy(), tools: Vec::new() });
        Familiar { guard, server: server.to_owned(), agent, known }
    }

    /// Whether a call is surely allowed. Where it is not, the guard has to judge it.
    pub fn allows(&self, tool: &str, arguments: Option<&str>) -> bool {
        if !arguments.is_none_or(names_nothing) {
            return false;
        }
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.guard.decides_by(&known.policy) {
            *known = Known { policy: self.guard.policy(), tools: Vec::new() };
            if !self.guard.decides_by(&known.policy) {
                return false;
            }
        }
        match known.tools.binary_search_by(|(own, _)| (**own).cmp(tool)) {
            Ok(at) => known.tools.get(at).is_some_and(|(_, alone)| *alone == Alone::Allowed),
            Err(at) => {
                let alone = self.meet(tool, &known.policy);
                if known.tools.len() < MOST && tool.len() <= LONGEST {
                    known.tools.insert(at, (tool.into(), alone));
                }
                alone == Alone::Allowed
            }
        }
    }

    /// Asks the guard about a tool. Arguments that name nothing are judged as none are.
    #[cold]
    fn meet(&self, tool: &str, policy: &Arc<Policy>) -> Alone {
        let item = McpAction::Tool { name: tool.to_owned(), args: serde_json::Value::Null };
        let action = Action::Mcp { server: self.server.clone(), item };
        let call = Call { agent: self.agent.clone(), cwd: None, action };
        let judgement = self.guard.consider(&call);
        let is_tool_alone = judgement.doubts.is_empty()
            && judgement.parts().all(|part| matches!(part.access.what, AccessKind::CallTool(_)));
        let is_allowed = judgement.verdict.effect == Effect::Allow;
        // Somebody else may have had a say, or the policy may have been replaced meanwhile.
        let is_by_policy = self.guard.decides_by(policy) && Arc::ptr_eq(&judgement.policy, policy);
        match is_tool_alone && is_allowed && is_by_policy {
            true => Alone::Allowed,
            false => Alone::Judged,
        }
    }
}

#[cfg(test)]
#[path = "familiar_tests.rs"]
mod tests;
