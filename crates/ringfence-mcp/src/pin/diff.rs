//! The difference between two definitions, for people.

use ringfence_guard::redact::visible;
use serde_json::Value;

/// A line of the difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// The place whose lines follow.
    At(String),
    /// A line that was there.
    Gone(String),
    /// A line that is there now.
    New(String),
}

/// Texts of more lines than this are shown whole, old and new.
const MOST_LINES: usize = 200;

/// What changed from one definition to the next; all of it where there was none. What hides is
/// written out.
pub fn diff(old: Option<&Value>, new: &Value) -> Vec<Change> {
    let mut changes = Vec::new();
    compare("", old, Some(new), &mut changes);
    changes
}

fn compare(place: &str, old: Option<&Value>, new: Option<&Value>, changes: &mut Vec<Change>) {
    if old == new {
        return;
    }
    let fields = |value: Option<&Value>| value.map(|own| own.as_object().is_some());
    let are_objects = fields(old) != Some(false) && fields(new) != Some(false);
    if are_objects && has_fields(old, new) {
        let keys = |value: Option<&Value>| -> Vec<String> {
            let fields = value.and_then(Value::as_object).into_iter().flatten();
            fields.map(|(key, _)| key.clone()).collect()
        };
        let mut all = keys(old);
        let added: Vec<String> = keys(new).into_iter().filter(|key| !all.contains(key)).collect();
        all.extend(added);
        for key in all {
            let inner = match place {
                "" => visible(&key).into_owned(),
                place => format!("{place}.{}", visible(&key)),
            };
            let of = |value: Option<&Value>| value.and_then(|own| own.get(&key)).cloned();
            compare(&inner, of(old).as_ref(), of(new).as_ref(), changes);
        }
        return;
    }
    changes.push(Change::At(place.to_owned()));
    let (old, new) = (lines(old), lines(new));
    lines_between(&old, &new, changes);
}

fn has_fields(old: Option<&Value>, new: Option<&Value>) -> bool {
    let has = |value: Option<&Value>| {
        value.and_then(Value::as_object).is_some_and(|fields| !fields.is_empty())
    };
    has(old) || has(new)
}

fn lines(value: Option<&Value>) -> Vec<String> {
    match value {
        None => Vec::new(),
        Some(Value::String(text)) => {
            text.split('\n').map(|line| visible(line).into_owned()).collect()
        }
        Some(other) => vec![visible(&other.to_string()).into_owned()],
    }
}

/// The lines that only one of both has, in their order.
fn lines_between(old: &[String], new: &[String], changes: &mut Vec<Change>) {
    let gone = |line: &String| Change::Gone(line.clone());
    let added = |line: &String| Change::New(line.clone());
    if old.len() > MOST_LINES || new.len() > MOST_LINES {
        changes.extend(old.iter().map(gone).chain(new.iter().map(added)));
        return;
    }
    let (mut old, mut new) = (old, new);
    while let (Some((first, old_rest)), Some((other, new_rest))) =
        (old.split_first(), new.split_first())
    {
        if first == other {
            (old, new) = (old_rest, new_rest);
        } else if common(old_rest, new) >= common(old, new_rest) {
            changes.push(gone(first));
            old = old_rest;
        } else {
            changes.push(added(other));
            new = new_rest;
        }
    }
    changes.extend(old.iter().map(gone).chain(new.iter().map(added)));
}

/// How many lines two texts have in common, in their order.
fn common(old: &[String], new: &[String]) -> usize {
    let mut row = vec![0_usize; new.len().saturating_add(1)];
    for line in old {
        let mut diagonal = 0_usize;
        let mut left = 0_usize;
        for (other, cell) in new.iter().zip(row.iter_mut().skip(1)) {
            let above = *cell;
            *cell = if line == other { diagonal.saturating_add(1) } else { above.max(left) };
            (diagonal, left) = (above, *cell);
        }
    }
    row.last().copied().unwrap_or(0)
}
