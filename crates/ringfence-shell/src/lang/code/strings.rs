//! What strings of the general languages hold: escapes, computed parts, here-documents.

use super::super::cursor::Cursor;
use super::Language;
use super::lexer::{Lexer, Token};

/// How far a regular expression is looked for; a longer one is read as a division.
const MAX_REGEX: usize = 400;

/// A here-document that was announced.
#[derive(Debug, Clone)]
pub(super) struct Heredoc {
    end: String,
    raw: bool,
    indented: bool,
    command: bool,
}

/// How a string is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nothing is computed in it.
    Plain,
    /// Not even backslashes count.
    Raw,
    /// Parts of it are computed.
    Computed,
}

impl Lexer<'_> {
    pub(super) fn simple(&mut self, quote: char, kind: Kind) {
        self.cursor.bump();
        self.string(quote.encode_utf8(&mut [0; 4]), kind);
    }

    pub(super) fn command(&mut self) {
        self.cursor.bump();
        let (text, whole) = self.text("`", Kind::Computed);
        self.tokens.push(Token::Command { text, whole });
    }

    pub(super) fn string(&mut self, end: &str, kind: Kind) {
        let (text, whole) = self.text(end, kind);
        self.tokens.push(Token::Str { text, whole });
    }

    /// Reads up to the end of a string, and reads what is computed in it as code.
    pub(super) fn text(&mut self, end: &str, kind: Kind) -> (String, bool) {
        let mut text = String::new();
        let mut whole = true;
        while !self.cursor.is_done() && !self.cursor.eat_str(end) {
            if self.language == Language::Python
                && kind == Kind::Computed
                && self.cursor.eat_str("{{")
            {
                text.push('{');
                continue;
            }
            if kind == Kind::Computed && self.computed() {
                whole = false;
                continue;
            }
            match self.cursor.bump() {
                Some('\\') if kind != Kind::Raw => whole &= self.escape(&mut text),
                Some('\\') => {
                    text.push('\\');
                    if self.language == Language::Python
                        && let Some(c) = self.cursor.bump()
                    {
                        text.push(c);
                    }
                }
                Some(c) if whole => text.push(c),
                _ => {}
            }
        }
        (text, whole)
    }

    /// The common escapes; whether the meaning is certain.
    fn escape(&mut self, text: &mut String) -> bool {
        match self.cursor.bump() {
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('\n') => {}
            Some('x') => return self.hex(text),
            Some(c) if c.is_ascii_alphanumeric() => return false,
            Some(c) => text.push(c),
            None => return false,
        }
        true
    }

    fn hex(&mut self, text: &mut String) -> bool {
        let mut value = 0_u32;
        for _ in 0..2 {
            let Some(digit) = self.cursor.peek().and_then(|c| c.to_digit(16)) else { return false };
            self.cursor.bump();
            value = value.saturating_mul(16).saturating_add(digit);
        }
        text.extend(char::from_u32(value));
        true
    }

    /// A computed part of a string, if one starts here.
    fn computed(&mut self) -> bool {
        let rest = self.cursor.rest();
        let opening = match self.language {
            Language::Python => "{",
            Language::Node => "${",
            Language::Ruby => "#{",
            Language::Php => "{$",
            Language::Julia => "$(",
            Language::Perl if rest.starts_with("@{") => "@{",
            Language::Perl => "${",
            _ => return false,
        };
        if self.cursor.eat_str(opening) {
            let open = if opening.ends_with('(') { '(' } else { '{' };
            let (code, _) = self.delimited(open, Kind::Raw);
            self.inner(&code);
            return true;
        }
        let sigil = match self.language {
            Language::Php | Language::Julia => rest.starts_with('$'),
            Language::Perl => rest.starts_with(['$', '@']),
            _ => false,
        };
        let named = rest.chars().nth(1).is_some_and(|c| c.is_alphanumeric() || c == '_');
        if sigil && named {
            self.cursor.bump();
            let name = self.cursor.take_while(|c| c.is_alphanumeric() || c == '_').to_owned();
            let subscript = match self.cursor.peek() {
                Some(open @ ('{' | '[')) if name == "ENV" || name == "_ENV" => {
                    self.cursor.bump();
                    format!("{open}{}{}", self.delimited(open, Kind::Raw).0, closing(open))
                }
                _ => String::new(),
            };
            self.inner(&format!("${name}{subscript}"));
        }
        sigil && named
    }

    /// Reads up to the closing bracket, with brackets of the same kind inside.
    pub(super) fn delimited(&mut self, open: char, kind: Kind) -> (String, bool) {
        let close = closing(open);
        if close == open {
            return self.text(close.encode_utf8(&mut [0; 4]), kind);
        }
        let start = self.cursor.at();
        let mut depth = 1_usize;
        while let Some(c) = self.cursor.bump() {
            match c {
                '\\' => {
                    self.cursor.bump();
                }
                c if c == close => depth = depth.saturating_sub(1),
                c if c == open => depth = depth.saturating_add(1),
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        let raw = self.cursor.since(start);
        let raw = raw.strip_suffix(close).unwrap_or(raw).to_owned();
        if kind == Kind::Raw {
            return (raw, true);
        }
        let computed = kind == Kind::Computed && raw.contains(['$', '@', '#']);
        if computed {
            self.computed_parts(&raw);
        }
        let whole = !computed && !raw.contains('\\');
        (raw, whole)
    }

    /// A part of a regular expression up to its delimiter, which stands for itself behind a
    /// backslash.
    pub(super) fn between(&mut self, open: char) -> String {
        if closing(open) != open {
            return self.delimited(open, Kind::Raw).0;
        }
        let mut text = String::new();
        while let Some(c) = self.cursor.bump().filter(|c| *c != open) {
            let escaped = if c == '\\' { self.cursor.bump() } else { None };
            if escaped != Some(open) {
                text.push(c);
            }
            text.extend(escaped);
        }
        text
    }

    /// Code in a regular expression or in what replaces it: parts that are computed, and `(?{…})`.
    pub(super) fn code_in_pattern(&mut self, text: &str) {
        if text.contains('{') && matches!(self.language, Language::Perl | Language::Ruby) {
            self.computed_parts(text);
            let perl = self.language == Language::Perl;
            text.split("?{").skip(1).filter(|_| perl).for_each(|code| self.inner(code));
        }
    }

    /// Reads the computed parts of a text that was taken already.
    fn computed_parts(&mut self, raw: &str) {
        if self.depth >= 20 {
            return;
        }
        let cursor = Cursor::new(raw);
        let mut inner = Lexer {
            cursor,
            language: self.language,
            tokens: Vec::new(),
            later: Vec::new(),
            depth: self.depth.saturating_add(1),
            heredocs: Vec::new(),
        };
        while !inner.cursor.is_done() {
            if !inner.computed() {
                inner.cursor.bump();
            }
        }
        self.later.append(&mut inner.later);
    }

    /// Words between brackets, as a list of strings.
    pub(super) fn words(&mut self, open: char) {
        let (text, _) = self.delimited(open, Kind::Raw);
        self.tokens.push(Token::Op('['));
        for word in text.split_whitespace() {
            self.tokens.push(Token::Str { text: word.to_owned(), whole: true });
            self.tokens.push(Token::Op(','));
        }
        self.tokens.push(Token::Op(']'));
    }

    /// A regular expression that ends on its line; otherwise the slash divides.
    pub(super) fn regex(&mut self) -> bool {
        let mut ahead = self.cursor;
        ahead.bump();
        let mut bracket = false;
        let start = self.cursor.at();
        loop {
            if ahead.at().saturating_sub(start) > MAX_REGEX {
                return false;
            }
            match ahead.bump() {
                None | Some('\n') => return false,
                Some('\\') => {
                    ahead.bump();
                }
                Some('[') => bracket = true,
                Some(']') => bracket = false,
                Some('/') if !bracket => break,
                Some(_) => {}
            }
        }
        self.cursor = ahead;
        let text = self.cursor.since(start).to_owned();
        self.code_in_pattern(&text);
        self.tokens.push(Token::Num(String::new()));
        true
    }

    /// Announces a here-document, if one starts here.
    pub(super) fn heredoc(&mut self, start: &str) -> bool {
        let mut ahead = self.cursor;
        if !ahead.eat_str(start) {
            return false;
        }
        let indented = ahead.eat('~') || ahead.eat('-') || start.len() == 3;
        if start.len() == 3 {
            ahead.skip_blanks();
        }
        let quote = ahead.peek().filter(|c| matches!(c, '"' | '\'' | '`'));
        if quote.is_some() {
            ahead.bump();
        } else if !ahead.peek().is_some_and(|c| c.is_ascii_uppercase() || c == '_') {
            return false;
        }
        let end = ahead.take_while(|c| c.is_ascii_alphanumeric() || c == '_').to_owned();
        if quote.is_some_and(|quote| !ahead.eat(quote)) || end.is_empty() {
            return false;
        }
        self.cursor = ahead;
        let raw = quote == Some('\'');
        self.heredocs.push(Heredoc { end, raw, indented, command: quote == Some('`') });
        // Its text is added when it has been read; here stands something that is not constant.
        self.tokens.push(Token::Str { text: String::new(), whole: false });
        true
    }

    /// Reads the texts of here-documents that were announced on the line before.
    pub(super) fn read_heredocs(&mut self) {
        for heredoc in std::mem::take(&mut self.heredocs) {
            let mut text = String::new();
            while !self.cursor.is_done() {
                let line = self.cursor.take_line();
                self.cursor.eat('\n');
                let shown = if heredoc.indented { line.trim_start() } else { line };
                if shown.trim_end_matches([';', ')', ',']) == heredoc.end {
                    break;
                }
                text.push_str(line);
                text.push('\n');
            }
            if !heredoc.raw {
                self.computed_parts(&text);
            }
            self.tokens.push(match heredoc.command {
                true => Token::Command { whole: heredoc.raw, text },
                false => Token::Str { whole: heredoc.raw, text },
            });
            self.tokens.push(Token::Newline);
        }
    }
}

pub(super) fn closing(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        '<' => '>',
        other => other,
    }
}
