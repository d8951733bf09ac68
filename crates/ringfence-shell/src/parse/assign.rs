//! Assignments and arrays.

use crate::ast::{ArrayElement, Assignment, AssignmentValue, Part, PartKind, SimpleCommand, Word};

use super::finish::Use;
use super::token::{Op, breaks_word};
use super::{Parsed, Parser};

impl Parser<'_> {
    /// Reads an assignment if one begins here.
    pub(super) fn assignment(&mut self, command: &mut SimpleCommand) -> Parsed<bool> {
        let start = self.pos;
        let Some(name) = self.name() else { return Ok(false) };
        let subscript = if self.peek() == Some(b'[') { Some(self.subscript()?) } else { None };
        let append = self.peek() == Some(b'+') && self.peek_second() == Some(b'=');
        if append {
            self.bump();
        }
        if !self.eat(b'=') {
            if subscript.is_some() {
                self.refuse_spaced_subscript(start)?;
                self.retry(start)?;
            }
            self.pos = start;
            return Ok(false);
        }
        let value = self.assigned_value(start, subscript.is_some())?;
        let span = self.span(start);
        command.assignments.push(Assignment { span, name, subscript, append, value });
        Ok(true)
    }

    /// A name in brackets need not be an assignment, and then bash still reads it as one word.
    fn refuse_spaced_subscript(&mut self, start: usize) -> Parsed<()> {
        if self.slice(start, self.pos).bytes().any(breaks_word) {
            return Err(self.unsupported(start, "a subscript with blanks outside an assignment"));
        }
        Ok(())
    }

    fn assigned_value(&mut self, start: usize, element: bool) -> Parsed<AssignmentValue> {
        if self.peek() == Some(b'(') {
            if element {
                return Err(self.unsupported(start, "an array assigned to an element"));
            }
            return Ok(AssignmentValue::Array(self.array()?));
        }
        Ok(AssignmentValue::Scalar(self.value()?))
    }

    /// Reads the text of a value, which may be empty.
    fn value(&mut self) -> Parsed<Word> {
        let start = self.pos;
        let parts = self.word_parts()?;
        let span = self.span(start);
        Ok(self.finish_word(span, parts, Use::Value))
    }

    /// Reads the name of a variable, if one begins here.
    pub(super) fn name(&mut self) -> Option<String> {
        let mut name = String::new();
        while let Some(byte) = self.peek() {
            let fits = byte == b'_'
                || if name.is_empty() {
                    byte.is_ascii_alphabetic()
                } else {
                    byte.is_ascii_alphanumeric()
                };
            if !fits {
                break;
            }
            name.push(char::from(byte));
            self.bump();
        }
        if name.is_empty() { None } else { Some(name) }
    }

    /// Reads `[ … ]`.
    pub(super) fn subscript(&mut self) -> Parsed<Vec<Part>> {
        let start = self.pos;
        self.bump();
        self.nested(start, |parser| parser.bracketed(start))
    }

    /// Reads `NAME=( … )` among the arguments of `declare` and kin, if it begins here.
    pub(super) fn array_argument(&mut self) -> Parsed<Option<Word>> {
        let start = self.pos;
        let Some(mut text) = self.name() else { return Ok(None) };
        if self.peek() == Some(b'+') && self.peek_second() == Some(b'=') {
            self.bump();
            text.push('+');
        }
        if self.peek() != Some(b'=') || self.peek_second() != Some(b'(') {
            self.pos = start;
            return Ok(None);
        }
        self.bump();
        text.push('=');
        let name = Part { span: self.span(start), quoted: false, kind: PartKind::Literal(text) };
        let open = self.pos;
        let elements = self.array()?;
        let array = Part { span: self.span(open), quoted: false, kind: PartKind::Array(elements) };
        Ok(Some(Word { span: self.span(start), parts: vec![name, array] }))
    }

    /// Reads `( … )` after `=`.
    fn array(&mut self) -> Parsed<Vec<ArrayElement>> {
        let start = self.pos;
        self.bump();
        let elements = self.nested(start, |parser| parser.array_elements(start))?;
        self.bump();
        // Bash writes out the text of `$( )` again to run it, and loses these.
        if self.heredocs.is_inside() && self.slice(start, self.pos).contains('\\') {
            return Err(self.unsupported(start, "a backslash in an array in a substitution"));
        }
        if !self.peek().is_none_or(breaks_word) {
            return Err(self.unsupported(start, "text right after an array"));
        }
        Ok(elements)
    }

    /// Reads elements up to the parenthesis that closes the list, which stays.
    fn array_elements(&mut self, start: usize) -> Parsed<Vec<ArrayElement>> {
        let mut elements = Vec::new();
        loop {
            self.skip_inner_newlines()?;
            match self.peek_op() {
                Op::CloseParen => return Ok(elements),
                Op::End => return Err(self.syntax(start, "`(` is never closed")),
                Op::Word => self.array_element(&mut elements)?,
                _ => return Err(self.unexpected()),
            }
        }
    }

    fn array_element(&mut self, elements: &mut Vec<ArrayElement>) -> Parsed<()> {
        let start = self.pos;
        if self.peek() == Some(b'[') {
            let subscript = self.subscript()?;
            if self.peek() == Some(b'+') && self.peek_second() == Some(b'=') {
                self.bump();
            }
            if self.eat(b'=') {
                let value = self.value()?;
                elements.push(ArrayElement { subscript: Some(subscript), value });
                return Ok(());
            }
            self.refuse_spaced_subscript(start)?;
            self.retry(start)?;
        }
        let parts = self.word_parts()?;
        let span = self.span(start);
        let mut words = Vec::new();
        self.finish_words(span, parts, Use::Argument, &mut words)?;
        elements.extend(words.into_iter().map(|value| ArrayElement { subscript: None, value }));
        Ok(())
    }
}
