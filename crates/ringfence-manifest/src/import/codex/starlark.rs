//! The part of Starlark that rules files use: calls with named literals.
//!
//! Anything else, such as a loop or a name, is an error: what a program would compute is not
//! guessed.

use crate::node::MAX_DEPTH;
use crate::text::{Fault, Span};

/// A call at the top level of a file.
#[derive(Debug)]
pub(super) struct Call<'t> {
    pub(super) name: &'t str,
    pub(super) span: Span,
    arguments: Vec<(&'t str, Value)>,
}

/// A literal and where it stands.
#[derive(Debug)]
pub(super) struct Value {
    pub(super) literal: Literal,
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) enum Literal {
    Text(String),
    List(Vec<Value>),
    /// A number, `True`, `False` or `None`.
    Other,
}

impl Call<'_> {
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.arguments.iter().find(|(own, _)| *own == name).map(|(_, value)| value)
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        match &self.get(name)?.literal {
            Literal::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// The calls of a file.
pub(super) fn read(text: &str) -> Result<Vec<Call<'_>>, Fault> {
    let mut reader = Reader { text, at: 0 };
    let mut calls = Vec::new();
    loop {
        reader.blank();
        if reader.at >= text.len() {
            return Ok(calls);
        }
        calls.push(reader.call()?);
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn step(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes);
    }

    fn fault(&self, message: &str) -> Fault {
        let width = self.rest().chars().next().map_or(0, char::len_utf8);
        Fault::new(Span::new(self.at, self.at.saturating_add(width)), message)
            .hint("a rules file is read as a list of calls with literal arguments")
    }

    /// Passes over blanks and comments.
    fn blank(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.step(rest.len().saturating_sub(trimmed.len()));
            if !trimmed.starts_with('#') {
                return;
            }
            self.step(trimmed.find('\n').unwrap_or(trimmed.len()));
        }
    }

    fn take(&mut self, mark: &str) -> bool {
        self.blank();
        let found = self.rest().starts_with(mark);
        if found {
            self.step(mark.len());
        }
        found
    }

    fn name(&mut self) -> Option<&'t str> {
        self.blank();
        let rest = self.rest();
        let end =
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let name = rest.get(..end).filter(|name| !name.is_empty())?;
        self.step(end);
        Some(name)
    }

    fn call(&mut self) -> Result<Call<'t>, Fault> {
        let start = self.at;
        let name = self.name().ok_or_else(|| self.fault("a rule was expected here"))?;
        if !self.take("(") {
            return Err(self.fault("`(` was expected here"));
        }
        let mut arguments: Vec<(&'t str, Value)> = Vec::new();
        while !self.take(")") {
            self.blank();
            let place = self.at;
            let argument =
                self.name().ok_or_else(|| self.fault("an argument was expected here"))?;
            if arguments.iter().any(|(own, _)| *own == argument) {
                return Err(Fault::new(Span::new(place, self.at), "stands twice in the call"));
            }
            if !self.take("=") {
                return Err(self.fault("`=` was expected here"));
            }
            arguments.push((argument, self.value(0)?));
            if !self.take(",") {
                if !self.take(")") {
                    return Err(self.fault("`,` or `)` was expected here"));
                }
                break;
            }
        }
        Ok(Call { name, span: Span::new(start, self.at), arguments })
    }

    fn value(&mut self, depth: usize) -> Result<Value, Fault> {
        self.blank();
        let start = self.at;
        let literal = match self.rest().chars().next() {
            Some('"' | '\'') => Literal::Text(self.string(false)?),
            Some('r') if self.rest().starts_with(['r']) && self.raw_string() => {
                self.step(1);
                Literal::Text(self.string(true)?)
            }
            Some('[' | '(') if depth < MAX_DEPTH => self.list(depth)?,
            Some('[' | '(') => return Err(self.fault("is nested too deeply")),
            _ => match self.name() {
                Some("True" | "False" | "None") => Literal::Other,
                Some(word) if word.bytes().all(|byte| byte.is_ascii_digit()) => Literal::Other,
                _ => {
                    self.at = start;
                    return Err(self.fault("a literal was expected here"));
                }
            },
        };
        Ok(Value { literal, span: Span::new(start, self.at) })
    }

    fn raw_string(&self) -> bool {
        matches!(self.rest().as_bytes().get(1), Some(b'"' | b'\''))
    }

    fn list(&mut self, depth: usize) -> Result<Literal, Fault> {
        let close = if self.rest().starts_with('[') { "]" } else { ")" };
        self.step(1);
        let mut values = Vec::new();
        while !self.take(close) {
            values.push(self.value(depth.saturating_add(1))?);
            if !self.take(",") {
                if !self.take(close) {
                    return Err(self.fault("`,` or the end of the list was expected here"));
                }
                break;
            }
        }
        Ok(Literal::List(values))
    }

    fn string(&mut self, raw: bool) -> Result<String, Fault> {
        let rest = self.rest();
        let mark = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|mark| rest.starts_with(mark));
        let mark = mark.ok_or_else(|| self.fault("a text was expected here"))?;
        let open = self.at;
        self.step(mark.len());
        let mut text = String::new();
        loop {
            if self.rest().starts_with(mark) {
                self.step(mark.len());
                return Ok(text);
            }
            let unclosed = || Fault::new(Span::new(open, self.text.len()), "is not closed");
            let c = self.rest().chars().next().ok_or_else(unclosed)?;
            if c == '\n' && mark.len() == 1 {
                return Err(unclosed());
            }
            self.step(c.len_utf8());
            match c {
                '\\' if raw => text.push('\\'),
                '\\' => text.push(self.escape()?),
                c => text.push(c),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Fault> {
        let c = self.rest().chars().next();
        let meant = match c {
            Some('n') => '\n',
            Some('t') => '\t',
            Some('r') => '\r',
            Some(c @ ('\\' | '"' | '\'')) => c,
            _ => return Err(self.fault("is an escape that is not read")),
        };
        self.step(1);
        Ok(meant)
    }
}
