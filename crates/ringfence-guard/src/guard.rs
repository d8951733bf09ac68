//! The guard: the one way from a call to its verdict.
//!
//! It resolves a call to effects, decides each of them by the policy in force, and sums up. It must
//! never act on what it decided.

use std::collections::HashSet;
use std::sync::Arc;

use ringfence_core::host::Host;
use ringfence_core::path::AbsPath;
use ringfence_core::rule::ToolKind;
use ringfence_core::{
    Access, AccessKind, Context, Doubt, Effect, Effects, Enforcement, Ground, Grounds, Mode,
    Policy, Verdict,
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
    enforcement: Enforcement,
}

/// The point at which a guard decides calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// A door outside of any fence: nothing else holds what the call does.
    Door,
    /// A door whose calls are carried out in a fence.
    BeforeFence,
    /// The exec gate of a fence: programs are started, and no tool is called.
    Gate,
}

/// The decision on one call, with everything that it rests on.
#[derive(Debug)]
pub struct Judgement {
    /// The strictest verdict over all accesses and doubts, with all grounds.
    pub verdict: Verdict,
    /// The accesses of the call.
    accesses: Vec<Access>,
    // INVARIANT: one verdict for each access, in the same order.
    verdicts: Vec<Verdict>,
    /// The parts of the call that could not be read with certainty.
    pub doubts: Vec<Doubt>,
    /// The policy by which the call was decided.
    pub policy: Arc<Policy>,
}

/// The effects of a call, with the policy by which they were found.
#[derive(Debug)]
pub struct Resolved {
    /// The effects. A door may add what it alone knows about the call before the guard decides.
    pub effects: Effects,
    policy: Arc<Policy>,
}

/// One access of a call with its own verdict.
#[derive(Debug, Clone, Copy)]
pub struct Part<'j> {
    /// The access.
    pub access: &'j Access,
    /// The verdict on the access.
    pub verdict: &'j Verdict,
}

impl Judgement {
    /// Returns the accesses of the call, each with its own verdict.
    pub fn parts(&self) -> impl Iterator<Item = Part<'_>> + Clone {
        let parts = self.accesses.iter().zip(&self.verdicts);
        parts.map(|(access, verdict)| Part { access, verdict })
    }

    /// Returns whether an access that the danger list denies also lacks an allow rule.
    pub fn lacks_grant(&self, access: &Access) -> bool {
        self.policy.lacks_grant(access)
    }

    /// Returns whether the policy only records verdicts (`mode = "observe"`).
    pub fn is_observed(&self) -> bool {
        self.policy.settings().mode == Some(Mode::Observe)
    }
}

impl Guard {
    /// Makes a guard that decides by a policy on a host.
    pub fn new(policy: Policy, host: Arc<dyn Host>, context: Context) -> Guard {
        Guard::of(InForce::new(policy), host, context)
    }

    /// Makes a guard whose policy is built at its first use. The caller guarantees that `make` builds
    /// the policy that would be built now.
    pub fn later(
        make: impl FnOnce() -> Policy + Send + 'static,
        host: Arc<dyn Host>,
        context: Context,
    ) -> Guard {
        Guard::of(InForce::later(make), host, context)
    }

    fn of(policy: InForce, host: Arc<dyn Host>, context: Context) -> Guard {
        let (place, enforcement) = (Place::Door, Enforcement::Advisory);
        Guard { policy, host, context, filter: None, place, enforcement }
    }

    /// Adds a filter, which can make verdicts stricter and never milder.
    #[must_use]
    pub fn with_filter(mut self, filter: Arc<dyn SmartFilter>) -> Guard {
        self.filter = Some(filter);
        self
    }

    /// Returns the same guard on another host.
    #[must_use]
    pub fn on(&self, host: impl FnOnce(Arc<dyn Host>) -> Arc<dyn Host>) -> Guard {
        Guard {
            policy: self.policy.clone(),
            host: host(Arc::clone(&self.host)),
            context: self.context.clone(),
            filter: self.filter.clone(),
            place: self.place,
            enforcement: self.enforcement,
        }
    }

    /// Returns the same guard for calls that are carried out in a fence. A question about a tool that
    /// runs commands or code is left to the exec gate, which asks about each program. A deny stays.
    #[must_use]
    pub fn for_fence(&self) -> Guard {
        Guard { place: Place::BeforeFence, ..self.on(|host| host) }
    }

    /// Returns the same guard for the exec gate of a fence: starting a program calls no tool.
    #[must_use]
    pub fn at_gate(self) -> Guard {
        Guard { place: Place::Gate, ..self }
    }

    /// Returns the same guard for calls that are held by more than its verdict. The caller guarantees
    /// that the call is carried out in such a fence.
    #[must_use]
    pub fn held_by(self, enforcement: Enforcement) -> Guard {
        Guard { enforcement, ..self }
    }

