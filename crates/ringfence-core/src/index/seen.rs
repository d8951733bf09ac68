//! The tokens of what is matched.

/// A token of what is matched.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Seen<'t> {
    /// This word.
    Word(&'t str),
    /// A word with several spellings; any of them may be what a pattern has.
    OneOf(&'t [Box<str>]),
    /// A value that looks like an option and is none: it is met where a pattern has it right behind
    /// its option, not by a pattern that looks for an option further on.
    Value(&'t str),
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
