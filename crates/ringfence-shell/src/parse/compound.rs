//! Compound commands.

use crate::ast::{
    Arith, Command, Compound, CompoundKind, ForCommand, ForKind, IfCommand, LoopCommand, LoopKind,
    Part, PartKind, Script, Word,
};

use super::finish::Use;
use super::token::{Keyword, Op};
use super::{Parsed, Parser};

impl Parser<'_> {
    /// Reads a compound command and its redirections.
    pub(super) fn compound_command(&mut self) -> Parsed<Command> {
        Ok(Command::Compound(Box::new(self.compound()?)))
    }

    pub(super) fn compound(&mut self) -> Parsed<Compound> {
        let start = self.pos;
        let kind = self.nested(start, |parser| parser.compound_kind())?;
        let end = self.pos;
        // A reserved word may follow at once, but not after a redirection.
        self.reserved = true;
        let redirects = self.redirects()?;
        let span = match redirects.last() {
            Some(last) => self.source.span(start, end).to(last.span),
            None => self.source.span(start, end),
        };
        Ok(Compound { span, kind, redirects })
    }

    fn compound_kind(&mut self) -> Parsed<CompoundKind> {
        if self.peek() == Some(b'(') {
            return self.paren_command();
        }
        let Some(keyword) = self.peek_keyword() else { return Err(self.unexpected()) };
        let start = self.pos;
        match keyword {
            Keyword::OpenBrace => self.group_command(),
            Keyword::If => self.if_command(),
            Keyword::While => self.loop_command(Keyword::While, LoopKind::While),
            Keyword::Until => self.loop_command(Keyword::Until, LoopKind::Until),
            Keyword::For => {
                self.take_keyword(Keyword::For);
                self.skip_blanks()?;
                if self.peek() == Some(b'(') {
                    return self.arith_for_command(start);
                }
                self.for_command(start, ForKind::For)
            }
            Keyword::Select => {
                self.take_keyword(Keyword::Select);
                self.for_command(start, ForKind::Select)
            }
            Keyword::Case => self.case_command(),
            Keyword::OpenCond => self.cond_command(),
            _ => Err(self.unexpected()),
        }
    }

    /// Whether a compound command begins here.
    pub(super) fn at_compound(&mut self) -> bool {
        self.peek() == Some(b'(')
            || matches!(
                self.peek_keyword(),
                Some(
                    Keyword::OpenBrace
                        | Keyword::If
                        | Keyword::While
                        | Keyword::Until
                        | Keyword::For
                        | Keyword::Select
                        | Keyword::Case
                        | Keyword::OpenCond
                )
            )
    }

    /// Reads `(( … ))` or `( … )`.
    fn paren_command(&mut self) -> Parsed<CompoundKind> {
        let start = self.pos;
        if self.peek_second() != Some(b'(') {
            return self.subshell(start);
        }
        self.bump_by(2);
        let from = self.pos;
        if let Some(arith) = self.double_paren(start)? {
            return Ok(CompoundKind::Arith(arith));
        }
        if self.counted > 0 {
            return Err(self.unsupported(start, "`((` that is not arithmetic inside another"));
        }
        // Bash reads the text again from the first parenthesis, and a newline after the one that
        // closes the second is too much for it.
        if self.closes_before_newline(from) {
            return Err(self.unsupported(start, "a newline after `((` that is not arithmetic"));
        }
        self.retry(start)?;
        let kind = self.counting(|parser| parser.subshell(start))?;
        self.refuse_other_close(start)?;
        Ok(kind)
    }

    fn subshell(&mut self, start: usize) -> Parsed<CompoundKind> {
        self.bump();
        let script = self.body()?;
        self.skip_blanks()?;
        if self.peek().is_none() {
            return Err(self.syntax(start, "`(` is never closed"));
        }
        self.expect(b')')?;
        Ok(CompoundKind::Subshell(script))
    }

    fn group_command(&mut self) -> Parsed<CompoundKind> {
        Ok(CompoundKind::Group(self.braced_body()?))
    }

    fn braced_body(&mut self) -> Parsed<Script> {
        self.expect_keyword(Keyword::OpenBrace)?;
        let script = self.body()?;
        self.expect_keyword(Keyword::CloseBrace)?;
        Ok(script)
    }

    fn if_command(&mut self) -> Parsed<CompoundKind> {
        let mut branches = Vec::new();
        let mut otherwise = None;
        self.expect_keyword(Keyword::If)?;
        loop {
            let condition = self.body()?;
            self.expect_keyword(Keyword::Then)?;
            let body = self.body()?;
            branches.push((condition, body));
            if !self.reserved || !self.take_keyword(Keyword::Elif) {
                break;
            }
        }
        if self.reserved && self.take_keyword(Keyword::Else) {
            otherwise = Some(self.body()?);
        }
        self.expect_keyword(Keyword::Fi)?;
        Ok(CompoundKind::If(IfCommand { branches, otherwise }))
    }

    fn loop_command(&mut self, keyword: Keyword, kind: LoopKind) -> Parsed<CompoundKind> {
        self.expect_keyword(keyword)?;
        let condition = self.body()?;
        let body = self.do_body()?;
        Ok(CompoundKind::Loop(LoopCommand { kind, condition, body }))
    }

    fn do_body(&mut self) -> Parsed<Script> {
        self.expect_keyword(Keyword::Do)?;
        let body = self.body()?;
        self.expect_keyword(Keyword::Done)?;
        Ok(body)
    }

    /// Reads `do … done`, or `{ … }` where bash takes it.
    fn for_body(&mut self) -> Parsed<Script> {
        self.reserved = true;
        if self.peek_keyword() == Some(Keyword::OpenBrace) {
            return self.braced_body();
        }
        self.do_body()
    }

    /// Reads a `for` or `select` after its reserved word.
    fn for_command(&mut self, start: usize, kind: ForKind) -> Parsed<CompoundKind> {
        self.skip_blanks()?;
        let Some(name) = self.name() else {
            if self.peek_op() != Op::Word {
                return Err(self.unexpected());
            }
            return Err(self.unsupported(start, "a loop variable that is no name"));
        };
        if !matches!(self.peek(), None | Some(b' ' | b'\t' | b'\n' | b';')) {
            return Err(self.unsupported(start, "a loop variable that is no name"));
        }
        self.skip_blanks()?;
        let same_line = self.pos;
        let words = self.for_words()?;
        self.reserved = true;
        if words.is_none() && self.peek_keyword() == Some(Keyword::OpenBrace) {
            // `{` is not reserved right after the name; further on it is, but then bash goes on to
            // look for `in` and takes the next one that it meets.
            if self.pos == same_line {
                return Err(self.unexpected());
            }
            return Err(self.unsupported(start, "braces around the body of a loop without `in`"));
        }
        let body = self.for_body()?;
        Ok(CompoundKind::For(ForCommand { kind, name, words, body }))
    }

    /// Reads `in WORDS` and the separator after them, or what stands instead.
    fn for_words(&mut self) -> Parsed<Option<Vec<Word>>> {
        if self.peek_op() == Op::Semi {
            self.bump();
            self.skip_newlines()?;
            return Ok(None);
        }
        let line = self.pos;
        self.skip_newlines()?;
        let same_line = self.pos == line;
        if !self.take_keyword(Keyword::In) {
            return Ok(None);
        }
        // Bash takes it for the `in` of the `case` around it.
        if !same_line && self.cases > 0 {
            return Err(self.unsupported(line, "a newline before `in` inside `case`"));
        }
        let mut words = Vec::new();
        loop {
            self.skip_blanks()?;
            match self.peek_op() {
                Op::Word => {
                    let start = self.pos;
                    let parts = self.word_parts()?;
                    let span = self.span(start);
                    self.finish_words(span, parts, Use::Argument, &mut words)?;
                }
                Op::Semi => {
                    self.bump();
                    break;
                }
                Op::Newline => break,
                _ => return Err(self.unexpected()),
            }
        }
        self.skip_newlines()?;
        Ok(Some(words))
    }

    /// Reads `for (( … ))` after its reserved word.
    fn arith_for_command(&mut self, start: usize) -> Parsed<CompoundKind> {
        if self.peek_second() != Some(b'(') {
            return Err(self.unexpected());
        }
        self.bump_by(2);
        let Some(header) = self.double_paren(start)? else {
            return Err(self.unsupported(start, "`for ((` is not closed by `))`"));
        };
        if semicolons(&header) != 2 {
            return Err(self.syntax(start, "`for ((` needs three expressions"));
        }
        self.skip_blanks()?;
        if self.peek_op() == Op::Semi {
            self.bump();
        }
        self.skip_newlines()?;
        let body = self.for_body()?;
        Ok(CompoundKind::ArithFor { header, body })
    }
}

fn semicolons(arith: &Arith) -> usize {
    let count = |part: &Part| match &part.kind {
        PartKind::Literal(text) if !part.quoted => text.matches(';').count(),
        _ => 0,
    };
    arith.parts.iter().map(count).sum()
}
