//! Finds the mechanisms that enforce each rule in the kernel, and the rules that none enforces.

use ringfence_core::judge::RuleKind;
use ringfence_core::pattern::Pattern;
use ringfence_core::{Class, Facet, Role, Rule, Scope};

use super::kernels::{self, Said};
use super::net::{is_loopback, is_published};
use super::oracle::Oracle;
use crate::plan::{ExecPlan, FilePlan, Gap, Held, Judged, Mechanism, Plan};

/// What becomes of a rule.
enum Fate {
    /// These hold it.
    Held(Vec<Mechanism>),
    /// These hold it, but for what is said.
    Partly(Vec<Mechanism>, &'static str),
    /// It gives less here than it says.
    Less(&'static str),
    /// Nothing holds it.
    Gap(&'static str),
    /// It is not about this run.
    Elsewhere,
}

/// Fills in which rules are held by what.
pub(super) fn fill(plan: &mut Plan, oracle: &Oracle<'_>) {
    let mut built_in: [(Class, RuleKind, usize); 14] = [(Class::Exec, RuleKind::Deny, 0); 14];
    for (slot, (class, kind)) in built_in.iter_mut().zip(built_in_sorts()) {
        *slot = (class, kind, 0);
    }
    for (kind, role, rule, in_force) in oracle.policy.rules_with_kind(&oracle.anything) {
        let class = rule.pattern.class();
        if role == Role::BuiltIn {
            let same = |slot: &&mut (Class, RuleKind, usize)| (slot.0, slot.1) == (class, kind);
            if let Some(slot) = built_in.iter_mut().find(same) {
                slot.2 = slot.2.saturating_add(1);
            }
            continue;
        }
        let fate = if in_force {
            in_force_fate(plan, oracle, kind, rule)
        } else {
            scoped_fate(kind, role, rule, oracle)
        };
        let widened = in_force && is_widened(kind, rule);
        record(plan, fate, kind, rule, widened.then_some("for every command of the run"));
    }
    let counted = built_in.into_iter().filter(|slot| slot.2 > 0);
    plan.held.extend(counted.filter_map(|slot| sum(&plan.files, plan.exec, slot)));
}

/// Whether the rule objects to less than a run can tell.
fn is_widened(kind: RuleKind, rule: &Rule) -> bool {
    let told = matches!(rule.pattern.class(), Class::Exec | Class::Env);
    let scoped = rule.scope.command.is_some() || rule.scope.within.is_some();
    matches!(kind, RuleKind::Deny | RuleKind::Danger) && scoped && !told
}

fn record(plan: &mut Plan, fate: Fate, kind: RuleKind, rule: &Rule, note: Option<&str>) {
    let (text, origin) = (rule.pattern.to_string(), rule.origin.to_string());
    let held = |by, note: Option<&str>| Held {
        says: word(kind),
        rule: text.clone(),
        origin: origin.clone(),
        by,
        note: note.map(str::to_owned),
    };
    match fate {
        Fate::Held(by) => plan.held.push(held(by, note)),
        Fate::Partly(by, note) => plan.held.push(held(by, Some(note))),
        Fate::Less(note) => plan.held.push(held(Vec::new(), Some(note))),
        Fate::Gap(reason) => {
            let facet = facet(rule.pattern.class());
            plan.gaps.push(Gap { facet, rule: text, origin, reason: reason.to_owned() });
        }
        Fate::Elsewhere => {}
    }
}

fn in_force_fate(plan: &Plan, oracle: &Oracle<'_>, kind: RuleKind, rule: &Rule) -> Fate {
    match &rule.pattern {
        Pattern::File(rights, _) => {
            let changes = rights.write || rights.delete;
            match (
                kernels::says(oracle, kind, rule),
                files_fate(&plan.files, kind, rights.read, changes),
            ) {
                (Said::All, fate) => fate,
                (Said::AllBut(note), Fate::Held(by)) => Fate::Partly(by, note),
                (Said::AllBut(_), fate) => fate,
                (Said::Nothing(why), _) if grants(kind) => Fate::Less(why),
                (Said::Nothing(why), _) => Fate::Gap(why),
            }
        }
        Pattern::Command(_) | Pattern::Shell => Fate::Held(gate(plan.exec)),
        Pattern::Net(net) if is_loopback(net) && net.port.is_none() && grants(kind) => {
            Fate::Less("loopback is the run's own; name a port to reach that of the host")
        }
        Pattern::Net(net) if is_loopback(net) && grants(kind) && is_own(plan, net.port) => {
            Fate::Less("the port is published, so it is the run's own and not that of the host")
        }
        Pattern::Listen(None) if grants(kind) => {
            Fate::Less("only ports that are named are published")
        }
        Pattern::Listen(Some(port)) if grants(kind) && !is_published(oracle, *port) => {
            Fate::Less("a port is published from the start or not at all, so it is not asked about")
        }
        Pattern::Listen(Some(port)) if grants(kind) && plan.net.carried.contains(port) => {
            Fate::Less("the port is granted for hosts outside, so nothing inside can listen at it")
        }
        Pattern::Net(_) | Pattern::Listen(_) => Fate::Held(vec![Mechanism::Proxy]),
        Pattern::Socket(_) => Fate::Held(vec![Mechanism::Broker]),
        Pattern::Env(_) => Fate::Held([vec![Mechanism::Environment], gate(plan.exec)].concat()),
        Pattern::Tool(_) | Pattern::Mcp(_) | Pattern::Keychain(_) => Fate::Elsewhere,
    }
}

/// Whether a port of the run is reached from outside.
fn is_own(plan: &Plan, port: Option<u16>) -> bool {
    port.is_some_and(|port| plan.net.published.contains(&port))
}

fn files_fate(files: &FilePlan, kind: RuleKind, reads: bool, changes: bool) -> Fate {
    let judged = files.judged == Judged::Openings;
    let mut by = Vec::new();
    match kind {
        RuleKind::Ask if reads && !judged => {
            return Fate::Less("reading is not asked about here: it is refused");
        }
        RuleKind::Ask => by.push(Mechanism::Broker),
        RuleKind::Deny | RuleKind::Danger => {
            if reads && !judged {
                by.extend([Mechanism::Landlock, Mechanism::Mask]);
            }
            by.push(Mechanism::Broker);
        }
        RuleKind::Allow | RuleKind::OptIn | RuleKind::Fallback | RuleKind::Except => {
            by.push(Mechanism::Landlock);
            if judged || changes {
                by.push(Mechanism::Broker);
            }
        }
    }
    Fate::Held(by)
}

/// A rule that holds only under some tool, command, directory or agent.
fn scoped_fate(kind: RuleKind, role: Role, rule: &Rule, oracle: &Oracle<'_>) -> Fate {
    let Scope { agent, tool, command, within, .. } = &rule.scope;
    let of_run = oracle.anything.scope.agent.as_deref();
    let other = |agent: &ringfence_core::pattern::NamePattern| {
        !of_run.is_some_and(|name| agent.matches(name))
    };
    if agent.as_ref().is_some_and(other)
        || (command.is_none() && within.is_none() && tool.is_none())
    {
        return Fate::Elsewhere;
    }
    if tool.is_some() {
        return Fate::Less("only for calls of a tool, which a hook or the gateway judges");
    }
    let narrows = matches!(kind, RuleKind::Deny | RuleKind::Danger) || role == Role::Ceiling;
    match rule.pattern.class() {
        Class::Exec | Class::Env => Fate::Held(vec![Mechanism::Gate]),
        Class::Tool | Class::Keychain => Fate::Elsewhere,
        _ if narrows => Fate::Gap("holds under one command, and the kernel holds all alike"),
        _ => Fate::Less("only for a command that ringfence itself starts"),
    }
}

fn gate(exec: ExecPlan) -> Vec<Mechanism> {
    match exec {
        ExecPlan::Gated => vec![Mechanism::Gate],
        ExecPlan::Free => Vec::new(),
    }
}

fn grants(kind: RuleKind) -> bool {
    matches!(kind, RuleKind::Allow | RuleKind::Ask | RuleKind::Fallback)
}

fn built_in_sorts() -> impl Iterator<Item = (Class, RuleKind)> {
    [RuleKind::Deny, RuleKind::Danger]
        .into_iter()
        .flat_map(|kind| Class::ALL.map(|class| (class, kind)))
}

/// One line for all built-in rules of a sort.
fn sum(
    files: &FilePlan,
    exec: ExecPlan,
    (class, kind, count): (Class, RuleKind, usize),
) -> Option<Held> {
    let by = match class {
        Class::Files => match files_fate(files, kind, kind == RuleKind::Danger, true) {
            Fate::Held(by) => by,
            _ => Vec::new(),
        },
        // Without a gate the verbs that change authority meet the files that are protected.
        Class::Exec if exec == ExecPlan::Free => vec![Mechanism::Broker],
        Class::Exec => vec![Mechanism::Gate],
        Class::Net => vec![Mechanism::Proxy],
        Class::Socket => vec![Mechanism::Broker],
        Class::Env => [vec![Mechanism::Environment], gate(exec)].concat(),
        Class::Tool | Class::Keychain => return None,
    };
    let list = if kind == RuleKind::Danger { "danger list" } else { "protected" };
    let rule = format!("{count} rules on {class}");
    // What a run keeps of itself in `/proc` is its own.
    let note = (class == Class::Files && kind == RuleKind::Danger)
        .then(|| "in /proc of other processes: the run sees only its own".to_owned());
    Some(Held { says: word(kind), rule, origin: list.to_owned(), by, note })
}

fn word(kind: RuleKind) -> &'static str {
    match kind {
        RuleKind::Allow | RuleKind::Fallback => "allow",
        RuleKind::Ask => "ask",
        RuleKind::Deny => "deny",
        RuleKind::Danger => "danger",
        RuleKind::OptIn => "opt-in",
        RuleKind::Except => "except",
    }
}

fn facet(class: Class) -> Facet {
    match class {
        Class::Files => Facet::Files,
        Class::Net => Facet::Network,
        Class::Socket => Facet::Sockets,
        Class::Env => Facet::Environment,
        Class::Exec | Class::Tool | Class::Keychain => Facet::Exec,
    }
}
