//! `${ … }`.

use crate::ast::{Param, ParamForm, ParamOp, ParamOpKind, Part, Word};

use super::finish::Use;
use super::parts::{Parts, Quoting};
use super::{Parsed, Parser};

impl Parser<'_> {
    /// Reads `${ … }`, the dollar included.
    pub(super) fn braced_param(&mut self, start: usize, quoting: Quoting) -> Parsed<Param> {
        self.bump_by(2);
        let form = self.param_form();
        let name = self.param_name(start)?;
        let subscript = match self.peek() {
            Some(b'[') => Some(self.subscript().map_err(|error| error.deferred())?),
            _ => None,
        };
        if form == ParamForm::Indirect && self.eats_names_suffix() {
            let form = ParamForm::Names;
            return self.closed(start, Param { name, braced: true, form, subscript, op: None });
        }
        let op = self.param_op(start, quoting)?;
        // `${#-}` is a length, `${!-}` is an error: what `#` and `!` belong to is not told here.
        let unclear = form == ParamForm::Length || matches!(name.as_str(), "#" | "!");
        if unclear && op.is_some() {
            return Err(self.unsupported(start, "an operator after `#` or `!`"));
        }
        self.closed(start, Param { name, braced: true, form, subscript, op })
    }

    /// `#` and `!` before a parameter, unless they are the parameter.
    fn param_form(&mut self) -> ParamForm {
        let form = match self.peek() {
            Some(b'#') => ParamForm::Length,
            Some(b'!') => ParamForm::Indirect,
            _ => return ParamForm::Value,
        };
        let names_more = self.peek_second().is_some_and(|byte| {
            byte.is_ascii_alphanumeric() || byte == b'_' || self.names_special(form, byte)
        });
        if !names_more {
            return ParamForm::Value;
        }
        self.bump();
        form
    }

    /// Whether `#` or `!` before this byte asks something of the parameter it names, as in `${#@}`.
    fn names_special(&mut self, form: ParamForm, byte: u8) -> bool {
        let special = b"@*".contains(&byte) || (form == ParamForm::Indirect && byte == b'#');
        special && self.peek_third() == Some(b'}')
    }

    fn param_name(&mut self, start: usize) -> Parsed<String> {
        if let Some(name) = self.name() {
            return Ok(name);
        }
        let mut name = String::new();
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            name.push(char::from(digit));
            self.bump();
        }
        if !name.is_empty() {
            return Ok(name);
        }
        match self.peek() {
            Some(byte) if b"@*#?-$!".contains(&byte) => {
                self.bump();
                Ok(char::from(byte).to_string())
            }
            None => Err(self.syntax(start, "`${` is never closed")),
            Some(_) => Err(self.unsupported(start, "a bad substitution")),
        }
    }

    /// Steps over the `*` or `@` of `${!x*}`.
    fn eats_names_suffix(&mut self) -> bool {
        let ends = matches!(self.peek(), Some(b'*' | b'@')) && self.peek_second() == Some(b'}');
        if ends {
            self.bump();
        }
        ends
    }

    fn closed(&mut self, start: usize, param: Param) -> Parsed<Param> {
        match self.peek() {
            Some(b'}') => {
                self.bump();
                Ok(param)
            }
            None => Err(self.syntax(start, "`${` is never closed")),
            Some(_) => Err(self.unsupported(start, "a bad substitution")),
        }
    }

    fn param_op(&mut self, start: usize, quoting: Quoting) -> Parsed<Option<ParamOp>> {
        let Some(byte) = self.peek() else { return Ok(None) };
        let kind = match byte {
            b':' => match self.peek_second() {
                Some(next) if tests_value(next).is_some() => {
                    self.bump();
                    tests_value(next)
                }
                _ => {
                    self.bump();
                    return self.substring(start).map(Some);
                }
            },
            b'@' => return self.transform(start).map(Some),
            b'#' => Some(ParamOpKind::RemovePrefix),
            b'%' => Some(ParamOpKind::RemoveSuffix),
            b'/' => Some(ParamOpKind::Replace),
            b'^' | b',' | b'~' => Some(ParamOpKind::ChangeCase),
            _ => tests_value(byte),
        };
        let Some(kind) = kind else { return Ok(None) };
        self.bump();
        let from = self.pos;
        let parts = self.brace_parts(start, quoting.in_braces())?;
        let span = self.span(from);
        let word = self.finish_word(span, parts, Use::Pattern);
        Ok(Some(ParamOp { kind, word }))
    }

    fn substring(&mut self, start: usize) -> Parsed<ParamOp> {
        let from = self.pos;
        let parts = self.substring_parts(start)?;
        if parts.is_empty() {
            return Err(self.unsupported(start, "a bad substitution"));
        }
        let word = Word { span: self.span(from), parts };
        Ok(ParamOp { kind: ParamOpKind::Substring, word })
    }

    fn transform(&mut self, start: usize) -> Parsed<ParamOp> {
        self.bump();
        match self.peek() {
            Some(letter) if b"UuLQEPAKak".contains(&letter) => {
                self.bump();
                let kind = ParamOpKind::Transform(char::from(letter));
                Ok(ParamOp { kind, word: Word::default() })
            }
            None => Err(self.syntax(start, "`${` is never closed")),
            Some(_) => Err(self.unsupported(start, "a bad substitution")),
        }
    }

    /// Reads the word after an operator, up to `}`, which stays.
    fn brace_parts(&mut self, start: usize, quoting: Quoting) -> Parsed<Vec<Part>> {
        let mut parts = Parts::default();
        let quoted = quoting.is_quoted();
        loop {
            let from = self.pos;
            let run = self.take_while(|byte| {
                !matches!(byte, b'}' | b'\'' | b'"' | b'\\' | b'$' | b'`' | b'<' | b'>')
            });
            if !run.is_empty() {
                parts.literal(self.span(from), quoted, run);
            }
            match self.peek() {
                None => return Err(self.syntax(start, "`${` is never closed")),
                Some(b'}') => return Ok(parts.finish()),
                Some(b'<' | b'>') if self.peek_second() == Some(b'(') => {
                    return Err(self.unsupported(start, "a process substitution in an expansion"));
                }
                Some(b'\\') if quoted => self.brace_escape(&mut parts),
                Some(b'\\') => self.escape(&mut parts)?,
                Some(b'\'') if quoted => self.inert_single_quoted(&mut parts)?,
                Some(b'\'') => self.single_quoted(&mut parts)?,
                Some(b'"') if quoting == Quoting::HereBrace => {
                    return Err(
                        self.unsupported(start, "quotes in an expansion in a here-document")
                    );
                }
                Some(b'"') if quoted => {
                    let from = self.pos;
                    self.double_quoted(&mut parts)?;
                    self.refuse_seen_braces(from)?;
                }
                Some(b'"') => self.double_quoted(&mut parts)?,
                Some(b'$') => self.dollar(quoting, &mut parts)?,
                Some(b'`') => self.backquote(quoting, &mut parts)?,
                Some(_) => self.literal_char(quoted, &mut parts),
            }
        }
    }
}

fn tests_value(byte: u8) -> Option<ParamOpKind> {
    match byte {
        b'-' => Some(ParamOpKind::UseDefault),
        b'=' => Some(ParamOpKind::AssignDefault),
        b'?' => Some(ParamOpKind::FailIfUnset),
        b'+' => Some(ParamOpKind::UseAlternative),
        _ => None,
    }
}
