//! A place in a text, for readers that go through it once from left to right.

/// A place in a text. Reading past the end gives nothing and moves nothing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Cursor<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// Where it stands, in bytes.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// What has not been read yet.
    pub(crate) fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// The text from an earlier place up to this one.
    pub(crate) fn since(&self, start: usize) -> &'t str {
        self.text.get(start..self.at).unwrap_or("")
    }

    pub(crate) fn is_done(&self) -> bool {
        self.at >= self.text.len()
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The character `ahead` places after the next one.
    pub(crate) fn peek_at(&self, ahead: usize) -> Option<char> {
        self.rest().chars().nth(ahead)
    }

    pub(crate) fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at = self.at.saturating_add(c.len_utf8());
        Some(c)
    }

    /// Takes the character if it is next.
    pub(crate) fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.bump();
        }
        found
    }

    /// Takes the text if it is next.
    pub(crate) fn eat_str(&mut self, wanted: &str) -> bool {
        let found = self.rest().starts_with(wanted);
        if found {
            self.at = self.at.saturating_add(wanted.len());
        }
        found
    }

    /// Takes characters as long as they fit.
    pub(crate) fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &'t str {
        let start = self.at;
        while self.peek().is_some_and(&fits) {
            self.bump();
        }
        self.since(start)
    }

    /// Takes everything up to the end of the line, which stays.
    pub(crate) fn take_line(&mut self) -> &'t str {
        self.take_while(|c| c != '\n')
    }

    /// Takes blanks, but no ends of lines.
    pub(crate) fn skip_blanks(&mut self) {
        self.take_while(|c| c == ' ' || c == '\t');
    }

    /// Takes white space with ends of lines.
    pub(crate) fn skip_space(&mut self) {
        self.take_while(|c| c.is_ascii_whitespace() || c == '\u{b}');
    }
}
