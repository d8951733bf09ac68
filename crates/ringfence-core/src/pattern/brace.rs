//! Expansion of braces: `{a,b}` becomes several texts.

use super::MAX_ALTERNATIVES;
use super::error::PatternError;

/// Returns every text that the braces of a text expand to.
///
/// Braces without a comma (`{}`, `{x}`, `${VAR}`) are plain text, as in a shell.
pub fn expand(text: &str) -> Result<Vec<String>, PatternError> {
    let mut done = Vec::new();
    // Each text to expand, with the byte position where the search for the next group starts.
    let mut open = vec![(text.to_owned(), 0)];
    while let Some((next, from)) = open.pop() {
        match first_group(&next, from) {
            None => done.push(next),
            Some(Group { before, choices, after }) => {
                for choice in choices.iter().rev() {
                    open.push(([before, choice, after].concat(), before.len()));
                }
            }
        }
        if open.len().saturating_add(done.len()) > MAX_ALTERNATIVES {
            let reason = format!("has more than {MAX_ALTERNATIVES} alternatives");
            return Err(PatternError::new(text, reason));
        }
    }
    Ok(done)
}

struct Group<'t> {
    before: &'t str,
    choices: Vec<&'t str>,
    after: &'t str,
}

/// Returns the first brace group at or after a byte position. Only ASCII bytes matter, so every cut
/// is at a character boundary.
fn first_group(text: &str, from: usize) -> Option<Group<'_>> {
    let bytes = text.as_bytes();
    let mut at = from;
    while let Some(byte) = bytes.get(at) {
        let step = match byte {
            b'\\' => 2,
            b'$' if bytes.get(at.saturating_add(1)) == Some(&b'{') => 2,
            b'{' => match group_at(text, at) {
                Some(group) => return Some(group),
                None => 1,
            },
            _ => 1,
        };
        at = at.saturating_add(step);
    }
    None
}

/// Returns the group that the brace at this position opens, if it contains a comma.
fn group_at(text: &str, open: usize) -> Option<Group<'_>> {
    let bytes = text.as_bytes();
    let mut choices = Vec::new();
    let mut depth = 0usize;
    let mut at = open.saturating_add(1);
    let mut begun = at;
    loop {
        match bytes.get(at)? {
            b'\\' => {
                bytes.get(at.saturating_add(1))?;
                at = at.saturating_add(1);
            }
            b'}' if depth == 0 => break,
            b',' if depth == 0 => {
                choices.push(text.get(begun..at)?);
                begun = at.saturating_add(1);
            }
            b'{' => depth = depth.saturating_add(1),
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at = at.saturating_add(1);
    }
    if choices.is_empty() {
        return None;
    }
    choices.push(text.get(begun..at)?);
    let after = text.get(at.saturating_add(1)..)?;
    Some(Group { before: text.get(..open)?, choices, after })
}

#[cfg(test)]
#[path = "brace_tests.rs"]
mod tests;
