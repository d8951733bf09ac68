//! How names end, where nothing else is known of them.

/// The end of a name, as far as it is known: `.pyc` of whatever `*.pyc` finds.
///
/// It is never more than is known, and may be less: names that cannot have it are surely others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct NameEnd {
    /// The last characters, from the left; [`ANY`] stands for one that is not known.
    text: [u8; LONGEST],
    length: u8,
}

/// More of a name is not kept.
const LONGEST: usize = 15;
/// Any one character; no name has it.
const ANY: u8 = b'/';

impl NameEnd {
    /// The end of every name that a pattern of the shell's matches, up to the last slash in it.
    pub fn of_pattern(pattern: &str) -> NameEnd {
        let mut end = NameEnd::default();
        let mut rest = pattern;
        while let Some(last) = rest.bytes().next_back().filter(|_| !end.is_full()) {
            let known = match last {
                b'?' => ANY,
                // A set is one character, where it is plain to see where it begins.
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
            // What stands behind a backslash is itself, if it was not a wildcard already.
            rest = rest.get(..rest.len().saturating_sub(1)).unwrap_or_default();
            if rest.ends_with('\\') {
                break;
            }
            end.push_front(known);
        }
        end
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Whether a name may be one of those; letters in either case are the same.
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

/// Whether a set has nothing in it that could end it elsewhere, or be something else.
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
