//! The guard: one way from a call to its verdict.

use std::collections::HashSet;
use std::sync::Arc;

use ringfence_core::host::Host;
use ringfence_core::path::AbsPath;
use ringfence_core::rule::ToolKind;
use ringfence_core::{
    Access, AccessKind, Context, Doubt, Effect, Effects, Ground, Grounds, Mode, Policy, Verdict,
};
use serde_json::Value;

use crate::call::{Action, Call, McpAction};
use crate::filter::{Classification, SmartFilter};
use crate::in_force::InForce;
use crate::resolve::{self, Surroundings};

/// Decides every call by the policy in force.
pub struct Guard {
    policy: InForce,
    host: Arc<dyn Host>,
    context: Context,
    filter: Option<Arc<dyn SmartFilter>>,
    place: Place,
}

/// Where calls are decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// At a door: whatever comes of a call happens as it will.
    Door,
    /// At a door, for calls that are carried out in a fence.
    BeforeFence,
    /// At the gate of a fence, where programs are started and no tool is called.
    Gate,
}

/// What became of a call.
#[derive(Debug)]
pub struct Judgement {
    /// The decision, with all grounds.
    pub verdict: Verdict,
    /// What the call would do.
    accesses: Vec<Access>,
    // INVARIANT: one for each access, in the same order.
    verdicts: Vec<Verdict>,
    /// What could not be told about it.
    pub doubts: Vec<Doubt>,
    /// The policy that decided.
    pub policy: Arc<Policy>,
}

/// The effects of a call, with the policy by which they were found.
#[derive(Debug)]
pub struct Resolved {
    /// The effects. A door may add what it alone knows about the call before the guard decides.
    pub effects: Effects,
    policy: Arc<Policy>,
}

/// One access of a call, and what became of it.
#[derive(Debug, Clone, Copy)]
pub struct Part<'j> {
    /// What would happen.
    pub access: &'j Access,
    /// Whether it may.
    pub verdict: &'j Verdict,
}

impl Judgement {
    /// What the call would do, each with its own verdict.
    pub fn parts(&self) -> impl Iterator<Item = Part<'_>> + Clone {
        let parts = self.accesses.iter().zip(&self.verdicts);
        parts.map(|(access, verdict)| Part { access, verdict })
    }

    /// Whether of a part that the danger list holds back a grant is missing as well.
    pub fn lacks_grant(&self, access: &Access) -> bool {
        self.policy.lacks_grant(access)
    }

    /// Whether verdicts are only recorded, by the settings in force.
    pub fn is_observed(&self) -> bool {
        self.policy.settings().mode == Some(Mode::Observe)
    }
}

impl Guard {
    /// A guard on this host, deciding by this policy.
    pub fn new(policy: Policy, host: Arc<dyn Host>, context: Context) -> Guard {
        Guard { policy: InForce::new(policy), host, context, filter: None, place: Place::Door }
    }

    /// A guard whose policy is made when it is first asked for. Whoever makes it sees to it that it
    /// is the one that would be made now.
    pub fn later(
        make: impl FnOnce() -> Policy + Send + 'static,
        host: Arc<dyn Host>,
        context: Context,
    ) -> Guard {
        Guard { policy: InForce::later(make), host, context, filter: None, place: Place::Door }
    }

    /// Asks a filter as well; it can make verdicts stricter, never milder.
    #[must_use]
    pub fn with_filter(mut self, filter: Arc<dyn SmartFilter>) -> Guard {
        self.filter = Some(filter);
        self
    }

    /// The same guard, which sees the world through another host.
    #[must_use]
    pub fn on(&self, host: impl FnOnce(Arc<dyn Host>) -> Arc<dyn Host>) -> Guard {
        Guard {
            policy: self.policy.clone(),
            host: host(Arc::clone(&self.host)),
            context: self.context.clone(),
            filter: self.filter.clone(),
            place: self.place,
        }
    }

    /// The same guard, for calls that are carried out in a fence. A question about a tool that runs
    /// commands or code is left to the fence's gate, which asks about each program; a deny stays.
    #[must_use]
    pub fn for_fence(&self) -> Guard {
        Guard { place: Place::BeforeFence, ..self.on(|host| host) }
    }

    /// The same guard, for the programs that are started in a fence: no start is the call of a tool.
    #[must_use]
    pub fn at_gate(self) -> Guard {
        Guard { place: Place::Gate, ..self }
    }

    /// Replaces the policy whole; calls under way keep the one they began with.
    pub fn replace(&self, policy: impl Into<Arc<Policy>>) {
        self.policy.replace(policy);
    }

    /// The policy in force.
    pub fn policy(&self) -> Arc<Policy> {
        self.policy.load()
    }

    /// The surroundings that were fixed when the door started.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The host on which it decides.
    pub fn host(&self) -> &dyn Host {
        &*self.host
    }

    /// Where the search path of this door finds a program.
    pub fn find_program(&self, name: &str) -> Option<AbsPath> {
        self.host.find_program(name)
    }

    /// Whether neither the policy nor the system lets an agent put something in the place of a file.
    pub fn is_out_of_reach(&self, file: &AbsPath) -> bool {
        let policy = self.policy();
        resolve::is_out_of_reach(&self.around(&policy), file)
    }

    /// Decides a call, and says what it would do.
    pub fn consider(&self, call: &Call) -> Judgement {
        self.decide(self.resolve(call))
    }

