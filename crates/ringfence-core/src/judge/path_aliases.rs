//! Files with two paths, such as a directory that is mounted twice.
//!
//! A rule that matches the other path as well is decided there. A rule that matches only this path
//! must be applied here.

use super::compile::Policy;
use super::path_set::PathSet;
use super::rule_places::RulePlace;
use crate::access::{Access, AccessKind};
use crate::effect::Effect;
use crate::path::AbsPath;
use crate::rule::Rule;

impl Policy {
    /// Returns whether some rule forbids or questions this access and does not match the other path
    /// of the same file. A missing grant does not count as such a rule.
    pub fn forbids_under_this_name_only(&self, access: &Access, other: &AbsPath) -> bool {
        let verdict = self.decide(access);
        let objects = verdict.effect != Effect::Allow;
        let mut rules = verdict.decisive().filter_map(|ground| ground.rule());
        objects && rules.any(|rule| !self.matches_path(access, rule, other))
    }

    /// Returns whether the rule's pattern matches a path, without regard to exceptions.
    fn matches_path(&self, access: &Access, rule: &Rule, path: &AbsPath) -> bool {
        let mut set = PathSet::new(self.path_rules);
        let own = |place: &RulePlace<'_>| std::ptr::eq(place.rule, rule);
        match access.what {
            AccessKind::Socket(_) => {
                self.socket_places(access).filter(own).for_each(|own| own.add_to(&mut set));
            }
            _ => self.file_places(access).filter(own).for_each(|own| own.add_to(&mut set)),
        }
        set.matches(&set.at(path))
    }
}

impl RulePlace<'_> {
    fn add_to(&self, set: &mut PathSet) {
        set.add(&self.literal, self.rest);
    }
}

#[cfg(test)]
#[path = "path_aliases_tests.rs"]
mod tests;
