//! Profiles whose rules are left for later.

use ringfence_core::judge::Listed;
use ringfence_core::{Class, Document, Role};

use crate::profiles::Profile;

/// Where the rules of a profile belong that were left out of a document.
#[derive(Debug, Clone, Copy)]
pub struct Gap {
    profile: Profile,
    /// How many rules of the document come before them, in each of its lists.
    rules: usize,
    danger: usize,
    dangerous: usize,
}

impl Gap {
    /// A document that is nothing but a profile, and the rules that it lacks.
    pub fn whole(profile: Profile, role: Role) -> (Document, Gap) {
        (profile.without_rules(role), Gap { profile, rules: 0, danger: 0, dangerous: 0 })
    }

    /// The same gap in a document that takes in the one that has it.
    pub(super) fn behind(self, document: &Document) -> Gap {
        let danger = document.danger.as_ref().map_or(0, Vec::len);
        Gap {
            profile: self.profile,
            rules: self.rules.saturating_add(document.rules.len()),
            danger: self.danger.saturating_add(danger),
            dangerous: self.dangerous.saturating_add(document.dangerous.len()),
        }
    }

    /// Adds those rules on some classes to a document that pass, by their patterns and by what
    /// they do in a decision; and every stance that the profile has.
    pub fn extract(
        &self,
        document: &mut Document,
        classes: &[Class],
        passes: impl FnMut(Listed<'_>) -> bool,
    ) {
        self.profile.extract(document, classes, passes);
    }
}

/// Puts all rules where they belong. The gaps are those of this document, in their order.
pub fn fill(document: &mut Document, gaps: &[Gap]) {
    fill_by(document, gaps, |gap, role| gap.profile.document(role));
}

/// Puts those rules where they belong that pass, as [`Gap::extract`] takes them.
pub fn fill_where(
    document: &mut Document,
    gaps: &[Gap],
    classes: &[Class],
    mut passes: impl FnMut(Listed<'_>) -> bool,
) {
    fill_by(document, gaps, |gap, role| {
        let mut profile = gap.profile.without_rules(role);
        gap.extract(&mut profile, classes, &mut passes);
        profile
    });
}

fn fill_by(document: &mut Document, gaps: &[Gap], mut read: impl FnMut(&Gap, Role) -> Document) {
    let (mut rules, mut danger, mut dangerous) = (0usize, 0usize, 0usize);
    for gap in gaps {
        let profile = read(gap, document.role);
        document.stances.extend(profile.stances);
        put(&mut document.rules, gap.rules, profile.rules, &mut rules);
        put(&mut document.dangerous, gap.dangerous, profile.dangerous, &mut dangerous);
        if let Some(opt_ins) = profile.danger {
            let own = document.danger.get_or_insert_default();
            put(own, gap.danger, opt_ins, &mut danger);
        }
    }
}

/// Puts items behind so many of a list's own; `added` counts what was put into it so far.
fn put<T>(list: &mut Vec<T>, behind: usize, items: Vec<T>, added: &mut usize) {
    let at = behind.saturating_add(*added).min(list.len());
    *added = added.saturating_add(items.len());
    match at == list.len() {
        true => list.extend(items),
        false => drop(list.splice(at..at, items)),
    }
}

#[cfg(test)]
#[path = "gap_tests.rs"]
mod tests;
