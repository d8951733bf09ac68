//! Lines that are one command of plain words, read without a tree.
//!
//! Most lines are such: a program and words that a shell takes as they are written, or between quotes
//! that hide nothing from it. Whoever wants the words and nothing else need not pay for a tree. It reads
//! a small part of what the parser reads, and never differently, which a law compares; all else is the
//! parser's.

use ringfence_core::access::Text;
use ringfence_core::text::inline_text;
use smallvec::SmallVec;

use crate::field::{Field, FieldText};
use crate::span::Span;

use super::simple::takes_words;
use super::token::Keyword;

/// The words of a command: most have few, which need no memory of their own.
pub(crate) type Fields = SmallVec<[Field; 8]>;

/// Longer lines are the parser's: it knows the limits.
const LONGEST: usize = 1024;

/// What a byte is to a line of plain words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// Itself, wherever it stands.
    Itself,
    /// Itself, but before the first word, where it may set a variable.
    Equals,
    /// Itself behind other bytes of a word that cannot set a variable.
    Tilde,
    /// Itself in a word that has nothing to choose from.
    Brace,
    Blank,
    Single,
    Double,
    /// Anything else that can be seen; itself between quotes.
    Quotable,
    /// Anything else that can be seen, and means something between double quotes too.
    Active,
    /// What is left to the parser, wherever it stands.
    Other,
}

static CLASSES: [Class; 256] = classes();

const fn classes() -> [Class; 256] {
    let mut classes = [Class::Other; 256];
    let mut byte = 0_u8;
    while byte < 0x7f {
        #[expect(clippy::indexing_slicing, reason = "a byte is always in the table")]
        {
            classes[byte as usize] = class(byte);
        }
        byte = byte.saturating_add(1);
    }
    classes
}

const fn class(byte: u8) -> Class {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => Class::Itself,
        b'_' | b'-' | b'.' | b'/' | b':' | b',' | b'+' | b'@' | b'%' => Class::Itself,
        b'=' => Class::Equals,
        b'~' => Class::Tilde,
        b'{' | b'}' => Class::Brace,
        b' ' => Class::Blank,
        b'\'' => Class::Single,
        b'"' => Class::Double,
        b'$' | b'`' | b'\\' | b'!' => Class::Active,
        b'!'..=b'~' => Class::Quotable,
        _ => Class::Other,
    }
}

/// A command of plain words.
#[derive(Default)]
pub(crate) struct Plain<'l> {
    /// The variables that are set for it.
    pub(crate) sets: Vec<PlainSet<'l>>,
    /// Its words.
    pub(crate) fields: Fields,
}

/// Adds a word that is known: it is made where it stays.
// Once, for the first word and all others: what is written out twice is fetched twice.
#[inline(never)]
pub(crate) fn push_word(fields: &mut Fields, text: &str, span: Span) {
    fields.push(Field { text: FieldText::Known(inline_text(text)), span });
}

/// The text of a word.
enum Word<'l> {
    /// As it is written.
    Whole(&'l str),
    /// Put together, for there are quotes in it.
    Pieced(Text),
}

impl From<Word<'_>> for Text {
    fn from(word: Word<'_>) -> Text {
        match word {
            Word::Whole(text) => Text::from(text),
            Word::Pieced(text) => text,
        }
    }
}

/// A variable that is set before a command.
pub(crate) struct PlainSet<'l> {
    pub(crate) name: &'l str,
    pub(crate) value: Field,
    pub(crate) span: Span,
}

/// Reads a line that is one command of plain words; where that stands. Of any other line a part of the
/// words may have been read.
pub(crate) fn plain<'l>(line: &'l str, out: &mut Plain<'l>) -> Option<Span> {
    if line.len() > LONGEST {
        return None;
    }
    let mut reader = Reader { line, at: 0 };
    reader.skip_blanks();
    let start = reader.at;
    while let Some(set) = reader.assignment()? {
        out.sets.push(set);
        reader.skip_blanks();
    }
    let (first, span) = reader.bare()?;
    if Keyword::read(first.as_bytes()).is_some() || !takes_words(first) {
        return None;
    }
    push_word(&mut out.fields, first, span);
    let mut end = span.end;
    while reader.skip_blanks() {
        let from = reader.at;
        let word = reader.word_behind(None)?;
        end = reader.at;
        let span = Span { start: from, end };
        match word {
            Word::Whole(text) => push_word(&mut out.fields, text, span),
            Word::Pieced(text) => out.fields.push(Field::known(text, span)),
        }
    }
    Some(Span { start, end })
}

