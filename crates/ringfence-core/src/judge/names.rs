//! What has more than one name.
//!
//! A directory that is mounted at two places is seen under two paths, and no rule is matched against
//! both. A rule that can speak of a path by its own name is judged by that name; one that speaks
//! only of the other name holds as well.

use super::compile::Policy;
use super::path_set::PathSet;
use super::places::RulePlace;
use crate::access::{Access, What};
use crate::effect::Effect;
use crate::path::AbsPath;
use crate::rule::Rule;

impl Policy {
    /// Whether a rule stands against an access to a file or a socket, of those that say nothing of
    /// another name that the same thing has. That nothing grants it by the first name is no rule.
    pub fn objects_by_name(&self, access: &Access, other: &AbsPath) -> bool {
        let verdict = self.decide(access);
        let objects = verdict.effect != Effect::Allow;
        let mut rules = verdict.decisive().filter_map(|ground| ground.rule());
        objects && rules.any(|rule| !self.speaks_of(access, rule, other))
    }

    /// Whether one of the places of a rule takes a path, exceptions or not.
    fn speaks_of(&self, access: &Access, rule: &Rule, path: &AbsPath) -> bool {
        let mut set = PathSet::new(self.path_rules);
        let own = |place: &RulePlace<'_>| std::ptr::eq(place.rule, rule);
        match access.what {
            What::Socket(_) => {
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
#[path = "names_tests.rs"]
mod tests;
