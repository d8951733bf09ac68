//! Patterns of file names, as far as the host can tell what they become.

use ringfence_core::path::{AbsPath, Follow, resolve_literal};

use super::Walker;
use super::state::Directories;
use crate::span::Span;

/// So many names are looked at one by one.
const MOST: usize = 512;

impl Walker<'_> {
    /// The names that a pattern becomes here, and itself, which it stays where nothing matches.
    pub(super) fn glob(&mut self, pattern: &str, span: Span) -> Vec<String> {
        let literal = unescape(pattern);
        let mut names = vec![literal];
        let absolute = pattern.starts_with('/');
        let starts: Directories = match absolute {
            true => [AbsPath::root()].into(),
            false => self.looked_in.as_ref().unwrap_or(&self.state.cwd).clone(),
        };
        for start in starts.iter() {
            let mut found = vec![(start.clone(), String::new())];
            let components: Vec<&str> =
                pattern.split('/').filter(|component| !component.is_empty()).collect();
            for component in components {
                let mut next = Vec::new();
                for (directory, name) in &found {
                    self.step(directory, name, component, absolute, &mut next);
                    if next.len() > MOST {
                        self.ask("a pattern stands for too many names", span);
                        return names;
                    }
                }
                found = next;
            }
            names.extend(found.into_iter().map(|(_, name)| name).filter(|name| !name.is_empty()));
        }
        names
    }

    fn step(
        &mut self,
        directory: &AbsPath,
        name: &str,
        component: &str,
        absolute: bool,
        next: &mut Vec<(AbsPath, String)>,
    ) {
        let join = |child: &str| match (name.is_empty(), absolute) {
            (true, true) => format!("/{child}"),
            (true, false) => child.to_owned(),
            (false, _) => format!("{name}/{child}"),
        };
        if !component.contains(['*', '?', '[']) {
            let child = unescape(component);
            if let Ok(path) = directory.join(&child) {
                next.push((path, join(&child)));
            }
            return;
        }
        // A name on the way may be a link.
        let host = self.world.host();
        let place = resolve_literal(host, directory.as_str(), directory, Follow::Final);
        let place = place.map_or_else(|_| directory.clone(), |path| path.real);
        let children = host.list(&place).unwrap_or_default();
        if !self.spend(children.len().saturating_mul(component.len())) {
            return;
        }
        for child in children {
            let hidden = child.starts_with('.') && !component.starts_with('.');
            if !hidden
                && matches(component, &child)
                && let Ok(path) = directory.child(&child)
            {
                next.push((path, join(&child)));
            }
        }
        // Whether `**` crosses directories is the shell's setting; it matches one level anyway.
    }
}

/// Whether a pattern of one component may match a name; in doubt it does.
fn matches(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    // Places of the pattern that are reached after each character of the name.
    let mut at = vec![false; pattern.len().saturating_add(1)];
    mark(&pattern, 0, &mut at);
    for character in &name {
        let mut next = vec![false; at.len()];
        for (place, reached) in at.iter().enumerate() {
            if *reached {
                advance(&pattern, place, *character, &mut next);
            }
        }
        at = next;
    }
    at.last().copied().unwrap_or_default()
}

/// Marks a place, and those behind stars that take nothing.
fn mark(pattern: &[char], mut place: usize, at: &mut [bool]) {
    loop {
        if let Some(mark) = at.get_mut(place) {
            *mark = true;
        }
        match pattern.get(place) {
            Some('*') => place = place.saturating_add(1),
            _ => return,
        }
    }
}

fn advance(pattern: &[char], place: usize, character: char, next: &mut [bool]) {
    let after = place.saturating_add(1);
    match pattern.get(place) {
        None => {}
        Some('*') => mark(pattern, place, next),
        Some('?') => mark(pattern, after, next),
        Some('[') => match class_end(pattern, place) {
            // Any class is taken to match: more names are judged, never fewer.
            Some(end) => mark(pattern, end, next),
            None if character == '[' => mark(pattern, after, next),
            None => {}
        },
        Some('\\') if pattern.get(after) == Some(&character) => {
            mark(pattern, after.saturating_add(1), next);
        }
        Some('\\') => {}
        Some(own) if *own == character => mark(pattern, after, next),
        Some(_) => {}
    }
}

/// The place behind the class that begins here.
fn class_end(pattern: &[char], place: usize) -> Option<usize> {
    let mut end = place.saturating_add(1);
    if matches!(pattern.get(end), Some('!' | '^')) {
        end = end.saturating_add(1);
    }
    // A bracket right at the beginning stands for itself.
    end = end.saturating_add(1);
    while let Some(character) = pattern.get(end) {
        end = end.saturating_add(1);
        if *character == ']' {
            return Some(end);
        }
    }
    None
}

/// A pattern as the text that it is where nothing matches.
fn unescape(pattern: &str) -> String {
    let mut text = String::with_capacity(pattern.len());
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => text.extend(characters.next()),
            other => text.push(other),
        }
    }
    text
}

#[cfg(test)]
#[path = "globs_tests.rs"]
mod tests;
