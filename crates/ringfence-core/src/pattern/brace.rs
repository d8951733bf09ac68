//! Alternatives: `{a,b}` becomes several texts.

use super::MAX_ALTERNATIVES;
use super::error::PatternError;

/// Every text that the braces of this one stand for.
///
/// Braces without a comma (`{}`, `{x}`, `${VAR}`) are plain text, as in a shell.
pub fn expand(text: &str) -> Result<Vec<String>, PatternError> {
    if !text.contains('{') {
        return Ok(vec![text.to_owned()]);
    }
    let mut done = Vec::new();
    let mut open = vec![text.to_owned()];
    while let Some(next) = open.pop() {
        match first_group(&next) {
            None => done.push(next),
            Some(group) => {
                for choice in group.choices.iter().rev() {
                    open.push(format!("{}{choice}{}", group.before, group.after));
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

struct Group {
    before: String,
    choices: Vec<String>,
    after: String,
}

/// The first group of alternatives from the left, if there is one.
fn first_group(text: &str) -> Option<Group> {
    let chars: Vec<char> = text.chars().collect();
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        match c {
            '\\' => at = at.saturating_add(2),
            '$' if chars.get(at.saturating_add(1)) == Some(&'{') => at = at.saturating_add(2),
            '{' => match group_at(&chars, at) {
                Some(group) => return Some(group),
                None => at = at.saturating_add(1),
            },
            _ => at = at.saturating_add(1),
        }
    }
    None
}

fn group_at(chars: &[char], open: usize) -> Option<Group> {
    let mut choices = vec![String::new()];
    let mut depth = 0usize;
    let mut at = open.saturating_add(1);
    loop {
        let c = *chars.get(at)?;
        match c {
            '\\' => {
                choices.last_mut()?.extend([c, *chars.get(at.saturating_add(1))?]);
                at = at.saturating_add(2);
                continue;
            }
            '}' if depth == 0 => break,
            ',' if depth == 0 => choices.push(String::new()),
            _ => {
                match c {
                    '{' => depth = depth.saturating_add(1),
                    '}' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                choices.last_mut()?.push(c);
            }
        }
        at = at.saturating_add(1);
    }
    (choices.len() > 1).then(|| Group {
        before: chars.iter().take(open).collect(),
        choices,
        after: chars.iter().skip(at.saturating_add(1)).collect(),
    })
}
