//! Patterns of file names, as far as the host can tell what they become.

use ringfence_core::host::FileEntry;
use ringfence_core::path::{AbsPath, Follow, resolve_literal};

use super::Walker;
use super::state::Directories;
use crate::argv::Reading;
use crate::field::Field;
use crate::span::Span;

/// So many names are looked at one by one.
const MOST: usize = 512;
/// How deep the commands of the line itself are nested, in none of its loops and functions.
const OUTERMOST: usize = 2;

/// What a shell was told of patterns. It is never taken back: more names are judged then, not fewer.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Globs {
    /// `globstar`: whether `**` crosses directories.
    pub(super) deep: bool,
    /// `dotglob`: whether names that begin with a dot are taken in by a star.
    pub(super) hidden: bool,
}

impl Walker<'_> {
    /// `shopt -s globstar dotglob`. In a loop or a function the patterns before it may be meant as well,
    /// which were looked at already.
    #[cold]
    pub(super) fn shopt(&mut self, reading: &Reading<'_>, operands: &[Field], span: Span) {
        let named = |name: &str| operands.iter().any(|field| field.as_known() == Some(name));
        let (deep, hidden) = (named("globstar"), named("dotglob"));
        if !reading.has("-s") || !(deep || hidden) {
            return;
        }
        self.globs.deep |= deep;
        self.globs.hidden |= hidden;
        if self.nesting > OUTERMOST {
            let reason = "what patterns take in is changed in the middle of the line";
            self.unanalysable(reason, Some(span));
        }
    }
}

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
            let hidden =
                child.starts_with('.') && !component.starts_with('.') && !self.globs.hidden;
            if !hidden
                && matches(component, &child)
                && let Ok(path) = directory.child(&child)
            {
                next.push((path, join(&child)));
            }
        }
        // Without the shell's setting `**` matches one level; with it, that and all others.
        if component == "**" && self.globs.deep {
            self.below((directory, name), absolute, next);
        }
    }

    /// All that lies below a directory, and the directory itself; links are not followed.
    #[cold]
    fn below(
        &mut self,
        (directory, name): (&AbsPath, &str),
        absolute: bool,
        next: &mut Vec<(AbsPath, String)>,
    ) {
        let mut open = vec![(directory.clone(), name.to_owned())];
        next.extend(open.iter().cloned());
        while let Some((directory, name)) = open.pop() {
            let children = self.world.host().list(&directory).unwrap_or_default();
            if !self.spend(children.len()) || next.len() > MOST {
                return;
            }
            for child in children {
                let hidden = child.starts_with('.') && !self.globs.hidden;
                let Ok(path) = directory.child(&child) else { continue };
                if hidden {
                    continue;
                }
                let whole = match (name.is_empty(), absolute) {
                    (true, true) => format!("/{child}"),
                    (true, false) => child.to_string(),
                    (false, _) => format!("{name}/{child}"),
                };
                if self.world.host().entry(&path) == FileEntry::Dir {
                    open.push((path.clone(), whole.clone()));
                }
                next.push((path, whole));
            }
        }
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
