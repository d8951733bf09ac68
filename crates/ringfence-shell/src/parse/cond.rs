//! `[[ … ]]`.

use crate::ast::{BinaryOperator, CompoundKind, Cond, Word};

use super::finish::Use;
use super::token::{Keyword, Op};
use super::{Extglob, Parsed, Parser};

/// The letters of the operators that take one word.
const UNARY: &str = "abcdefghknoprstuvwxzGLNORS";

impl Parser<'_> {
    pub(super) fn cond_command(&mut self) -> Parsed<CompoundKind> {
        self.expect_keyword(Keyword::OpenCond)?;
        let cond = self.cond_any()?;
        self.skip_inner_newlines()?;
        if !self.take_keyword(Keyword::CloseCond) {
            return Err(self.unexpected());
        }
        Ok(CompoundKind::Cond(cond))
    }

    fn cond_any(&mut self) -> Parsed<Cond> {
        let mut terms = vec![self.cond_all()?];
        while self.cond_operator(Op::OrOr)? {
            terms.push(self.cond_all()?);
        }
        Ok(one_or(terms, Cond::Any))
    }

    fn cond_all(&mut self) -> Parsed<Cond> {
        let mut terms = vec![self.cond_term()?];
        while self.cond_operator(Op::AndAnd)? {
            terms.push(self.cond_term()?);
        }
        Ok(one_or(terms, Cond::All))
    }

    fn cond_operator(&mut self, wanted: Op) -> Parsed<bool> {
        self.skip_inner_newlines()?;
        let found = self.peek_op() == wanted;
        if found {
            self.take_op(wanted);
        }
        Ok(found)
    }

    fn cond_term(&mut self) -> Parsed<Cond> {
        let mut negated = false;
        loop {
            self.skip_inner_newlines()?;
            if !self.cond_bang()? {
                break;
            }
            negated = !negated;
        }
        let term = match self.peek_op() {
            Op::OpenParen => {
                let start = self.pos;
                self.bump();
                let inner = self.nested(start, |parser| parser.cond_any())?;
                self.skip_inner_newlines()?;
                self.expect(b')')?;
                Cond::Group(Box::new(inner))
            }
            Op::Word if self.peek_keyword() != Some(Keyword::CloseCond) => self.cond_test()?,
            _ => return Err(self.unexpected()),
        };
        Ok(if negated { Cond::Not(Box::new(term)) } else { term })
    }

    /// Steps over a `!`.
    fn cond_bang(&mut self) -> Parsed<bool> {
        if self.peek_keyword() != Some(Keyword::Bang) {
            return Ok(false);
        }
        if self.peek_second() == Some(b'(') {
            match self.shared.extglob {
                Extglob::On => return Ok(false),
                Extglob::Unknown => return Err(self.unknown_extglob()),
                Extglob::Off | Extglob::Here => {}
            }
        }
        Ok(self.take_keyword(Keyword::Bang))
    }

    fn cond_test(&mut self) -> Parsed<Cond> {
        let start = self.pos;
        let mut left = self.cond_word()?;
        if let Some(operator) = unary(&left) {
            self.skip_blanks()?;
            if !self.at_operand() {
                return Err(self.unexpected());
            }
            let start = self.pos;
            let mut operand = self.cond_word()?;
            if operator == 'v' {
                operand.parts = self.evaluated(start, operand.parts)?;
            }
            return Ok(Cond::Unary { operator, operand });
        }
        self.skip_blanks()?;
        let Some(operator) = self.binary()? else {
            let ends = matches!(self.peek_op(), Op::AndAnd | Op::OrOr | Op::CloseParen)
                || self.peek_keyword() == Some(Keyword::CloseCond);
            return if ends { Ok(Cond::Word(left)) } else { Err(self.unexpected()) };
        };
        self.skip_blanks()?;
        let mut right = self.cond_right(operator)?;
        if operator == BinaryOperator::Numbers {
            left.parts = self.evaluated(start, left.parts)?;
            right.parts = self.evaluated(start, right.parts)?;
        }
        Ok(Cond::Binary { operator, left, right })
    }

    /// Whether a word begins here that is not `]]`.
    fn at_operand(&mut self) -> bool {
        self.peek_op() == Op::Word && self.peek_keyword() != Some(Keyword::CloseCond)
    }

    fn cond_word(&mut self) -> Parsed<Word> {
        let start = self.pos;
        let parts = self.word_parts()?;
        self.refuse_descriptor(start, false)?;
        let span = self.span(start);
        Ok(self.finish_word(span, parts, Use::Text))
    }

    /// Reads an operator between two words, if one stands here.
    fn binary(&mut self) -> Parsed<Option<BinaryOperator>> {
        match (self.peek(), self.peek_second()) {
            (Some(b'<' | b'>'), Some(b'<' | b'>' | b'&' | b'|' | b'(')) => return Ok(None),
            (Some(b'<'), _) => {
                self.bump();
                return Ok(Some(BinaryOperator::Before));
            }
            (Some(b'>'), _) => {
                self.bump();
                return Ok(Some(BinaryOperator::After));
            }
            _ => {}
        }
        for (text, operator) in BINARY {
            if self.eat_bare(text) {
                return Ok(Some(operator));
            }
        }
        Ok(None)
    }

    fn cond_right(&mut self, operator: BinaryOperator) -> Parsed<Word> {
        let start = self.pos;
        let parts = match operator {
            BinaryOperator::Regex => {
                let begins = matches!(self.peek_op(), Op::Word | Op::OpenParen | Op::Pipe);
                if !begins || self.peek_keyword() == Some(Keyword::CloseCond) {
                    return Err(self.unexpected());
                }
                self.regex_parts()?
            }
            _ if !self.at_operand() => return Err(self.unexpected()),
            BinaryOperator::Matches | BinaryOperator::Differs => {
                let outside = self.shared.extglob;
                self.shared.extglob = Extglob::Here;
                let parts = self.word_parts();
                self.shared.extglob = outside;
                parts?
            }
            _ => self.word_parts()?,
        };
        self.refuse_descriptor(start, false)?;
        let span = self.span(start);
        Ok(self.finish_word(span, parts, Use::Pattern))
    }
}

const BINARY: [(&str, BinaryOperator); 13] = [
    ("=", BinaryOperator::Matches),
    ("==", BinaryOperator::Matches),
    ("!=", BinaryOperator::Differs),
    ("=~", BinaryOperator::Regex),
    ("-nt", BinaryOperator::Files),
    ("-ot", BinaryOperator::Files),
    ("-ef", BinaryOperator::Files),
    ("-eq", BinaryOperator::Numbers),
    ("-ne", BinaryOperator::Numbers),
    ("-lt", BinaryOperator::Numbers),
    ("-le", BinaryOperator::Numbers),
    ("-gt", BinaryOperator::Numbers),
    ("-ge", BinaryOperator::Numbers),
];

/// The letter of the operator, if the word is one that takes one word.
fn unary(word: &Word) -> Option<char> {
    let letter = word.as_bare()?.strip_prefix('-')?;
    if letter.len() == 1 && UNARY.contains(letter) { letter.chars().next() } else { None }
}

fn one_or(mut terms: Vec<Cond>, several: fn(Vec<Cond>) -> Cond) -> Cond {
    match terms.pop() {
        Some(only) if terms.is_empty() => only,
        Some(last) => {
            terms.push(last);
            several(terms)
        }
        None => several(terms),
    }
}
