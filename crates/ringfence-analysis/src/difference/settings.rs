//! Differences between the settings of two versions.

use ringfence_core::{Document, Effect, Settings};

use super::Direction::{self, Narrows, Widens};

/// Tells every setting that differs. What cannot be called stricter counts as widening.
pub(super) fn compare(
    before: &[&Document],
    after: &[&Document],
    tell: &mut impl FnMut(Direction, String, Option<&str>),
) {
    let of = |documents: &[&Document]| {
        let all = documents.iter().map(|own| &own.settings);
        all.fold(Settings::default(), |met, own| met.meet(own))
    };
    let (before, after) = (of(before), of(after));
    if before == after {
        return;
    }
    let mut is_told = false;
    for (name, read) in READERS {
        let (was, is) = (read(&before), read(&after));
        if was != is {
            is_told = true;
            let direction = if is == Some(DENY.to_owned()) { Narrows } else { Widens };
            tell(direction, change(name, was, is), None);
        }
    }
    if !is_told {
        tell(Widens, "changes its other settings".to_owned(), None);
    }
}

const DENY: &str = "deny";

/// Returns a setting in words, if it is set.
type Reader = fn(&Settings) -> Option<String>;

const READERS: [(&str, Reader); 9] = [
    ("unanalysable", |own| own.unanalysable.map(effect)),
    ("unknown_operands", |own| own.unknown_operands.map(effect)),
    ("reveal_roots", |own| own.reveal_roots.map(|own| own.to_string())),
    ("allow_metacharacters", |own| own.allow_metacharacters.map(|own| own.to_string())),
    ("mode", |own| own.mode.map(|own| format!("{own:?}").to_lowercase())),
    ("dangerously_grant", |own| {
        let all: Vec<&str> = own.dangerously_grant.iter().map(String::as_str).collect();
        (!all.is_empty()).then(|| all.join(", "))
    }),
    ("children", |own| own.children.map(|own| format!("{own:?}").to_lowercase())),
    ("wait", |own| own.hooks.wait.map(|own| own.to_string())),
    ("unlisted", |own| own.hooks.unlisted.map(|own| format!("{own:?}").to_lowercase())),
];

fn effect(own: Effect) -> String {
    own.as_str().to_owned()
}

fn change(name: &str, was: Option<String>, is: Option<String>) -> String {
    match (was, is) {
        (Some(was), Some(is)) => format!("sets `{name}` to {is} (was {was})"),
        (None, Some(is)) => format!("sets `{name}` to {is}"),
        (Some(was), None) => format!("no longer sets `{name}` (was {was})"),
        (None, None) => format!("changes `{name}`"),
    }
}
