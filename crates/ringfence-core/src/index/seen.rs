//! The tokens of what is matched.

/// A token of what is matched.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Seen<'t> {
    /// This word.
    Word(&'t str),
    /// A word with several spellings; any of them may be what a pattern has.
    OneOf(&'t [Box<str>]),
    /// Words that are not known: only a wildcard surely takes them.
    Unknown,
    /// Words that are not known, and may be whatever completes a pattern; whether they may be
    /// several, or none.
    Joker {
        /// Whether they may be several, or none.
        many: bool,
    },
}

impl<'t> From<&'t str> for Seen<'t> {
    fn from(word: &'t str) -> Seen<'t> {
        Seen::Word(word)
    }
}