    /// Returns the same guard for calls that are carried out in a whole fence. What only the fence
    /// holds is told by [`Verdict::relies_on_fence`].
    #[must_use]
    pub fn in_whole_fence(&self) -> Guard {
        self.on(|host| host).held_by(Enforcement::WholeFence)
    }

    /// Returns what holds the calls that this guard judges, besides its verdicts.
    pub fn enforcement(&self) -> Enforcement {
        self.enforcement
    }

    /// Replaces the policy. A call that is being decided keeps the policy with which it began.
    pub fn replace(&self, policy: impl Into<Arc<Policy>>) {
        self.policy.replace(policy);
    }

    /// Returns the policy in force.
    pub fn policy(&self) -> Arc<Policy> {
        self.policy.load()
    }

    /// Returns the surroundings that were fixed when the door started.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Returns the host on which calls are resolved.
    pub fn host(&self) -> &dyn Host {
        &*self.host
    }

    /// Returns the file that the `PATH` of this door finds for a program.
    pub fn find_program(&self, name: &str) -> Option<AbsPath> {
        self.host.find_program(name)
    }

    /// Returns whether file permissions or the policy keep agents from replacing a file.
    pub fn is_out_of_reach(&self, file: &AbsPath) -> bool {
        let policy = self.policy();
        resolve::is_out_of_reach(&self.around(&policy), file)
    }

    /// Resolves a call and decides it.
    pub fn consider(&self, call: &Call) -> Judgement {
        self.decide(self.resolve(call))
    }

    /// Resolves a call to its effects without deciding.
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

    /// Returns whether a shell is certainly in the call's directory again after this line. Agents whose
    /// shell keeps its directory, and that do not report it, may only run such lines.
    pub fn stays(&self, call: &Call, line: &str) -> bool {
        resolve::stays(call, line, &self.around(&self.policy()))
    }

    /// Calls `look` with the host, the context and the policy with which calls are resolved.
    pub(crate) fn with_surroundings<T>(&self, look: impl FnOnce(&Surroundings<'_>) -> T) -> T {
        look(&self.around(&self.policy()))
    }

    fn around<'a>(&'a self, policy: &'a Policy) -> Surroundings<'a> {
        Surroundings { host: &*self.host, context: &self.context, policy }
    }

    /// Decides effects that a door resolved itself, such as a host name with the addresses that the
    /// door is about to dial.
    pub fn consider_effects(&self, effects: Effects) -> Judgement {
        self.decide_all(self.policy(), effects)
    }

    fn decide_all(&self, policy: Arc<Policy>, effects: Effects) -> Judgement {
        let Effects { mut accesses, mut doubts } = effects;
        accesses.iter_mut().for_each(|access| access.scope.enforcement = self.enforcement);
        let held = self.take_held(&policy, &mut doubts);
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
            // At the exec gate the kernel holds each file of a tree, also files that appear later.
            if own.effect == Effect::Allow
                && self.place != Place::Gate
                && let Some(doubt) = resolve::look_through(access, &policy, &*self.host)
            {
                own.merge(&policy.weigh(&doubt, self.enforcement).into());
            }
        };
        // Verdicts are filled in place: moving them costs more than making them.
        let mut verdicts = Vec::with_capacity(accesses.len());
        verdicts.resize_with(accesses.len(), Verdict::of_empty_call);
        for (access, own) in accesses.iter().zip(&mut verdicts) {
            decide(access, own);
        }
        let mut verdict = sum_up(&doubts, &verdicts);
        verdict.grounds.extend(held);
        Judgement { verdict, accesses, verdicts, doubts, policy }
    }

    /// Takes away the doubts that the fence holds, and returns their grounds.
    fn take_held(&self, policy: &Policy, doubts: &mut Vec<Doubt>) -> Vec<Ground> {
        let mut held = Vec::new();
        if self.enforcement.is_fence() {
            doubts.retain(|doubt| match policy.weigh(doubt, self.enforcement) {
                ground @ Ground::HeldByFence(_) => {
                    held.push(ground);
                    false
                }
                _ => true,
            });
        }
        held
    }
}

/// Returns the doubt that a filter raises about a call.
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

/// Returns whether an access is the call of a tool that runs commands or code.
fn is_exec_class(access: &Access) -> bool {
    let AccessKind::CallTool(tool) = &access.what else { return false };
    matches!(tool.kind, Some(ToolKind::Terminal | ToolKind::CodeExecution))
}

/// Returns the strictest verdict with all grounds, each once. There may be very many of either.
fn sum_up(doubts: &[Doubt], verdicts: &[Verdict]) -> Verdict {
    // Most verdicts have grounds of their own, and there are few.
    let most = verdicts.iter().map(|own| own.grounds.len()).sum::<usize>();
    let grounds = Grounds::with_capacity(most.min(16));
    let mut verdict = Verdict { grounds, ..Verdict::of_empty_call() };
    verdicts.iter().for_each(|own| verdict.merge(own));
    match doubts.is_empty() {
        true => verdict,
        false => add_doubts(verdict, doubts),
    }
}

/// Returns a verdict in which doubts stand before the other grounds.
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