struct Reader<'l> {
    line: &'l str,
    at: usize,
}

impl<'l> Reader<'l> {
    fn class(&self) -> Option<Class> {
        let byte = *self.line.as_bytes().get(self.at)?;
        CLASSES.get(usize::from(byte)).copied()
    }

    fn bump(&mut self) {
        self.at = self.at.saturating_add(1);
    }

    /// Steps over all bytes of a class that stand here.
    fn skip(&mut self, class: Class) {
        let rest = self.line.as_bytes().get(self.at..).unwrap_or_default();
        let is_other = |byte: &u8| CLASSES.get(usize::from(*byte)) != Some(&class);
        let count = rest.iter().position(is_other).unwrap_or(rest.len());
        self.at = self.at.saturating_add(count);
    }

    /// Steps over blanks; whether anything follows.
    fn skip_blanks(&mut self) -> bool {
        self.skip(Class::Blank);
        self.at < self.line.len()
    }

    fn since(&self, start: usize) -> &'l str {
        self.line.get(start..self.at).unwrap_or_default()
    }

    /// The first word, which has to be written without any quotes.
    fn bare(&mut self) -> Option<(&'l str, Span)> {
        let start = self.at;
        self.skip(Class::Itself);
        let ends = matches!(self.class(), None | Some(Class::Blank)) && self.at > start;
        ends.then(|| (self.since(start), Span { start, end: self.at }))
    }

    /// A variable that is set, if one is set here; nothing where the parser has to say so.
    fn assignment(&mut self) -> Option<Option<PlainSet<'l>>> {
        let start = self.at;
        self.skip(Class::Itself);
        if self.class() != Some(Class::Equals) {
            self.at = start;
            return Some(None);
        }
        let name = self.since(start);
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        if !name.bytes().all(is_name) || !name.starts_with(|c: char| !c.is_ascii_digit()) {
            return None;
        }
        self.bump();
        let from = self.at;
        let value = Text::from(self.word_behind(Some(Class::Equals))?);
        let value = Field::known(value, Span { start: from, end: self.at });
        Some(Some(PlainSet { name, value, span: Span { start, end: self.at } }))
    }

    /// A word, or what follows the equals sign of one.
    fn word_behind(&mut self, before: Option<Class>) -> Option<Word<'l>> {
        let start = self.at;
        let mut text = None;
        let (mut from, mut sets, mut braces) = (start, before.is_some(), false);
        loop {
            self.skip(Class::Itself);
            match self.class() {
                Some(Class::Equals) => sets = true,
                // Behind `NAME=` and at the beginning it is somebody's home.
                Some(Class::Tilde) if self.at > start && !sets => {}
                Some(Class::Brace) => braces = true,
                Some(class @ (Class::Single | Class::Double)) => {
                    let before = self.since(from);
                    let inside = self.quoted(class)?;
                    from = self.at;
                    join(&mut text, before, inside);
                    continue;
                }
                None | Some(Class::Blank) => break,
                _ => return None,
            }
            self.bump();
        }
        let chooses = |word: &str| word.contains(',') || word.contains("..");
        if braces && chooses(self.since(start)) {
            return None;
        }
        let rest = self.since(from);
        Some(match text {
            None => Word::Whole(rest),
            Some(mut text) => {
                text.push_str(rest);
                Word::Pieced(text)
            }
        })
    }

    /// What stands between quotes, which are stepped over.
    fn quoted(&mut self, quote: Class) -> Option<&'l str> {
        self.bump();
        let start = self.at;
        loop {
            match self.class()? {
                class if class == quote => break,
                Class::Other => return None,
                Class::Active if quote == Class::Double => return None,
                _ => self.bump(),
            }
        }
        let inside = self.since(start);
        self.bump();
        Some(inside)
    }
}

/// Goes on with a word of several pieces.
fn join(text: &mut Option<Text>, before: &str, inside: &str) {
    match text {
        Some(text) => {
            text.push_str(before);
            text.push_str(inside);
        }
        None if before.is_empty() => *text = Some(Text::from(inside)),
        None => {
            let mut own = Text::with_capacity(before.len().saturating_add(inside.len()));
            own.push_str(before);
            own.push_str(inside);
            *text = Some(own);
        }
    }
}

#[cfg(test)]
#[path = "plain_tests.rs"]
mod tests;
