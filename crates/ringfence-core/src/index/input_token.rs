//! Input tokens: the elements of the sequence that patterns are matched against.

/// One element of the sequence that patterns are matched against.
#[derive(Debug, Clone, Copy)]
pub(crate) enum InputToken<'t> {
    /// A known word.
    Word(&'t str),
    /// A word with several spellings. A pattern matches if it matches any of them.
    OneOf(&'t [Box<str>]),
    /// An option's value that looks like an option. A literal matches it directly after the option,
    /// but not across a `*`, so that `cmd:x:*:--force` does not match a value `--force`.
    Value(&'t str),
    /// An unknown number of unknown words. Only `*` over any number of words matches it.
    Unknown,
    /// An unknown word that may be whatever a pattern needs, so that every pattern element matches
    /// it.
    Anything {
        /// Whether the token may be several words or none.
        many: bool,
    },
}

impl<'t> From<&'t str> for InputToken<'t> {
    fn from(word: &'t str) -> InputToken<'t> {
        InputToken::Word(word)
    }
}
