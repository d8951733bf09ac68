//! The words of a program in a general language: names, strings with their quotes taken off, and
//! single characters for everything else. Comments are gone.
//!
//! Strings of each language stand in [`super::quotes`].

use ringfence_core::access::Text;

use super::super::cursor::Cursor;
use super::Language;

/// A piece of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    Word(Text),
    /// A string; not whole if it has parts that are computed.
    Str {
        text: String,
        whole: bool,
    },
    /// A command in backquotes.
    Command {
        text: String,
        whole: bool,
    },
    Num(String),
    Op(char),
    Newline,
}

pub(super) struct Lexer<'t> {
    pub(super) cursor: Cursor<'t>,
    pub(super) language: Language,
    pub(super) tokens: Vec<Token>,
    /// Code that stands inside of strings; it comes after all else.
    pub(super) later: Vec<Token>,
    /// How deep this lies in parts of strings that are computed.
    pub(super) depth: usize,
    /// Here-documents whose text starts on the next line.
    pub(super) heredocs: Vec<super::strings::Heredoc>,
}

/// Splits a program into tokens.
pub(super) fn tokens(language: Language, code: &str, depth: usize) -> Vec<Token> {
    let cursor = Cursor::new(code);
    // Most code is short, and has about so many tokens.
    let expected = (code.len() / 3).min(64);
    let mut lexer = Lexer {
        cursor,
        language,
        tokens: Vec::with_capacity(expected),
        later: Vec::new(),
        depth,
        heredocs: Vec::new(),
    };
    while let Some(c) = lexer.cursor.peek() {
        lexer.step(c);
    }
    lexer.tokens.append(&mut lexer.later);
    lexer.tokens
}

impl Lexer<'_> {
    fn step(&mut self, c: char) {
        if c == '\n' {
            self.cursor.bump();
            self.tokens.push(Token::Newline);
            self.read_heredocs();
        } else if c.is_whitespace() {
            self.cursor.bump();
        } else if matches!(c, '#' | '/' | '-' | '=') && self.comment() || self.quoted(c) {
        } else if c.is_ascii_digit() {
            let digits = self.cursor.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
            self.tokens.push(Token::Num(digits.to_owned()));
        } else if is_name(c) {
            let name = self.cursor.take_while(is_name);
            self.tokens.push(Token::Word(name.into()));
        } else {
            self.cursor.bump();
            if c == '\\' && self.cursor.eat('\n') {
                return;
            }
            self.tokens.push(Token::Op(c));
        }
    }

    fn comment(&mut self) -> bool {
        let rest = self.cursor.rest();
        let at_line_start =
            self.cursor.at() == 0 || matches!(self.tokens.last(), Some(Token::Newline));
        let block = match self.language {
            Language::Node | Language::Php if rest.starts_with("/*") => Some("*/"),
            Language::Julia if rest.starts_with("#=") => Some("=#"),
            Language::Lua if rest.starts_with("--[[") => Some("]]"),
            Language::Ruby if at_line_start && rest.starts_with("=begin") => Some("\n=end"),
            Language::Perl if at_line_start && is_pod(rest) => Some("\n=cut"),
            _ => None,
        };
        if let Some(end) = block {
            let length = rest.find(end).map_or(rest.len(), |at| at.saturating_add(end.len()));
            self.cursor.eat_str(rest.get(..length).unwrap_or(rest));
            return true;
        }
        let line = match self.language {
            Language::Node => rest.starts_with("//"),
            Language::Php => {
                rest.starts_with("//") || (rest.starts_with('#') && !rest.starts_with("#["))
            }
            Language::Lua => rest.starts_with("--"),
            // `$#array` is no comment.
            Language::Perl => {
                rest.starts_with('#') && !matches!(self.tokens.last(), Some(Token::Op('$')))
            }
            Language::Python | Language::Ruby | Language::R | Language::Julia => {
                rest.starts_with('#')
            }
        };
        if line {
            self.cursor.take_line();
        }
        line
    }

    /// Whether a slash here starts a regular expression: nothing stands before it that could be
    /// divided.
    pub(super) fn expects_value(&self) -> bool {
        match self.tokens.last() {
            None | Some(Token::Newline) => true,
            Some(Token::Op(c)) => !matches!(c, ')' | ']' | '}'),
            Some(Token::Word(word)) => matches!(
                word.as_str(),
                "return"
                    | "typeof"
                    | "case"
                    | "in"
                    | "of"
                    | "if"
                    | "unless"
                    | "and"
                    | "or"
                    | "not"
                    | "split"
                    | "grep"
                    | "when"
                    | "while"
                    | "until"
                    | "join"
            ),
            _ => false,
        }
    }

    /// Reads a computed part of a string as code of its own.
    pub(super) fn inner(&mut self, code: &str) {
        if self.depth < 20 {
            let more = tokens(self.language, code, self.depth.saturating_add(1));
            self.later.push(Token::Op(';'));
            self.later.extend(more);
        }
    }
}

fn is_pod(rest: &str) -> bool {
    rest.strip_prefix('=').is_some_and(|name| name.starts_with(|c: char| c.is_ascii_lowercase()))
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
