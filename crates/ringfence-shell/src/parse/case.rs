//! `case`.

use crate::ast::{CaseClause, CaseCommand, CaseEnd, CompoundKind, Word};

use super::finish::Use;
use super::list::Extent;
use super::token::{Keyword, Op};
use super::{Parsed, Parser};

impl Parser<'_> {
    pub(super) fn case_command(&mut self) -> Parsed<CompoundKind> {
        self.expect_keyword(Keyword::Case)?;
        self.skip_blanks()?;
        let word = self.case_word(Use::Text)?;
        self.skip_newlines()?;
        self.reserved = true;
        self.expect_keyword(Keyword::In)?;
        self.skip_newlines()?;
        self.cases = self.cases.saturating_add(1);
        let clauses = self.case_clauses();
        self.cases = self.cases.saturating_sub(1);
        Ok(CompoundKind::Case(CaseCommand { word, clauses: clauses? }))
    }

    fn case_clauses(&mut self) -> Parsed<Vec<CaseClause>> {
        let mut clauses = Vec::new();
        while !self.take_keyword(Keyword::Esac) {
            let (clause, last) = self.case_clause()?;
            clauses.push(clause);
            if last {
                self.expect_keyword(Keyword::Esac)?;
                break;
            }
            self.skip_newlines()?;
        }
        Ok(clauses)
    }

    /// Reads a clause, and whether nothing but `esac` may follow.
    fn case_clause(&mut self) -> Parsed<(CaseClause, bool)> {
        let start = self.pos;
        let patterns = self.case_patterns(start)?;
        let body = self.list(Extent::Part)?;
        self.skip_blanks()?;
        let op = self.peek_op();
        let (end, last) = match op {
            Op::SemiSemi => (CaseEnd::Leave, false),
            Op::SemiAmp => (CaseEnd::FallThrough, false),
            Op::SemiSemiAmp => (CaseEnd::TryNext, false),
            _ => (CaseEnd::Leave, true),
        };
        self.take_op(if last { Op::End } else { op });
        Ok((CaseClause { patterns, body, end }, last))
    }

    /// Reads the patterns of a clause and the parenthesis after them.
    fn case_patterns(&mut self, start: usize) -> Parsed<Vec<Word>> {
        if self.eat(b'(') {
            self.skip_blanks()?;
            if self.peek_keyword() == Some(Keyword::Esac) {
                return Err(self.unsupported(start, "`esac` as a pattern"));
            }
        } else if self.counted > 0 {
            return Err(self.unsupported(
                start,
                "a pattern without its opening parenthesis inside parentheses that bash counts",
            ));
        }
        let mut patterns = Vec::new();
        loop {
            self.skip_blanks()?;
            let pattern = self.case_word(Use::Pattern)?;
            // Inside braces bash takes it for their end.
            if pattern.as_bare() == Some("}") {
                return Err(self.unsupported(start, "`}` as a pattern"));
            }
            patterns.push(pattern);
            self.skip_blanks()?;
            match self.peek_op() {
                Op::Pipe => self.bump(),
                Op::CloseParen => {
                    self.bump();
                    return Ok(patterns);
                }
                _ => return Err(self.unexpected()),
            }
        }
    }

    fn case_word(&mut self, usage: Use) -> Parsed<Word> {
        if self.peek_op() != Op::Word {
            return Err(self.unexpected());
        }
        let start = self.pos;
        let parts = self.word_parts()?;
        let span = self.span(start);
        Ok(self.finish_word(span, parts, usage))
    }
}
