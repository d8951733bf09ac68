//! Flat and nested lists in one document: what is granted is what both grant.

use std::collections::BTreeSet;

use ringfence_core::Class;

use super::lists::Side;

/// What is granted, and what narrows it.
///
/// In a class that only one side lists, its rules are grants. In a class that both list, the flat
/// rules are grants and the nested ones a ceiling: a side that says nothing objects to nothing.
pub(super) fn meet(flat: Side, nested: Side) -> (Side, Side) {
    let of_rules = flat.rules.iter().map(|rule| rule.pattern.class());
    let of_stances = flat.stances.iter().map(|stance| stance.class);
    let in_flat: BTreeSet<Class> = of_rules.chain(of_stances).collect();

    let mut grants = flat;
    let mut narrows = Side::default();
    for rule in nested.rules {
        let narrow = in_flat.contains(&rule.pattern.class());
        if narrow { &mut narrows.rules } else { &mut grants.rules }.push(rule);
    }
    for stance in nested.stances {
        let narrow = in_flat.contains(&stance.class);
        if narrow { &mut narrows.stances } else { &mut grants.stances }.push(stance);
    }
    grants.fallback.extend(nested.fallback);
    (grants, narrows)
}
