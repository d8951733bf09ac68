//! Lists of tools, prompts and resources, without what is denied.

use std::borrow::Cow;

use crate::method::Listed;
use crate::object::{Object, Raw};

/// The list without the entries that `hides` names; `None` if it can stay as it is.
///
/// What stays is passed on as it was written. An entry that cannot be read is hidden: whoever
/// reads it otherwise might call what was not judged by that name.
pub(crate) fn without(
    result: Raw<'_>,
    listed: Listed,
    mut hides: impl FnMut(&str, Raw<'_>) -> bool,
) -> Result<Option<String>, String> {
    let fields = Object::read(result.get())?;
    if fields.lookalike(&[listed.list]).is_some() {
        return Err("a key is spelt in another way".to_owned());
    }
    let Some(raw) = fields.get(listed.list) else { return Ok(None) };
    let entries: Vec<Raw<'_>> =
        serde_json::from_str(raw.get()).map_err(|error| error.to_string())?;
    let count = entries.len();
    let shown: Vec<&str> = entries
        .into_iter()
        .filter(|entry| name_of(*entry, listed.name).is_some_and(|name| !hides(&name, *entry)))
        .map(Raw::get)
        .collect();
    if shown.len() == count {
        return Ok(None);
    }
    Ok(Some(fields.with(listed.list, &format!("[{}]", shown.join(",")))))
}

fn name_of<'a>(entry: Raw<'a>, key: &str) -> Option<Cow<'a, str>> {
    let entry = Object::read(entry.get()).ok()?;
    if entry.lookalike(&[key]).is_some() {
        return None;
    }
    entry.text(key)
}
