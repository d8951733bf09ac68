//! Which role each word has, once all options are known.

use std::borrow::Cow;
use std::sync::Arc;

use ringfence_core::program::{Fills, Given, Operands, Role, When};

use super::level::Levels;
use super::reader::Occurrence;
use super::seen::Seen;
use super::{Use, Words};

/// The roles of the operands, with what the options change about them.
pub(super) fn operands<'l>(levels: &'l Levels, seen: &Seen) -> Option<Cow<'l, Operands>> {
    let inner = levels.inner();
    let changed = inner.when.iter().rev().filter(|when| when.operands.is_some());
    let changed = changed.into_iter().find(|when| holds(when, seen));
    let operands = changed.map_or(&inner.operands, |when| &when.operands);
    let mut operands = Cow::Borrowed(operands.as_ref()?);
    let fills = |fills| seen.any(|option| option.fills == Some(fills));
    if fills(Fills::First) {
        operands = Cow::Owned(operands.into_owned().without_first());
    }
    if fills(Fills::Last) {
        operands = Cow::Owned(operands.into_owned().without_last());
    }
    Some(operands)
}

/// The values of the options with their roles.
pub(super) fn options(levels: &Levels, seen: &Seen, occurrences: &[Occurrence]) -> Vec<Use> {
    let mut uses = Vec::new();
    for own in occurrences {
        let mut roles = &own.option.roles;
        for entry in &levels.entries {
            let whens = entry.when.iter().filter(|when| holds(when, seen));
            let changed = whens.flat_map(|when| &when.options);
            for option in changed.filter(|it| it.spelling.shares_name(&own.option.spelling)) {
                roles = &option.roles;
            }
        }
        let each = own.values.iter().enumerate().map(|(index, value)| {
            let role = roles.get(index).or(roles.last()).cloned().unwrap_or(Role::Text);
            (role, value)
        });
        // What a policy says besides is said of the first value.
        let also = own.option.also.iter().cloned().zip(own.values.iter().take(1).cycle());
        for (role, value) in each.chain(also) {
            uses.push(Use {
                role: Some(role),
                fields: value.clone(),
                option: Some(Arc::clone(&own.written)),
                at: own.at,
            });
        }
        // An option without a value whose role needs none: `--registry`, `doubt`.
        if own.values.is_empty() && roles.first().is_some_and(|role| *role == Role::Doubt) {
            uses.push(Use {
                role: Some(Role::Doubt),
                fields: Words::new(),
                option: Some(Arc::clone(&own.written)),
                at: own.at,
            });
        }
    }
    uses
}

/// What is done although no word says it.
pub(super) fn given(levels: &Levels, seen: &Seen, without_operands: bool) -> Vec<Given> {
    let mut given = Vec::new();
    for entry in &levels.entries {
        given.extend(entry.always.iter().cloned());
    }
    let inner = levels.inner();
    let whens = || inner.when.iter().filter(|when| holds(when, seen));
    given.extend(whens().flat_map(|when| when.always.iter().cloned()));
    if without_operands {
        let own: Vec<&Given> = whens().flat_map(|when| &when.default).collect();
        match own.is_empty() {
            true => given.extend(inner.default.iter().cloned()),
            false => given.extend(own.into_iter().cloned()),
        }
    }
    given
}

fn holds(when: &When, seen: &Seen) -> bool {
    let has = |names: &[Box<str>]| names.iter().any(|name| seen.has(name));
    (when.has.is_empty() || has(&when.has)) && !has(&when.lacks)
}
