//! Packages that are fetched and run, with a version behind their name: `npx eslint@9`.
//!
//! Whoever grants the package grants each of its versions; who grants one of them names it.

use ringfence_core::access::{Arg, WordMeaning};
use ringfence_core::program::{Habit, WordRole};

use crate::argv::Reading;
use crate::field::Field;

/// Whether what a command runs is a package.
pub(super) fn runs_packages(reading: &Reading<'_>) -> bool {
    let entry = reading.entries.last();
    entry.is_some_and(|entry| entry.habits.contains(&Habit::Versions))
}

/// The words of a command that is a package, by its name alone.
#[cold]
pub(super) fn of_package(mut fields: Vec<Field>) -> Vec<Field> {
    if let Some(first) = fields.first_mut()
        && let Some(name) = first.as_known().and_then(without_version)
    {
        *first = Field::known(name, first.span);
    }
    fields
}

/// Gives the word of a package its other name as well.
#[cold]
pub(super) fn name_package(reading: &Reading<'_>, meant: &mut [WordMeaning]) {
    let commands = reading.uses.iter().filter(|own| matches!(own.role, Some(WordRole::Command(_))));
    let words = commands.filter_map(|own| own.fields.first()).filter_map(Field::as_known);
    for word in words {
        let Some(name) = without_version(word) else { continue };
        let is_it = |own: &&mut WordMeaning| match own {
            WordMeaning::Word(text) | WordMeaning::Value(Arg::Known(text)) => **text == *word,
            _ => false,
        };
        if let Some(own) = meant.iter_mut().find(is_it) {
            *own = WordMeaning::OneOf([word.into(), name.into()].into());
        }
    }
}

/// The name of a package without the version or tag behind it; nothing where there is none, or where
/// that says where else the package comes from (`x@npm:evil`, `x@https://evil.example/y.tgz`).
fn without_version(word: &str) -> Option<&str> {
    let (name, version) = word.rsplit_once('@').filter(|(name, _)| !name.is_empty())?;
    let is_version = !version.is_empty()
        && version.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-+^~*_".contains(&byte));
    let is_part = |part: &str| {
        let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
        !part.is_empty() && !part.starts_with('.') && part.bytes().all(is_sign)
    };
    let is_name = match name.strip_prefix('@') {
        Some(scoped) => scoped.split_once('/').is_some_and(|(a, b)| is_part(a) && is_part(b)),
        None => is_part(name),
    };
    (is_version && is_name).then_some(name)
}

#[cfg(test)]
#[path = "versions_tests.rs"]
mod tests;
