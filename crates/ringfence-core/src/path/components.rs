//! Iteration over the components of a path.

/// The components of a path, from either end.
///
/// Byte loops are faster than search routines here, because names are short.
#[derive(Debug, Clone)]
// INVARIANT: the text is a sequence of names, each after exactly one slash.
pub struct Components<'p>(pub(super) &'p str);

impl<'p> Iterator for Components<'p> {
    type Item = &'p str;

    fn next(&mut self) -> Option<&'p str> {
        let text = self.0.strip_prefix('/')?;
        let end = text.bytes().position(|byte| byte == b'/').unwrap_or(text.len());
        let (name, rest) = text.split_at_checked(end)?;
        self.0 = rest;
        Some(name)
    }
}

impl DoubleEndedIterator for Components<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let slash = self.0.bytes().rposition(|byte| byte == b'/')?;
        let (rest, last) = self.0.split_at_checked(slash)?;
        self.0 = rest;
        last.strip_prefix('/')
    }
}
