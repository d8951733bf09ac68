//! Which role each word has, once all options are known.

use ringfence_core::program::{
    CatalogueEntry, ImpliedEffect, OperandRoles, OptionCondition, OptionSpec, ReplacedOperand,
    WordRole,
};
use ringfence_core::text::has_byte;
use smallvec::SmallVec;

use super::level::Levels;
use super::reader::Occurrence;
use super::seen::Seen;
use super::{Use, Uses, Words};

/// The roles of the operands, with what the options change about them.
pub(super) fn operands<'w>(levels: &Levels<'w>, seen: &Seen<'_>) -> Option<OperandRoles<'w>> {
    let inner = levels.inner();
    let changed = inner.when.iter().rev().filter(|when| when.operands.is_some());
    let changed = changed.into_iter().find(|when| holds(when, seen));
    let operands = changed.map_or(&inner.operands, |when| &when.operands);
    let mut operands = operands.as_ref()?.expected();
    let fills = |fills| seen.any(|option| option.fills == Some(fills));
    if fills(ReplacedOperand::First) {
        operands = operands.without_first();
    }
    if fills(ReplacedOperand::Last) {
        operands = operands.without_last();
    }
    Some(operands)
}

/// Of an option without a value whose role needs none: `--registry`, `doubt`.
static DOUBT: WordRole = WordRole::Doubt;
/// Of a value for which the catalogue has no word.
static TEXT: WordRole = WordRole::Text;

/// Adds the values of the options with their roles.
pub(super) fn options<'w>(
    levels: &Levels<'w>,
    seen: &Seen<'w>,
    occurrences: impl IntoIterator<Item = Occurrence<'w>>,
    uses: &mut Uses<'w>,
) {
    for Occurrence { option, written, values, at } in occurrences {
        let roles = roles_of(option, levels, seen);
        let is_doubt = values.is_empty() && roles.first() == Some(&WordRole::Doubt);
        // What a policy says besides is said of the first value.
        let first = values.first().filter(|_| !option.also.is_empty()).cloned();
        let mut add = |role, fields| {
            uses.push(Use { role: Some(role), fields, option: Some(written), at });
        };
        for (index, value) in values.into_iter().enumerate() {
            add(roles.get(index).or(roles.last()).unwrap_or(&TEXT), value);
        }
        if let Some(value) = first {
            option.also.iter().for_each(|role| add(role, value.clone()));
        }
        if is_doubt {
            add(&DOUBT, Words::default());
        }
    }
}

/// The roles of an option's values, with what other options change about them.
fn roles_of<'w>(own: &'w OptionSpec, levels: &Levels<'w>, seen: &Seen<'w>) -> &'w [WordRole] {
    let mut roles = &own.roles;
    for when in levels.entries.iter().flat_map(|entry| &entry.when) {
        let mut changed = when.options.iter().rev();
        let changed = changed.find(|it| it.spelling.shares_name(&own.spelling));
        if let Some(option) = changed.filter(|_| holds(when, seen)) {
            roles = &option.roles;
        }
    }
    roles
}

/// What is done although no word says it.
pub(super) fn given<'w>(
    levels: &Levels<'w>,
    seen: &Seen<'w>,
    without_operands: bool,
) -> SmallVec<[&'w ImpliedEffect; 2]> {
    let inner = levels.inner();
    let may_be = |entry: &&CatalogueEntry| !entry.always.is_empty();
    if inner.when.is_empty() && inner.default.is_empty() && !levels.entries.iter().any(may_be) {
        return SmallVec::new();
    }
    some_given(levels, seen, without_operands)
}

#[inline(never)]
fn some_given<'w>(
    levels: &Levels<'w>,
    seen: &Seen<'w>,
    without_operands: bool,
) -> SmallVec<[&'w ImpliedEffect; 2]> {
    let mut given = SmallVec::new();
    for entry in &levels.entries {
        given.extend(&entry.always);
    }
    let inner = levels.inner();
    let whens = || inner.when.iter().filter(|when| holds(when, seen));
    given.extend(whens().flat_map(|when| &when.always));
    if without_operands {
        let before = given.len();
        given.extend(whens().flat_map(|when| &when.default));
        if given.len() == before {
            given.extend(&inner.default);
        }
    }
    given
}

fn holds(when: &OptionCondition, seen: &Seen<'_>) -> bool {
    let has = |names: &[Box<str>]| names.iter().any(|name| is_there(name, seen));
    (when.has.is_empty() || has(&when.has)) && !has(&when.lacks)
}

/// Whether an option is there, or several where `&` stands between them: `-d&-f`.
fn is_there(name: &str, seen: &Seen<'_>) -> bool {
    seen.has(name) || has_byte(name, b'&') && name.split('&').all(|name| seen.has(name))
}
