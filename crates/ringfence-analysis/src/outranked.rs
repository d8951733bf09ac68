//! Ask rules that an allow rule of another document outranks, because both count as one document.

use ringfence_core::{Document, Effect, Rule};

use crate::lint::outranks;

/// An ask rule, and an allow rule that takes part of its accesses away.
#[derive(Debug, Clone, Copy)]
pub struct OutrankedAsk<'a> {
    /// The ask rule.
    pub ask: &'a Rule,
    /// The allow rule that outranks it.
    pub allow: &'a Rule,
}

/// Returns the ask rules of `own` that the allow rules of `other` outrank, each with the first allow
/// rule that does.
///
/// An access that both match was asked about, and is allowed once `other` is in force.
pub fn outranked_asks<'a>(own: &'a [Document], other: &'a Document) -> Vec<OutrankedAsk<'a>> {
    let allows = || other.rules.iter().filter(|rule| rule.effect == Effect::Allow);
    let asks = own.iter().flat_map(|document| &document.rules);
    let asks = asks.filter(|rule| rule.effect == Effect::Ask);
    asks.filter_map(|ask| {
        allows().find(|allow| outranks(allow, ask)).map(|allow| OutrankedAsk { ask, allow })
    })
    .collect()
}

#[cfg(test)]
#[path = "outranked_tests.rs"]
mod tests;
