//! Operators and reserved words.

use crate::error::ParseError;

use super::{Parsed, Parser};

/// What begins at a place between tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    End,
    Newline,
    Semi,
    SemiSemi,
    SemiAmp,
    SemiSemiAmp,
    Amp,
    AndAnd,
    Pipe,
    PipeAmp,
    OrOr,
    OpenParen,
    CloseParen,
    Redirect,
    Word,
}

impl Op {
    /// How many bytes the operator has.
    pub(super) fn len(self) -> usize {
        match self {
            Op::End | Op::Redirect | Op::Word => 0,
            Op::Newline | Op::Semi | Op::Amp | Op::Pipe | Op::OpenParen | Op::CloseParen => 1,
            Op::SemiSemi | Op::SemiAmp | Op::AndAnd | Op::PipeAmp | Op::OrOr => 2,
            Op::SemiSemiAmp => 3,
        }
    }
}

/// A reserved word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keyword {
    If,
    Then,
    Elif,
    Else,
    Fi,
    While,
    Until,
    For,
    Select,
    Do,
    Done,
    Case,
    In,
    Esac,
    Function,
    Coproc,
    Time,
    Bang,
    OpenBrace,
    CloseBrace,
    OpenCond,
    CloseCond,
}

impl Keyword {
    pub(super) fn read(text: &[u8]) -> Option<Keyword> {
        Some(match text {
            b"if" => Keyword::If,
            b"then" => Keyword::Then,
            b"elif" => Keyword::Elif,
            b"else" => Keyword::Else,
            b"fi" => Keyword::Fi,
            b"while" => Keyword::While,
            b"until" => Keyword::Until,
            b"for" => Keyword::For,
            b"select" => Keyword::Select,
            b"do" => Keyword::Do,
            b"done" => Keyword::Done,
            b"case" => Keyword::Case,
            b"in" => Keyword::In,
            b"esac" => Keyword::Esac,
            b"function" => Keyword::Function,
            b"coproc" => Keyword::Coproc,
            b"time" => Keyword::Time,
            b"!" => Keyword::Bang,
            b"{" => Keyword::OpenBrace,
            b"}" => Keyword::CloseBrace,
            b"[[" => Keyword::OpenCond,
            b"]]" => Keyword::CloseCond,
            _ => return None,
        })
    }

    /// Whether it ends a list instead of beginning a command.
    pub(super) fn ends_list(self) -> bool {
        matches!(
            self,
            Keyword::Then
                | Keyword::Elif
                | Keyword::Else
                | Keyword::Fi
                | Keyword::Do
                | Keyword::Done
                | Keyword::In
                | Keyword::Esac
                | Keyword::CloseBrace
                | Keyword::CloseCond
        )
    }
}

/// Whether a byte ends a word that is not quoted.
pub(super) fn breaks_word(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'(' | b')' | b'<' | b'>' | b';' | b'&' | b'|')
}

/// The longest reserved word, `function`.
const LONGEST: usize = 8;

impl Parser<'_> {
    /// What begins here.
    pub(super) fn peek_op(&mut self) -> Op {
        let Some(byte) = self.peek() else { return Op::End };
        match byte {
            b'\n' => Op::Newline,
            b'(' => Op::OpenParen,
            b')' => Op::CloseParen,
            b';' => match (self.peek_second(), self.peek_third()) {
                (Some(b';'), Some(b'&')) => Op::SemiSemiAmp,
                (Some(b';'), _) => Op::SemiSemi,
                (Some(b'&'), _) => Op::SemiAmp,
                _ => Op::Semi,
            },
            b'&' => match self.peek_second() {
                Some(b'&') => Op::AndAnd,
                Some(b'>') => Op::Redirect,
                _ => Op::Amp,
            },
            b'|' => match self.peek_second() {
                Some(b'|') => Op::OrOr,
                Some(b'&') => Op::PipeAmp,
                _ => Op::Pipe,
            },
            b'<' | b'>' if self.peek_second() == Some(b'(') => Op::Word,
            b'<' | b'>' => Op::Redirect,
            _ => Op::Word,
        }
    }

    /// Steps over the operator.
    pub(super) fn take_op(&mut self, op: Op) {
        self.bump_by(op.len());
    }

    /// The unquoted word that begins here, if it is a reserved word.
    pub(super) fn peek_keyword(&mut self) -> Option<Keyword> {
        self.scan_keyword().map(|(keyword, _)| keyword)
    }

    /// Steps over a reserved word.
    pub(super) fn take_keyword(&mut self, wanted: Keyword) -> bool {
        match self.scan_keyword() {
            Some((keyword, end)) if keyword == wanted => {
                self.pos = end;
                self.reserved = true;
                true
            }
            _ => false,
        }
    }

    fn scan_keyword(&mut self) -> Option<(Keyword, usize)> {
        if !b"itefwusdc!{}[]".contains(&self.peek()?) {
            return None;
        }
        let mut text = [0; LONGEST];
        let mut length = 0_usize;
        let mut at = self.pos;
        while let Some(byte) = self.byte(at) {
            if breaks_word(byte) {
                if matches!(byte, b'<' | b'>') && self.byte(self.after(at)) == Some(b'(') {
                    return None;
                }
                break;
            }
            *text.get_mut(length)? = byte;
            length = length.saturating_add(1);
            at = self.after(at);
        }
        Some((Keyword::read(text.get(..length)?)?, at))
    }

    /// Steps over an unquoted word of exactly this text.
    pub(super) fn eat_bare(&mut self, wanted: &str) -> bool {
        if self.peek().is_none() {
            return false;
        }
        let mut at = self.pos;
        for byte in wanted.bytes() {
            if self.byte(at) != Some(byte) {
                return false;
            }
            at = self.after(at);
        }
        let process =
            matches!(self.byte(at), Some(b'<' | b'>')) && self.byte(self.after(at)) == Some(b'(');
        let ends = self.byte(at).is_none_or(breaks_word) && !process;
        if ends {
            self.pos = at;
        }
        ends
    }

    /// Steps over a reserved word that must stand here.
    pub(super) fn expect_keyword(&mut self, wanted: Keyword) -> Parsed<()> {
        self.skip_blanks()?;
        if self.reserved && self.take_keyword(wanted) {
            return Ok(());
        }
        Err(self.unexpected())
    }

    /// Steps over a byte that must stand here.
    pub(super) fn expect(&mut self, wanted: u8) -> Parsed<()> {
        self.skip_blanks()?;
        if self.eat(wanted) { Ok(()) } else { Err(self.unexpected()) }
    }

    /// The error that what begins here may not stand here.
    pub(super) fn unexpected(&mut self) -> ParseError {
        let start = self.pos;
        match self.peek_op() {
            Op::End => self.syntax(start, "unexpected end"),
            Op::Newline => self.syntax(start, "unexpected newline"),
            Op::Word => {
                self.take_while(|byte| !breaks_word(byte));
                self.unexpected_text(start)
            }
            Op::Redirect => {
                self.bump();
                self.unexpected_text(start)
            }
            op => {
                self.take_op(op);
                self.unexpected_text(start)
            }
        }
    }

    fn unexpected_text(&mut self, start: usize) -> ParseError {
        let text: String = self.slice(start, self.pos).chars().take(40).collect();
        self.syntax(start, format!("unexpected `{text}`"))
    }
}
