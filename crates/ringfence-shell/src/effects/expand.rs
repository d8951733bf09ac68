//! Words as a shell expands them, as far as that can be told.

use super::Walker;
use super::fields::Fields;
use super::param::is_one_word;
use super::prints::Printed;
use super::state::is_below;
use crate::ast::{Arith, ArrayElement, Part, PartKind, Tilde, Word};
use crate::field::{Field, FieldText, NUMBER};
use crate::span::Span;

impl Walker<'_> {
    /// The fields that a word becomes; what it runs on the way is noted.
    pub(super) fn expand(&mut self, word: &Word) -> Vec<Field> {
        if let Some(text) = word.as_static() {
            return vec![Field::known(text, word.span)];
        }
        if self.is_no_word(&word.parts) {
            return Vec::new();
        }
        let mut fields = Fields::new(word.span);
        self.parts(&word.parts, &mut fields);
        fields.finish(&shown(&word.parts))
    }

    /// The one field that a word becomes where it is not split: a value, a target.
    pub(super) fn expand_one(&mut self, word: &Word) -> Field {
        if let Some(text) = word.as_static() {
            return Field::known(text, word.span);
        }
        let quoted = Word {
            span: word.span,
            parts: word.parts.iter().map(|part| Part { quoted: true, ..part.clone() }).collect(),
        };
        let mut fields = Fields::one(word.span);
        self.parts(&quoted.parts, &mut fields);
        let mut all = fields.finish(&shown(&word.parts));
        all.truncate(1);
        all.pop().unwrap_or_else(|| Field::known("", word.span))
    }

    pub(super) fn parts(&mut self, parts: &[Part], fields: &mut Fields) {
        for part in parts {
            self.part(part, fields);
        }
    }

    fn part(&mut self, part: &Part, fields: &mut Fields) {
        match &part.kind {
            PartKind::Literal(text) if part.quoted => fields.quoted(text),
            PartKind::Literal(text) => fields.quoted(text),
            PartKind::Bytes(_) => fields.unknown(false),
            PartKind::Glob(text) if part.quoted => fields.quoted(text),
            PartKind::Glob(text) => fields.glob(text),
            PartKind::ExtGlob { body, .. } => {
                let mut inner = Fields::new(part.span);
                self.parts(body, &mut inner);
                fields.unknown(true);
            }
            PartKind::Tilde(tilde) => self.tilde(tilde, part.span, fields),
            PartKind::Braces(body) => {
                let mut inner = Fields::new(part.span);
                self.parts(body, &mut inner);
                fields.unknown(true);
            }
            PartKind::Param(param) => self.param(param, part, fields),
            PartKind::Command(command) => {
                self.metacharacter("$( )", part.span);
                let said = self.capture(|walker| {
                    walker.handing_on(true, |walker| {
                        walker.nested(part.span, |walker| walker.script(&command.script));
                    });
                });
                match self.prints(&command.script) {
                    Some(Printed::Text(text)) if part.quoted => fields.quoted(&text),
                    Some(Printed::Text(text)) => fields.split(&text),
                    // A number by itself may be an option: `kill -$(nproc)`.
                    Some(Printed::Count) if !fields.is_dash() => fields.quoted("1"),
                    Some(Printed::Count | Printed::Number | Printed::Numbers) => {
                        fields.numbers(!part.quoted);
                    }
                    Some(Printed::Path(path)) if part.quoted => fields.printed(&path),
                    Some(Printed::Name) => fields.plain_name(!part.quoted),
                    Some(Printed::Marked(text)) => fields.marked(&text, !part.quoted),
                    Some(Printed::Flags) => fields.flags(),
                    Some(Printed::Path(path)) if is_one_word(&path) => {
                        fields.printed(&path);
                        fields.may_be_no_word();
                    }
                    Some(Printed::Path(_)) => fields.unknown(!part.quoted),
                    None => fields.said(said, part.quoted),
                }
            }
            // Nothing is put in its place where nothing stands in it.
            PartKind::Process(process) if process.script.items.is_empty() => fields.unknown(true),
            PartKind::Process(process) => {
                self.metacharacter("<( )", part.span);
                self.capture(|walker| {
                    walker.handing_on(true, |walker| {
                        walker.nested(part.span, |walker| walker.script(&process.script));
                    });
                });
                // The name of a pipe that the shell itself makes.
                fields.quoted("/dev/fd/63");
            }
            PartKind::Arith(arith) => {
                self.may_be_cut_short();
                self.arithmetic(arith);
                fields.number(NUMBER, true);
            }
            PartKind::Array(elements) => {
                let _ = self.elements(elements);
                fields.unknown(true);
            }
        }
    }

    /// The elements of an array, where all of them are known; whether they are names below the
    /// directory.
    pub(super) fn elements(&mut self, elements: &[ArrayElement]) -> (Option<Vec<String>>, bool) {
        let mut known = Some(Vec::new());
        let mut below = true;
        for element in elements {
            if let Some(subscript) = &element.subscript {
                self.evaluate(subscript, element.value.span);
                known = None;
            }
            for field in self.expand(&element.value) {
                below &= match &field.text {
                    FieldText::Unknown(dynamic) => dynamic.no_option && !dynamic.may_climb(),
                    FieldText::Known(text) => is_below(text),
                    FieldText::Glob(text) => is_below(text),
                };
                match (field.as_known(), &mut known) {
                    (Some(text), Some(known)) => known.push(text.to_owned()),
                    _ => known = None,
                }
            }
        }
        (known, below)
    }

    /// Text that the shell evaluates as arithmetic, subscripts and all.
    pub(super) fn evaluate(&mut self, parts: &[Part], span: Span) {
        let field = self.expand_one(&Word { span, parts: parts.to_vec() });
        // The subscript of a table is only text, so that its names are not read for sure.
        self.evaluated_at(&field, 1);
    }

    /// Text that is evaluated runs what stands in its brackets, and looks at every name in it.
    pub(super) fn evaluated_text(&mut self, field: &Field) {
        self.evaluated_at(field, 0);
    }

    pub(super) fn evaluated_at(&mut self, field: &Field, depth: usize) {
        let text = field.shown().to_owned();
        if text.contains('[') && (text.contains("$(") || text.contains('`')) {
            let reason = "a value runs commands where it is evaluated";
            self.unanalysable(reason, Some(field.span));
        }
        // A parameter has no name that could be looked up.
        if field.as_known().is_none() && field.as_number().is_none() {
            self.doubt_subscripts(&text, field.span);
        }
        self.evaluated_names(&text, field.span, depth);
    }

    /// Arithmetic evaluates the values of variables in turn.
    pub(super) fn arithmetic(&mut self, arith: &Arith) {
        let field = self.expand_one(&Word { span: arith.span, parts: arith.parts.clone() });
        self.evaluated_text(&field);
    }

    fn tilde(&mut self, tilde: &Tilde, span: Span, fields: &mut Fields) {
        match tilde {
            Tilde::Home => match self.state.variables.get("HOME").map(|own| own.value.clone()) {
                Some(Some(home)) => fields.quoted(&home),
                Some(None) => fields.unknown(false),
                None => fields.quoted(self.world.home().as_str()),
            },
            Tilde::Current => match (self.state.variables.contains_key("PWD"), self.pwd_name()) {
                (false, Some(name)) => fields.quoted(&name),
                _ => fields.unknown(false),
            },
            Tilde::Previous => match self.state.variables.get("OLDPWD") {
                Some(own) if own.value.is_some() => {
                    fields.quoted(own.value.clone().as_deref().unwrap_or_default());
                }
                _ => fields.unknown(false),
            },
            Tilde::Named(name) => match self.world.host().home_of(name) {
                Some(home) => fields.quoted(home.as_str()),
                None => {
                    let reason = format!("can't tell whose home `~{name}` is");
                    self.ask(&reason, span);
                    fields.unknown(false);
                }
            },
        }
    }

    /// The positional parameters as words.
    pub(super) fn positional_fields(&mut self) -> Vec<Field> {
        match &self.state.positional {
            Some(values) => {
                values.iter().map(|value| Field::known(value.as_str(), Span::default())).collect()
            }
            None => {
                let mut field = Field::unknown("$@", true, Span::default());
                if let FieldText::Unknown(dynamic) = &mut field.text {
                    dynamic.vanishes = !self.state.given;
                }
                vec![field]
            }
        }
    }

    /// In a tool that is scoped by paths, what hides paths is refused.
    pub(super) fn metacharacter(&mut self, what: &str, span: Span) {
        if self.world.is_scoped_by_path() {
            let reason = format!("`{what}` is refused in a tool that is scoped by paths");
            self.deny(&reason, span);
        }
    }
}

/// A word as a person may read it.
fn shown(parts: &[Part]) -> String {
    let mut text = String::new();
    for part in parts {
        match &part.kind {
            PartKind::Literal(own) | PartKind::Glob(own) => text.push_str(own),
            PartKind::Param(param) => {
                text.push('$');
                text.push_str(&param.name);
            }
            PartKind::Command(_) => text.push_str("$(…)"),
            PartKind::Arith(_) => text.push_str("$((…))"),
            PartKind::Tilde(_) => text.push('~'),
            _ => text.push('…'),
        }
    }
    text
}
