//! JSON, walked through as it stands in its text.
//!
//! This accepts less than a full reader, and nothing that one would refuse or take for something
//! else. Where it gives up, which is `None`, a full reader is asked. It takes no memory: doors that
//! pass on messages look at each of them.

use crate::eight;

/// Lists and objects may stand in each other so deeply; what is deeper is left to a full reader.
pub const DEEPEST: u32 = 64;

/// A walk through a text.
#[derive(Debug, Clone)]
pub struct Scan<'a> {
    text: &'a str,
    at: usize,
}

/// Walks through a text that is one object, and hands over each field: the key, in which nothing is
/// written out, and the value as it stands there.
pub fn fields<'a>(
    text: &'a str,
    mut each: impl FnMut(&'a str, &'a str) -> Option<()>,
) -> Option<()> {
    let mut scan = Scan::new(text);
    scan.take(b'{')?;
    if scan.take(b'}').is_none() {
        loop {
            let key = scan.key()?;
            each(key, scan.value()?)?;
            if scan.take(b',').is_none() {
                break;
            }
        }
        scan.take(b'}')?;
    }
    scan.is_done().then_some(())
}

impl<'a> Scan<'a> {
    /// A walk from the start of a text.
    pub fn new(text: &'a str) -> Scan<'a> {
        Scan { text, at: 0 }
    }

    /// Whether nothing but blanks is left.
    pub fn is_done(&mut self) -> bool {
        self.peek().is_none()
    }

    /// The next byte that is no blank; it stays.
    #[inline]
    pub fn peek(&mut self) -> Option<u8> {
        loop {
            match self.byte()? {
                b' ' | b'\t' | b'\n' | b'\r' => self.skip(1),
                byte => return Some(byte),
            }
        }
    }

    /// Passes the next byte if it is this one.
    #[inline]
    pub fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.skip(1))
    }

    /// Passes a key and its colon. A key in which something is written out is left to others.
    pub fn key(&mut self) -> Option<&'a str> {
        let key = self.plain()?;
        self.take(b':')?;
        Some(key)
    }

    /// Passes a text in which nothing is written out.
    pub fn plain(&mut self) -> Option<&'a str> {
        self.take(b'"')?;
        let start = self.at;
        self.skip_letters();
        let plain = self.text.get(start..self.at)?;
        self.take_here(b'"').then_some(plain)
    }

    /// Passes a value; its text.
    pub fn value(&mut self) -> Option<&'a str> {
        let first = self.peek()?;
        let start = self.at;
        if !matches!(first, b'{' | b'[') {
            self.skip_scalar(first)?;
            return self.text.get(start..self.at);
        }
        // For each list or object that is open, the innermost last, whether it is an object.
        let (mut open, mut depth) = (0_u64, 0_u32);
        loop {
            let first = self.peek()?;
            if matches!(first, b'{' | b'[') {
                if depth >= DEEPEST {
                    return None;
                }
                self.skip(1);
                let is_object = first == b'{';
                (open, depth) = (open << 1 | u64::from(is_object), depth.saturating_add(1));
                let is_empty = self.peek()? == if is_object { b'}' } else { b']' };
                if !is_empty {
                    if is_object {
                        self.skip_key()?;
                    }
                    continue;
                }
            } else {
                self.skip_scalar(first)?;
            }
            // A value is over, and with it perhaps what it stands in.
            loop {
                if depth == 0 {
                    return self.text.get(start..self.at);
                }
                match (self.peek()?, open & 1 == 1) {
                    (b',', is_object) => {
                        self.skip(1);
                        if is_object {
                            self.skip_key()?;
                        }
                        break;
                    }
                    (b'}', true) | (b']', false) => {
                        self.skip(1);
                        (open, depth) = (open >> 1, depth.saturating_sub(1));
                    }
                    _ => return None,
                }
            }
        }
    }

    /// Passes a text, a number, or one of the three words, that begins with this byte.
    fn skip_scalar(&mut self, first: u8) -> Option<()> {
        match first {
            b'"' => self.skip_text(),
            b't' => self.skip_word("true"),
            b'f' => self.skip_word("false"),
            b'n' => self.skip_word("null"),
            _ => self.skip_number(),
        }
    }

    #[inline]
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline]
    fn skip(&mut self, count: usize) {
        self.at = self.at.saturating_add(count);
    }

    #[inline]
    fn take_here(&mut self, byte: u8) -> bool {
        let is_here = self.byte() == Some(byte);
        self.skip(usize::from(is_here));
        is_here
    }

    fn skip_key(&mut self) -> Option<()> {
        self.peek().filter(|byte| *byte == b'"')?;
        self.skip_text()?;
        self.take(b':')
    }

    /// Passes what may stand in a text as it is.
    #[inline]
    fn skip_letters(&mut self) {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        self.skip(eight::find_end_of_text(rest).unwrap_or(rest.len()));
    }

    fn skip_text(&mut self) -> Option<()> {
        self.skip(1);
        loop {
            self.skip_letters();
            match self.byte()? {
                b'"' => {
                    self.skip(1);
                    return Some(());
                }
                b'\\' => self.skip_escape()?,
                _ => return None,
            }
        }
    }

    fn skip_escape(&mut self) -> Option<()> {
        self.skip(1);
        match self.byte()? {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => {
                self.skip(1);
                Some(())
            }
            b'u' => {
                self.skip(1);
                let digits = self.text.as_bytes().get(self.at..)?.first_chunk::<4>()?;
                self.skip(4);
                digits.iter().all(u8::is_ascii_hexdigit).then_some(())
            }
            _ => None,
        }
    }

    fn skip_word(&mut self, word: &str) -> Option<()> {
        let is_here = self.text.get(self.at..)?.starts_with(word);
        is_here.then(|| self.skip(word.len()))
    }

    fn skip_number(&mut self) -> Option<()> {
        self.take_here(b'-');
        if !self.take_here(b'0') {
            self.skip_digits()?;
        }
        if self.take_here(b'.') {
            self.skip_digits()?;
        }
        if self.take_here(b'e') || self.take_here(b'E') {
            let _ = self.take_here(b'+') || self.take_here(b'-');
            self.skip_digits()?;
        }
        Some(())
    }

    fn skip_digits(&mut self) -> Option<()> {
        let rest = self.text.as_bytes().get(self.at..)?;
        let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.skip(count);
        (count > 0).then_some(())
    }
}

#[cfg(test)]
#[path = "scan_tests.rs"]
mod tests;
