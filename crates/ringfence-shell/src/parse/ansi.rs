//! `$'…'`.

use crate::ast::PartKind;

use super::parts::{Parts, Quoting};
use super::{Parsed, Parser};

impl Parser<'_> {
    /// Reads `$'…'` and decodes its escapes.
    pub(super) fn ansi_quoted(&mut self, parts: &mut Parts) -> Parsed<()> {
        let start = self.pos;
        self.bump_by(2);
        let from = self.pos;
        loop {
            self.take_while(|byte| !matches!(byte, b'\'' | b'\\'));
            match self.byte(self.pos) {
                None => return Err(self.syntax(start, "`$'` is never closed")),
                Some(b'\\') => {
                    self.pos = self.pos.saturating_add(1);
                    self.take_char();
                }
                Some(_) => break,
            }
        }
        let raw = self.slice(from, self.pos);
        self.pos = self.pos.saturating_add(1);
        let bytes = decode(raw).map_err(|what| self.unsupported(start, what))?;
        let marks = bytes.iter().any(|byte| matches!(byte, 1 | 0x7f));
        match String::from_utf8(bytes) {
            Ok(text) if !marks => parts.literal(self.span(start), true, &text),
            Ok(text) => parts.push(self.span(start), Quoting::Double, PartKind::Bytes(text.into())),
            Err(error) => {
                let kind = PartKind::Bytes(error.into_bytes());
                parts.push(self.span(start), Quoting::Double, kind);
            }
        }
        Ok(())
    }
}

impl Parser<'_> {
    /// Whether `$'…'` stands here with nothing in it that means anything to a shell. In `"${x%$'\n'}"`
    /// it is quoted, in `"${x:-$'\n'}"` it is not: either way no command is in it.
    pub(super) fn at_plain_ansi(&self) -> bool {
        self.plain_ansi_end().is_some()
    }

    /// Takes such a text, of which the value is not told.
    pub(super) fn plain_ansi(&mut self, parts: &mut Parts) {
        let start = self.pos;
        if let Some(end) = self.plain_ansi_end() {
            let raw = self.slice(start, end).as_bytes().to_vec();
            self.pos = end;
            parts.push(self.span(start), Quoting::Double, PartKind::Bytes(raw));
        }
    }

    fn plain_ansi_end(&self) -> Option<usize> {
        let mut at = self.pos.checked_add(2)?;
        loop {
            match self.byte(at)? {
                b'\'' => return at.checked_add(1),
                b'\\'
                    if self.byte(at.checked_add(1)?).is_some_and(|own| b"nrte".contains(&own)) =>
                {
                    at = at.checked_add(2)?;
                }
                byte if byte.is_ascii_alphanumeric() || b" ,:;=._+|-".contains(&byte) => {
                    at = at.checked_add(1)?;
                }
                _ => return None,
            }
        }
    }
}

/// Decodes the text between `$'` and `'` as bash does in a UTF-8 locale.
fn decode(raw: &str) -> Result<Vec<u8>, &'static str> {
    let mut bytes = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((before, escaped)) = rest.split_once('\\') {
        bytes.extend_from_slice(before.as_bytes());
        rest = escape(escaped, &mut bytes)?;
        // What follows a NUL is lost.
        if bytes.last() == Some(&0) {
            bytes.pop();
            rest = "";
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    Ok(bytes)
}

/// Decodes the escape after a backslash and returns what follows it.
fn escape<'t>(text: &'t str, bytes: &mut Vec<u8>) -> Result<&'t str, &'static str> {
    let mut chars = text.chars();
    let Some(letter) = chars.next() else {
        bytes.push(b'\\');
        return Ok(text);
    };
    let after = chars.as_str();
    let plain = match letter {
        'a' => 0x07,
        'b' => 0x08,
        'e' | 'E' => 0x1b,
        'f' => 0x0c,
        'n' => b'\n',
        'r' => b'\r',
        't' => b'\t',
        'v' => 0x0b,
        '\\' | '\'' | '"' | '?' => u8::try_from(letter).unwrap_or(b'?'),
        '0'..='7' => return Ok(octal(text, bytes)),
        'x' if after.starts_with('{') => return Ok(braced_hex(after, bytes)),
        'x' => return hex(letter, after, 2, bytes),
        'u' => return hex(letter, after, 4, bytes),
        'U' => return hex(letter, after, 8, bytes),
        'c' => return control(after, bytes),
        _ => {
            bytes.push(b'\\');
            return Ok(text);
        }
    };
    bytes.push(plain);
    Ok(after)
}

/// Up to three octal digits make a byte.
fn octal<'t>(text: &'t str, bytes: &mut Vec<u8>) -> &'t str {
    let (value, after) = digits(text, 8, 3);
    bytes.push((value & 0xff) as u8);
    after
}

/// Up to `most` hexadecimal digits make a byte or a character.
fn hex<'t>(
    letter: char,
    text: &'t str,
    most: usize,
    bytes: &mut Vec<u8>,
) -> Result<&'t str, &'static str> {
    let (value, after) = digits(text, 16, most);
    if after.len() == text.len() {
        bytes.push(b'\\');
        bytes.extend(letter.to_string().bytes());
    } else if letter == 'x' {
        bytes.push((value & 0xff) as u8);
    } else {
        let character = char::from_u32(value).ok_or("a number that is no character")?;
        bytes.extend(character.to_string().bytes());
    }
    Ok(after)
}

/// All hexadecimal digits after `\x{` make one byte; the closing brace may be missing.
fn braced_hex<'t>(text: &'t str, bytes: &mut Vec<u8>) -> &'t str {
    let inside = text.strip_prefix('{').unwrap_or(text);
    let (value, after) = digits(inside, 16, usize::MAX);
    bytes.push((value & 0xff) as u8);
    after.strip_prefix('}').unwrap_or(after)
}

/// The value of the digits that the text begins with, and what follows them.
fn digits(text: &str, radix: u32, most: usize) -> (u32, &str) {
    let mut value = 0_u32;
    let mut rest = text;
    for character in text.chars().take(most) {
        let Some(digit) = character.to_digit(radix) else { break };
        value = value.wrapping_mul(radix).wrapping_add(digit);
        rest = rest.get(1..).unwrap_or_default();
    }
    (value, rest)
}

/// `\cX` is a control character.
fn control<'t>(text: &'t str, bytes: &mut Vec<u8>) -> Result<&'t str, &'static str> {
    let mut chars = text.chars();
    let letter = match chars.next() {
        Some(letter) if letter.is_ascii() => letter,
        Some(_) => return Err("`\\c` before a character that is not ASCII"),
        None => {
            bytes.extend(b"\\c");
            return Ok(text);
        }
    };
    let mut after = chars.as_str();
    if letter == '\\' {
        after = after.strip_prefix('\\').unwrap_or(after);
    }
    bytes.push(match letter {
        '?' => 0x7f,
        _ => (letter.to_ascii_uppercase() as u8) & 0x1f,
    });
    Ok(after)
}

#[cfg(test)]
#[path = "ansi_tests.rs"]
mod tests;