    /// Resolves a call to its effects, and decides nothing.
    pub fn resolve(&self, call: &Call) -> Resolved {
        let policy = self.policy();
        Resolved { effects: self.effects_by(&policy, call), policy }
    }

    /// Resolves another reading of a resolved call by the same policy.
    pub fn resolve_beside(&self, resolved: &Resolved, call: &Call) -> Effects {
        self.effects_by(&resolved.policy, call)
    }

    fn effects_by(&self, policy: &Policy, call: &Call) -> Effects {
        let mut effects = resolve::effects(call, &self.around(policy));
        if let Some(filter) = &self.filter {
            effects.doubts.extend(filter_doubt(&**filter, call));
        }
        effects
    }

    /// Decides a resolved call.
    pub fn decide(&self, resolved: Resolved) -> Judgement {
        self.decide_all(resolved.policy, resolved.effects)
    }

    /// Whether a shell that has run this line is surely in the call's directory again: what an agent
    /// must be held to that goes on where its last line ended, and tells nobody where that is.
    pub fn stays(&self, call: &Call, line: &str) -> bool {
        resolve::stays(call, line, &self.around(&self.policy()))
    }

    /// Looks at the host as this guard's calls do.
    pub(crate) fn with_surroundings<T>(&self, look: impl FnOnce(&Surroundings<'_>) -> T) -> T {
        look(&self.around(&self.policy()))
    }

    fn around<'a>(&'a self, policy: &'a Policy) -> Surroundings<'a> {
        Surroundings { host: &*self.host, context: &self.context, policy }
    }

    /// Decides what a door has resolved by itself, such as a name with the addresses that it is
    /// about to dial.
    pub fn consider_effects(&self, effects: Effects) -> Judgement {
        self.decide_all(self.policy(), effects)
    }

    fn decide_all(&self, policy: Arc<Policy>, effects: Effects) -> Judgement {
        let Effects { accesses, doubts } = effects;
        let decide = |access: &Access, own: &mut Verdict| {
            policy.decide_into(access, own);
            let passes_on = match self.place {
                Place::Door => false,
                Place::BeforeFence => own.effect == Effect::Ask,
                Place::Gate => true,
            };
            if passes_on && is_exec_class(access) {
                *own = Verdict::of_empty_call();
                return;
            }
            // At the gate each file of a tree is held by the kernel, whatever lies in it by then.
            if own.effect == Effect::Allow
                && self.place != Place::Gate
                && let Some(doubt) = resolve::look_through(access, &policy, &*self.host)
            {
                own.merge(&doubt.into());
            }
        };
        // Each is made where it stays.
        let mut verdicts = Vec::with_capacity(accesses.len());
        verdicts.resize_with(accesses.len(), Verdict::of_empty_call);
        for (access, own) in accesses.iter().zip(&mut verdicts) {
            decide(access, own);
        }
        let verdict = sum_up(&doubts, &verdicts);
        Judgement { verdict, accesses, verdicts, doubts, policy }
    }
}

/// What a filter makes of a call.
#[cold]
fn filter_doubt(filter: &dyn SmartFilter, call: &Call) -> Option<Doubt> {
    let input = match &call.action {
        Action::Tool { input, .. } => input.clone(),
        Action::Mcp { item: McpAction::Tool { args, .. }, .. } | Action::Joined { args, .. } => {
            args.clone()
        }
        Action::Line { line, .. } => serde_json::json!({ "command": line }),
        Action::Argv { argv, .. } => serde_json::json!({ "argv": argv }),
        _ => Value::Null,
    };
    match filter.classify(&call.tool_name(), &input) {
        Classification::Allow => None,
        Classification::Confirm { reason } => Some(Doubt::asked(reason)),
        Classification::Deny { reason } => Some(Doubt::denied(reason)),
    }
}

/// Whether it is the call of a tool that runs commands or code.
fn is_exec_class(access: &Access) -> bool {
    let AccessKind::CallTool(tool) = &access.what else { return false };
    matches!(tool.kind, Some(ToolKind::Terminal | ToolKind::CodeExecution))
}

/// The strictest of all, with all grounds, each once: there may be very many of either.
fn sum_up(doubts: &[Doubt], verdicts: &[Verdict]) -> Verdict {
    // Mostly each has grounds of its own, and there are few.
    let most = verdicts.iter().map(|own| own.grounds.len()).sum::<usize>();
    let grounds = Grounds::with_capacity(most.min(16));
    let mut verdict = Verdict { grounds, ..Verdict::of_empty_call() };
    verdicts.iter().for_each(|own| verdict.merge(own));
    match doubts.is_empty() {
        true => verdict,
        false => add_doubts(verdict, doubts),
    }
}

/// A verdict with doubts before its own grounds.
#[cold]
fn add_doubts(verdict: Verdict, doubts: &[Doubt]) -> Verdict {
    let effect = doubts.iter().map(|doubt| doubt.effect).max().unwrap_or(Effect::Deny);
    let mut seen = HashSet::new();
    let once = doubts.iter().filter(|doubt| seen.insert(*doubt));
    let mut grounds: Grounds = once.cloned().map(Ground::from).collect();
    let is_new = |ground: &Ground| !matches!(ground, Ground::Doubt(own) if seen.contains(&**own));
    grounds.extend(verdict.grounds.into_iter().filter(is_new));
    Verdict { effect: verdict.effect.max(effect), grounds }
}
