//! What is known about programs: the catalogue, and what a policy adds to it.

use std::sync::Arc;

use ringfence_core::program::{Catalogue, Entry, Role};
use ringfence_core::{Policy, ProgramEntry};
use ringfence_manifest::catalogue::BuiltIn;

/// The catalogue with what a policy adds to it.
#[derive(Debug, Clone, Copy)]
pub struct Programs<'p> {
    own: &'p [ProgramEntry],
}

impl<'p> Programs<'p> {
    /// What is known where this policy is in force.
    pub fn of(policy: &'p Policy) -> Programs<'p> {
        Programs { own: policy.programs() }
    }
}

impl Catalogue for Programs<'_> {
    fn entry(&self, name: &str) -> Option<Arc<Entry>> {
        let known = BuiltIn::shared().entry(name);
        let is_named = |entry: &&ProgramEntry| {
            *entry.entry.name == *name || entry.entry.names.iter().any(|own| **own == *name)
        };
        let mut own = self.own.iter().filter(is_named).peekable();
        if own.peek().is_none() {
            return known;
        }
        let mut entry = known.map(|known| Entry::clone(&known));
        for program in own {
            match &mut entry {
                Some(entry) if !program.replace => entry.extend(&program.entry),
                entry => *entry = Some(Entry::clone(&program.entry)),
            }
        }
        entry.map(Arc::new)
    }

    fn variable(&self, name: &str) -> Option<Role> {
        BuiltIn::shared().variable(name)
    }
}
