//! The options that a command has.

use std::collections::BTreeSet;

use ringfence_core::program::OptionSpec;
use smallvec::SmallVec;

/// The names of the options that were met.
///
/// A question costs the same however often an option stands in the line: of those that the catalogue
/// lists each is kept once, the others lie in a set.
#[derive(Debug, Clone, Default)]
pub struct Seen<'w> {
    listed: SmallVec<[&'w OptionSpec; 4]>,
    // Apart, because hardly any command has them.
    others: Option<BTreeSet<Box<str>>>,
}

impl<'w> Seen<'w> {
    /// Whether an option of this name is there.
    pub fn has(&self, name: &str) -> bool {
        self.listed.iter().any(|own| own.spelling.has(name))
            || self.others.as_ref().is_some_and(|others| others.contains(name))
    }

    /// Whether an option is there that the program's entry does not have.
    pub(crate) fn has_unlisted(&self) -> bool {
        self.others.is_some()
    }

    pub(super) fn add(&mut self, option: &'w OptionSpec) {
        if !self.listed.iter().any(|own| std::ptr::eq(*own, option)) {
            self.listed.push(option);
        }
    }

    pub(super) fn add_unlisted(&mut self, name: &str) {
        let others = self.others.get_or_insert_default();
        if !others.contains(name) {
            others.insert(name.into());
        }
    }

    /// Whether one of them takes a place among the operands.
    pub(super) fn any(&self, is: impl Fn(&OptionSpec) -> bool) -> bool {
        self.listed.iter().any(|own| is(own))
    }
}
