//! Known endings of otherwise unknown file names.

/// The known end of an unknown file name, such as `.pyc` for a file that `*.pyc` matches.
///
/// The end may be shorter than what is known, but never longer. A name that does not fit is surely
/// not the file's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct NameEnd {
    /// The last characters in reading order; [`ANY`] marks an unknown one.
    text: [u8; LONGEST],
    length: u8,
}

/// The largest number of characters that are stored.
const LONGEST: usize = 15;
/// The mark for any one character. No file name contains it.
const ANY: u8 = b'/';

impl NameEnd {
    /// Returns the end of every name that a shell pattern matches, at most back to its last slash.
    pub fn of_pattern(pattern: &str) -> NameEnd {
        let mut end = NameEnd::default();
        let mut rest = pattern;
        while let Some(last) = rest.bytes().next_back().filter(|_| !end.is_full()) {
            let known = match last {
                b'?' => ANY,
                // A bracket expression is one character, if its start is unambiguous.
                b']' => match rest.strip_suffix(']').and_then(|own| own.rsplit_once('[')) {
                    Some((before, set)) if is_plain(set) => {
                        rest = before;
                        end.push_front(ANY);
                        continue;
                    }
                    _ => break,
                },
                b'*' | b'\\' | b'[' | b'/' => break,
                known if known.is_ascii_graphic() || known == b' ' => known,
                _ => break,
            };
            // A preceding backslash may quote this character, so the end stops here.
            rest = rest.get(..rest.len().saturating_sub(1)).unwrap_or_default();
            if rest.ends_with('\\') {
                break;
            }
            end.push_front(known);
        }
        end
    }

    /// Returns whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Returns whether a name may have this end, ignoring case.
    pub fn may_be(&self, name: &str) -> bool {
        let known = self.text.iter().take(usize::from(self.length)).rev();
        let mut own = name.chars().rev();
        known.into_iter().all(|known| {
            own.next().is_some_and(|own| *known == ANY || same(own, char::from(*known)))
        })
    }

    fn is_full(&self) -> bool {
        usize::from(self.length) >= LONGEST
    }

    fn push_front(&mut self, byte: u8) {
        self.text.copy_within(..LONGEST.saturating_sub(1), 1);
        if let Some(first) = self.text.first_mut() {
            *first = byte;
        }
        self.length = self.length.saturating_add(1);
    }
}

/// Returns whether a bracket expression contains only plain characters, so that its end is
/// unambiguous.
fn is_plain(set: &str) -> bool {
    set.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
        && !set.is_empty()
}

fn same(own: char, known: char) -> bool {
    own == known
        || own.to_lowercase().eq(known.to_lowercase())
        || own.to_uppercase().eq(known.to_uppercase())
}

#[cfg(test)]
#[path = "name_end_tests.rs"]
mod tests;
