//! Arguments that name nothing, told from their text.
//!
//! They are walked through as [`find`](super::arguments::find) does it, and what their keys and texts
//! say is told by the same functions. Whatever is not plain is left to it.

use super::arguments::{Finder, may_hold_more};
use super::key::Key;
use super::tool_commands::is_command_key;
use crate::scan::Scan;

/// Whether these arguments can be read, and surely name no path, URL, patch or command: the tool alone counts.
pub(crate) fn names_nothing(arguments: &str) -> bool {
    let mut walk = Walk { scan: Scan::new(arguments), finder: Finder::default() };
    let is_object = walk.scan.peek() == Some(b'{');
    is_object && walk.value(None, 0).is_some() && walk.scan.is_done()
}

/// Deeper arguments, objects with more keys and longer numbers are left to a full reader.
const DEEPEST: usize = 8;
const MOST_KEYS: usize = 16;
const LONGEST_NUMBER: usize = 15;

struct Walk<'a> {
    scan: Scan<'a>,
    finder: Finder<'a, 'a>,
}

impl Walk<'_> {
    fn value(&mut self, key: Option<&Key>, depth: usize) -> Option<()> {
        if depth > DEEPEST {
            return None;
        }
        match self.scan.peek()? {
            b'{' => self.object(key, depth.saturating_add(1)),
            b'[' => self.list(key, depth.saturating_add(1)),
            b'"' => {
                let text = self.scan.plain()?;
                self.finder.add(key, text).ok()?;
                (self.finder.found.is_empty() && !may_hold_more(key, text)).then_some(())
            }
            first => {
                let text = self.scan.value()?;
                let is_number = !matches!(first, b't' | b'f' | b'n');
                // One that is too large to be read makes all of it unreadable.
                let is_odd = text.len() > LONGEST_NUMBER || text.contains(['e', 'E']);
                let must_be_text = key.is_some_and(Key::must_be_text) && first != b'n';
                let is_unsure = must_be_text || is_number && is_odd;
                (!is_unsure).then_some(())
            }
        }
    }

    fn object(&mut self, above: Option<&Key>, depth: usize) -> Option<()> {
        self.scan.take(b'{')?;
        if self.scan.take(b'}').is_some() {
            return Some(());
        }
        let mut keys = [""; MOST_KEYS];
        for count in 0..MOST_KEYS {
            let name = self.scan.key()?;
            if keys.iter().take(count).any(|own| *own == name) {
                return None;
            }
            *keys.get_mut(count)? = name;
            self.finder.name(above, name).ok()?;
            if !self.finder.found.is_empty() || is_command_key(name) {
                return None;
            }
            self.value(Some(&Key::new(name, &[])), depth)?;
            if self.scan.take(b',').is_none() {
                return self.scan.take(b'}');
            }
        }
        None
    }

    fn list(&mut self, key: Option<&Key>, depth: usize) -> Option<()> {
        self.scan.take(b'[')?;
        if self.scan.take(b']').is_some() {
            return Some(());
        }
        loop {
            self.value(key, depth)?;
            if self.scan.take(b',').is_none() {
                return self.scan.take(b']');
            }
        }
    }
}

#[cfg(test)]
#[path = "nothing_tests.rs"]
mod tests;
