//! What becomes of a fence when its policy changes.

use std::collections::BTreeSet;
use std::path::Path;

use ringfence_core::{AccessScope, Policy};

use super::build::{Oracle, variables_for};
use super::{ExecPlan, FilePlan, Held, Limits, Mechanism, NetPlan, Plan, Tree};

/// How the plan of a changed policy compares with the plan that a fence is held to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanChange {
    /// The fence holds what the new plan says: the judge alone has other rules.
    None,
    /// The new plan allows more, and nothing less.
    Wider,
    /// The new plan allows less somewhere, or differs in a way that is not known to be wider.
    Narrower,
}

impl Plan {
    /// Compares this plan, which a fence is held to, with that of a changed policy. What is in doubt is
    /// narrower.
    pub fn change_to(&self, new: &Plan) -> PlanChange {
        match () {
            () if self.holds_the_same(new) => PlanChange::None,
            () if self.is_within(new) => PlanChange::Wider,
            () => PlanChange::Narrower,
        }
    }

    /// Chooses the variables of a command that enters a fence with this plan.
    pub fn variables_of(
        &self,
        policy: &Policy,
        scope: &AccessScope,
        environment: &[(String, String)],
    ) -> Vec<(String, String)> {
        variables_for(&Oracle::new(policy, scope), environment, &self.net)
    }

    fn holds_the_same(&self, new: &Plan) -> bool {
        let files = |own: &FilePlan| FilePlan { remembered: Vec::new(), ..own.clone() };
        let same_rules = |is_grant: bool| self.rules(is_grant) == new.rules(is_grant);
        files(&self.files) == files(&new.files)
            && (&self.cwd, self.exec, &self.net) == (&new.cwd, new.exec, &new.net)
            && (&self.sockets, &self.limits, &self.gaps) == (&new.sockets, &new.limits, &new.gaps)
            && same_rules(true)
            && same_rules(false)
    }

    fn is_within(&self, new: &Plan) -> bool {
        let exec = self.exec == new.exec || new.exec == ExecPlan::Free;
        self.cwd == new.cwd
            && exec
            && self.gaps == new.gaps
            && are_files_within(&self.files, &new.files)
            && is_net_within(&self.net, &new.net)
            && are_limits_within(&self.limits, &new.limits)
            && self.rules(true).is_subset(&new.rules(true))
            && new.rules(false).is_subset(&self.rules(false))
    }

    /// Returns the rules that grant, or all others, as far as the fence itself holds them. Where a rule
    /// stands in its file makes no difference.
    fn rules(&self, is_grant: bool) -> BTreeSet<(&str, &str, Vec<Mechanism>, Option<&str>)> {
        let is_judged_live = |own: &Mechanism| matches!(own, Mechanism::Gate | Mechanism::Proxy);
        let is_plans = |own: &&Held| own.by.is_empty() || !own.by.iter().all(is_judged_live);
        let grants = |own: &&Held| matches!(own.says, "allow" | "opt-in") == is_grant;
        let rules = self.held.iter().filter(is_plans).filter(grants);
        rules
            .map(|own| (own.says, own.rule.as_str(), own.by.clone(), own.note.as_deref()))
            .collect()
    }
}

fn are_files_within(old: &FilePlan, new: &FilePlan) -> bool {
    let is_granted = |own: &Tree| {
        let above = |tree: &&Tree| own.path.starts_with(&tree.path);
        new.trees.iter().filter(above).any(|tree| tree.rights.has(own.rights))
    };
    let all_in = |some: &[std::path::PathBuf], all: &[std::path::PathBuf]| {
        some.iter().all(|own| all.iter().any(|other| Path::new(own) == Path::new(other)))
    };
    old.judged == new.judged
        && old.private == new.private
        && old.mounts == new.mounts
        && old.trees.iter().all(is_granted)
        && all_in(&new.masks, &old.masks)
        && all_in(&new.blank, &old.blank)
        && all_in(&old.given, &new.given)
        && all_in(&old.passed, &new.passed)
}

fn is_net_within(old: &NetPlan, new: &NetPlan) -> bool {
    let all_in = |some: &[u16], all: &[u16]| some.iter().all(|port| all.contains(port));
    (old.proxy.is_none() || old.proxy == new.proxy)
        && (!old.resolver || new.resolver)
        && all_in(&old.carried, &new.carried)
        && all_in(&old.local, &new.local)
        && all_in(&old.published, &new.published)
}

fn are_limits_within(old: &Limits, new: &Limits) -> bool {
    let all = |own: &Limits| {
        [own.seconds, own.memory, own.processes, own.file_size, own.open_files, own.output]
    };
    let is_within = |(old, new): (Option<u64>, Option<u64>)| match (old, new) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(old), Some(new)) => old <= new,
    };
    all(old).into_iter().zip(all(new)).all(is_within)
}

#[cfg(test)]
#[path = "change_tests.rs"]
mod tests;
