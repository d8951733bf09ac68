//! Redirections.

use crate::ast::{Descriptor, Part, PartKind, Redirect, RedirectOp, RedirectTarget, Word};

use super::finish::Use;
use super::heredoc::Tabs;
use super::parts::{Parts, Quoting};
use super::token::{Op, breaks_word};
use super::{Parsed, Parser};

/// More digits than any descriptor has.
const MAX_DIGITS: usize = 9;

impl Parser<'_> {
    /// Reads a redirection if one begins here.
    pub(super) fn redirect(&mut self) -> Parsed<Option<Redirect>> {
        let start = self.pos;
        let Some(descriptor) = self.descriptor()? else { return Ok(None) };
        let op = self.redirect_op();
        self.skip_blanks()?;
        let target = self.redirect_target(start, op)?;
        Ok(Some(Redirect { span: self.span(start), descriptor, op, target }))
    }

    /// Reads redirections up to anything else.
    pub(super) fn redirects(&mut self) -> Parsed<Vec<Redirect>> {
        let mut redirects = Vec::new();
        loop {
            self.skip_blanks()?;
            if !matches!(self.peek_op(), Op::Word | Op::Redirect) {
                return Ok(redirects);
            }
            match self.redirect()? {
                Some(redirect) => redirects.push(redirect),
                None => return Ok(redirects),
            }
            self.reserved = false;
        }
    }

    /// Reads the descriptor before an operator; `None` if no redirection begins here.
    fn descriptor(&mut self) -> Parsed<Option<Descriptor>> {
        if self.peek_op() == Op::Redirect {
            return Ok(Some(Descriptor::Implied));
        }
        let start = self.pos;
        let found = match self.peek() {
            Some(b'0'..=b'9') => self.descriptor_number()?,
            Some(b'{') => self.descriptor_variable()?,
            _ => None,
        };
        if found.is_none() {
            self.pos = start;
        }
        Ok(found)
    }

    fn descriptor_number(&mut self) -> Parsed<Option<Descriptor>> {
        let start = self.pos;
        let mut digits = String::new();
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            digits.push(char::from(digit));
            self.bump();
        }
        if !self.at_redirect_sign() {
            return Ok(None);
        }
        match digits.parse() {
            Ok(number) if digits.len() <= MAX_DIGITS => Ok(Some(Descriptor::Number(number))),
            _ => Err(self.unsupported(start, "a descriptor of so many digits")),
        }
    }

    fn descriptor_variable(&mut self) -> Parsed<Option<Descriptor>> {
        let start = self.pos;
        self.bump();
        let Some(name) = self.name() else { return Ok(None) };
        let subscript = self.peek() == Some(b'[');
        if subscript {
            let rest = self.rest();
            let end = rest.bytes().position(breaks_word).unwrap_or(rest.len());
            let sign = rest.as_bytes().get(end);
            if rest.get(..end).is_some_and(|text| text.ends_with("]}"))
                && matches!(sign, Some(b'<' | b'>'))
            {
                return Err(self.unsupported(start, "a descriptor kept in an array"));
            }
            return Ok(None);
        }
        if !self.eat(b'}') || !self.at_redirect_sign() {
            return Ok(None);
        }
        Ok(Some(Descriptor::Variable(name)))
    }

    /// Whether `<` or `>` is next and begins an operator.
    fn at_redirect_sign(&mut self) -> bool {
        matches!(self.peek(), Some(b'<' | b'>')) && self.peek_second() != Some(b'(')
    }

    fn redirect_op(&mut self) -> RedirectOp {
        let (op, length) = match (self.peek(), self.peek_second(), self.peek_third()) {
            (Some(b'&'), _, Some(b'>')) => (RedirectOp::AppendBoth, 3),
            (Some(b'&'), _, _) => (RedirectOp::WriteBoth, 2),
            (Some(b'<'), Some(b'<'), Some(b'<')) => (RedirectOp::HereString, 3),
            (Some(b'<'), Some(b'<'), Some(b'-')) => (RedirectOp::HereDocTabs, 3),
            (Some(b'<'), Some(b'<'), _) => (RedirectOp::HereDoc, 2),
            (Some(b'<'), Some(b'>'), _) => (RedirectOp::ReadWrite, 2),
            (Some(b'<'), Some(b'&'), _) => (RedirectOp::CopyInput, 2),
            (Some(b'<'), _, _) => (RedirectOp::Read, 1),
            (_, Some(b'>'), _) => (RedirectOp::Append, 2),
            (_, Some(b'|'), _) => (RedirectOp::Clobber, 2),
            (_, Some(b'&'), _) => (RedirectOp::CopyOutput, 2),
            _ => (RedirectOp::Write, 1),
        };
        self.bump_by(length);
        op
    }

    fn redirect_target(&mut self, start: usize, op: RedirectOp) -> Parsed<RedirectTarget> {
        let copies = matches!(op, RedirectOp::CopyInput | RedirectOp::CopyOutput);
        // After `<&` and `>&` a `-` is a word of its own, whatever follows.
        if copies && self.peek() == Some(b'-') && !self.peek_second().is_none_or(breaks_word) {
            return Err(
                self.unsupported(start, "text right after the `-` that closes a descriptor")
            );
        }
        if self.peek_op() != Op::Word {
            return Err(self.unexpected());
        }
        let from = self.pos;
        let parts = self.word_parts()?;
        self.refuse_descriptor(from, copies)?;
        if op == RedirectOp::CopyOutput && !stays_itself(&parts) {
            return Err(self.unsupported(from, "text after `>&` that bash expands a second time"));
        }
        let span = self.span(from);
        match op {
            RedirectOp::HereDoc | RedirectOp::HereDocTabs => {
                let tabs = if op == RedirectOp::HereDoc { Tabs::Keep } else { Tabs::Strip };
                let heredoc = self.expect_body(from, Word { span, parts }, tabs)?;
                Ok(RedirectTarget::HereDoc(Box::new(heredoc)))
            }
            RedirectOp::HereString => {
                Ok(RedirectTarget::Word(self.finish_word(span, parts, Use::Value)))
            }
            _ => Ok(RedirectTarget::Word(self.file_word(span, parts)?)),
        }
    }

    /// A number or `{NAME}` right before `<` or `>` is a descriptor, even where a word must stand.
    pub(super) fn refuse_descriptor(&mut self, from: usize, number_fits: bool) -> Parsed<()> {
        let text = self.slice(from, self.pos);
        let number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let inside = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
        let variable = inside.is_some_and(|text| !text.is_empty() && !text.contains([',', '.']));
        let descriptor = variable || (number && !number_fits);
        if descriptor && matches!(self.peek(), Some(b'<' | b'>')) {
            return Err(self.syntax(from, "a descriptor where a word must stand"));
        }
        Ok(())
    }

    /// The name of a file is expanded like an argument but must stay one word.
    fn file_word(&mut self, span: crate::span::Span, parts: Vec<Part>) -> Parsed<Word> {
        let mut words = Vec::new();
        self.finish_words(span, parts.clone(), Use::Argument, &mut words)?;
        Ok(match words.pop() {
            Some(word) if words.is_empty() => word,
            _ => {
                let mut whole = Parts::default();
                whole.push(span, Quoting::Plain, PartKind::Braces(parts));
                Word { span, parts: whole.finish() }
            }
        })
    }
}

/// Whether a word stays what it is however often it is expanded: quotes are gone the second time.
fn stays_itself(parts: &[Part]) -> bool {
    let is_tilde = |part: &Part| matches!(&part.kind, PartKind::Literal(text) if text == "~");
    let hides_tilde = parts.iter().any(is_tilde) && parts.iter().any(|part| part.quoted);
    !hides_tilde && parts.iter().all(expands_to_itself)
}

/// Whether the text of a part stays what it is however often it is expanded.
fn expands_to_itself(part: &Part) -> bool {
    let same = |c: char| c.is_ascii_alphanumeric() || "_-./:@%+,=".contains(c) || !c.is_ascii();
    match &part.kind {
        PartKind::Literal(text) => text.chars().all(same) || (!part.quoted && text == "~"),
        _ => true,
    }
}
