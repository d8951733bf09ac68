//! What can be told about a text without parsing it: how deeply it is nested, its comments.
//!
//! The parsers recurse, and so does freeing what they return. This walk does not; it only has to
//! be right about where strings and comments are, and may count more levels than there are.

use crate::node::{MAX_DEPTH, MAX_VALUES, too_deep, too_many};
use crate::text::{Fault, Span};

/// Refuses TOML whose brackets and dotted keys nest too deeply, or that holds too much.
pub(crate) fn check_toml(text: &str) -> Result<(), Fault> {
    let mut walk = Walk::new(text);
    let mut levels = Levels::default();
    while let Some(byte) = walk.next() {
        match byte {
            b'"' | b'\'' => walk.skip_toml_string(byte),
            b'#' => walk.skip_line(),
            b'[' | b'{' => levels.open(),
            b']' | b'}' => levels.close(),
            b'.' => levels.dot(),
            b'=' => levels.value(),
            b',' => {
                levels.value();
                levels.end_of_entry();
            }
            b'\n' if levels.outside() => levels.end_of_entry(),
            _ => continue,
        }
        levels.check(walk.at)?;
    }
    Ok(())
}

/// Refuses JSON whose brackets nest too deeply, or that holds too much.
pub(crate) fn check_json(text: &str) -> Result<(), Fault> {
    let mut walk = Walk::new(text);
    let mut levels = Levels::default();
    while let Some(byte) = walk.next() {
        match byte {
            b'"' => walk.skip_until_quote(b'"', true),
            b'/' => walk.skip_json_comment(),
            b'[' | b'{' => levels.open(),
            b']' | b'}' => levels.close(),
            b',' => levels.value(),
            _ => continue,
        }
        levels.check(walk.at)?;
    }
    Ok(())
}

/// Where the comments of a TOML text are.
pub(crate) fn toml_comments(text: &str) -> Vec<Span> {
    let mut walk = Walk::new(text);
    let mut comments = Vec::new();
    while let Some(byte) = walk.next() {
        let start = walk.at.saturating_sub(1);
        match byte {
            b'"' | b'\'' => walk.skip_toml_string(byte),
            b'#' => {
                walk.skip_line();
                comments.push(Span::new(start, walk.at));
            }
            _ => {}
        }
    }
    comments
}

/// Where the comments of a JSON text are.
pub(crate) fn json_comments(text: &str) -> Vec<Span> {
    let mut walk = Walk::new(text);
    let mut comments = Vec::new();
    while let Some(byte) = walk.next() {
        let start = walk.at.saturating_sub(1);
        match byte {
            b'"' => walk.skip_until_quote(b'"', true),
            b'/' => {
                walk.skip_json_comment();
                comments.push(Span::new(start, walk.at));
            }
            _ => {}
        }
    }
    comments
}

/// The levels at one place of a text, and what was passed on the way.
#[derive(Default)]
struct Levels {
    /// What each open bracket added: itself and the dotted key before it.
    open: Vec<usize>,
    depth: usize,
    /// The dots since the entry began.
    dots: usize,
    /// How many values there are so far, at least.
    values: usize,
}

impl Levels {
    fn value(&mut self) {
        self.values = self.values.saturating_add(1);
    }

    fn open(&mut self) {
        self.value();
        let added = self.dots.saturating_add(1);
        self.open.push(added);
        self.depth = self.depth.saturating_add(added);
        self.dots = 0;
    }

    fn close(&mut self) {
        let added = self.open.pop().unwrap_or(0);
        self.depth = self.depth.saturating_sub(added);
        self.dots = 0;
    }

    fn dot(&mut self) {
        self.dots = self.dots.saturating_add(1);
    }

    fn end_of_entry(&mut self) {
        self.dots = 0;
    }

    fn outside(&self) -> bool {
        self.open.is_empty()
    }

    fn check(&self, at: usize) -> Result<(), Fault> {
        if self.depth.saturating_add(self.dots) > MAX_DEPTH {
            return Err(too_deep(at.saturating_sub(1)..at));
        }
        if self.values > MAX_VALUES {
            return Err(too_many(at.saturating_sub(1)..at));
        }
        Ok(())
    }
}

/// A walk along the bytes of a text.
struct Walk<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl<'t> Walk<'t> {
    fn new(text: &'t str) -> Walk<'t> {
        Walk { bytes: text.as_bytes(), at: 0 }
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.bytes.get(self.at).copied()?;
        self.at = self.at.saturating_add(1);
        Some(byte)
    }

    fn ahead(&self, text: &[u8]) -> bool {
        self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(text))
    }

    fn skip_line(&mut self) {
        while self.at < self.bytes.len() && !self.ahead(b"\n") {
            self.next();
        }
    }

    /// Skips a string after its first quote; three quotes make it go on over lines.
    fn skip_toml_string(&mut self, quote: u8) {
        let escapes = quote == b'"';
        if !self.ahead(&[quote, quote]) {
            return self.skip_until_quote(quote, escapes);
        }
        self.at = self.at.saturating_add(2);
        while let Some(byte) = self.next() {
            if byte == b'\\' && escapes {
                self.next();
            } else if byte == quote && self.ahead(&[quote, quote]) {
                self.at = self.at.saturating_add(2);
                // Up to two further quotes are the string's own last characters.
                while self.ahead(&[quote]) {
                    self.next();
                }
                return;
            }
        }
    }

    fn skip_until_quote(&mut self, quote: u8, escapes: bool) {
        // A string that does not end on its line is the parser's to refuse.
        let is_end = |byte: u8| byte == quote || byte == b'\n';
        while let Some(byte) = self.skip_to(|byte| is_end(byte) || byte == b'\\') {
            if is_end(byte) {
                return;
            }
            if escapes {
                self.next();
            }
        }
    }

    /// Goes behind the next such byte.
    fn skip_to(&mut self, is_one: impl Fn(u8) -> bool) -> Option<u8> {
        let left = self.bytes.get(self.at..).unwrap_or_default();
        let skipped = left.iter().position(|byte| is_one(*byte)).unwrap_or(left.len());
        self.at = self.at.saturating_add(skipped);
        self.next()
    }

    fn skip_json_comment(&mut self) {
        if self.ahead(b"/") {
            self.skip_line();
        } else if self.ahead(b"*") {
            self.next();
            while self.at < self.bytes.len() && !self.ahead(b"*/") {
                self.next();
            }
            self.at = self.at.saturating_add(2).min(self.bytes.len());
        }
    }
}
