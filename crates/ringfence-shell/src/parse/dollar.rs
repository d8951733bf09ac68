//! What begins with a dollar, and process substitutions.

use crate::ast::{
    Param, ParamForm, PartKind, ProcessDirection, ProcessSubstitution, Script, Substitution,
    SubstitutionForm,
};

use super::list::Extent;
use super::parts::{Parts, Quoting};
use super::token::Keyword;
use super::{Extglob, Parsed, Parser};

impl Parser<'_> {
    /// Reads what begins with a dollar; one that begins nothing stands for itself.
    pub(super) fn dollar(&mut self, quoting: Quoting, parts: &mut Parts) -> Parsed<()> {
        let start = self.pos;
        match self.peek_second() {
            Some(b'(') => self.dollar_paren(quoting, parts),
            Some(b'{') => {
                let param = self.nested(start, |parser| parser.braced_param(start, quoting))?;
                parts.push(self.span(start), quoting, PartKind::Param(Box::new(param)));
                Ok(())
            }
            Some(b'[') => self.bracket_arith(quoting, parts),
            Some(b'\'') if quoting == Quoting::Plain => self.ansi_quoted(parts),
            Some(b'"') if quoting == Quoting::Plain => {
                self.bump();
                self.double_quoted(parts)
            }
            Some(b'\'') if quoting == Quoting::DoubleBrace && self.at_plain_ansi() => {
                self.plain_ansi(parts);
                Ok(())
            }
            Some(b'\'' | b'"') if !matches!(quoting, Quoting::Double | Quoting::Here) => {
                Err(self.unsupported(start, "`$` before quotes inside an expansion"))
            }
            Some(byte) if byte.is_ascii_alphanumeric() || b"_@*#?-$!".contains(&byte) => {
                self.bump();
                let name = self.short_name(byte);
                let form = ParamForm::Value;
                let param = Param { name, braced: false, form, subscript: None, op: None };
                parts.push(self.span(start), quoting, PartKind::Param(Box::new(param)));
                Ok(())
            }
            _ => {
                self.literal_char(quoting.is_quoted(), parts);
                Ok(())
            }
        }
    }

    /// Reads the parameter after `$`, which begins with this byte.
    fn short_name(&mut self, first: u8) -> String {
        match self.name() {
            Some(name) => name,
            None => {
                self.bump();
                char::from(first).to_string()
            }
        }
    }

    /// Reads `$(( … ))` or `$( … )`.
    fn dollar_paren(&mut self, quoting: Quoting, parts: &mut Parts) -> Parsed<()> {
        let start = self.pos;
        if self.peek_third() != Some(b'(') {
            self.bump_by(2);
            return self.command_substitution(start, quoting, parts);
        }
        self.bump_by(3);
        if let Some(arith) = self.double_paren(start)? {
            parts.push(self.span(start), quoting, PartKind::Arith(arith));
            return Ok(());
        }
        self.retry(start)?;
        self.bump_by(2);
        // What is in there is parsed only when it runs.
        self.counting(|parser| parser.command_substitution(start, quoting, parts))
            .map_err(|error| error.deferred())?;
        self.refuse_other_close(start)
    }

    fn command_substitution(
        &mut self,
        start: usize,
        quoting: Quoting,
        parts: &mut Parts,
    ) -> Parsed<()> {
        let script = self.script_in_parens(start)?;
        let form = SubstitutionForm::Dollar;
        let kind = PartKind::Command(Box::new(Substitution { form, script }));
        parts.push(self.span(start), quoting, kind);
        Ok(())
    }

    /// Reads `<( … )` or `>( … )`.
    pub(super) fn process_substitution(&mut self, parts: &mut Parts) -> Parsed<()> {
        let start = self.pos;
        let direction = if self.peek() == Some(b'<') {
            ProcessDirection::Read
        } else {
            ProcessDirection::Write
        };
        self.bump_by(2);
        let script = if self.peek() == Some(b'(') {
            let read = self.counting(|parser| parser.script_in_parens(start));
            let script = read.map_err(|error| error.deferred())?;
            self.refuse_other_close(start)?;
            script
        } else {
            self.script_in_parens(start)?
        };
        let kind = PartKind::Process(Box::new(ProcessSubstitution { direction, script }));
        parts.push(self.span(start), Quoting::Plain, kind);
        Ok(())
    }

    /// Reads a list up to the parenthesis that closes it. Its here-documents are its own.
    fn script_in_parens(&mut self, start: usize) -> Parsed<Script> {
        let extglob = self.shared.extglob;
        if extglob == Extglob::Here {
            self.shared.extglob = Extglob::Unknown;
        }
        let script = self.nested(start, |parser| {
            parser.with_own_heredocs(|parser| {
                parser.skip_blanks()?;
                parser.timed = parser.peek_keyword() == Some(Keyword::Time);
                let mut script = parser.list(Extent::Part)?;
                parser.skip_blanks()?;
                if parser.peek().is_none() {
                    return Err(parser.syntax(start, "`(` is never closed"));
                }
                parser.expect(b')')?;
                parser.settle(&mut script)?;
                Ok(script)
            })
        });
        self.shared.extglob = extglob;
        script
    }
}
