//! Options: alone, with values, and letters together.

use std::slice;
use std::sync::Arc;

use ringfence_core::access::WordMeaning;
use ringfence_core::program::{
    CommandEnd, OptionSpec, OptionStyle, ReplacedOperand, TakesValue, WordRole,
};
use ringfence_core::text::split_at_byte;
use smallvec::SmallVec;

use super::level::Found;
use super::reader::{Occurrence, Reader};
use super::{Named, Words};
use crate::field::{Dynamic, Field, FieldText};

impl<'w> Reader<'w, '_> {
    /// Reads a word as options, if it is one.
    pub(super) fn option(&mut self, field: &'w Field) -> bool {
        let style = self.levels.style();
        if style == OptionStyle::Raw {
            return false;
        }
        let text: &'w str = match &field.text {
            FieldText::Known(text) => text,
            // What begins like an option is one, whatever follows.
            FieldText::Unknown(dynamic) if dynamic.prefix.len() > 1 => &dynamic.prefix,
            _ => return false,
        };
        if style == OptionStyle::Keys {
            return self.key(field, text);
        }
        if text.starts_with('+') {
            return self.plus(field, text);
        }
        if text == "-"
            && let Some(option) = self.levels.exact("-")
        {
            self.found(option, "-", None);
            return true;
        }
        if !text.starts_with('-') || text == "-" {
            let first = self.at == 1 && self.levels.entries.len() == 1;
            return style == OptionStyle::Bundle && first && self.bundle(field, text);
        }
        if style.is_go() || text.starts_with("--") {
            return self.long(field, text);
        }
        self.short(field, text);
        true
    }

    /// `key=value`
    #[cold]
    fn key(&mut self, field: &'w Field, text: &'w str) -> bool {
        let Some((name, _)) = text.split_once('=') else { return false };
        let Some(option) = self.levels.exact(name) else { return false };
        let value = field.skip(name.len().saturating_add(1));
        self.found(option, name, Some(value));
        true
    }

    /// `+B`, `+o posix`, `+10`
    #[cold]
    fn plus(&mut self, field: &'w Field, text: &'w str) -> bool {
        if let Some(option) = self.levels.exact(text) {
            self.found(option, text, None);
            return true;
        }
        let Some(option) = self.levels.exact("+") else { return false };
        self.found(option, "+", Some(field.skip(1)));
        true
    }

    /// `--name`, `--name=value`, and with Go's options `-name`.
    fn long(&mut self, field: &'w Field, text: &'w str) -> bool {
        let (name, glued) = match split_at_byte(text, b'=') {
            Some((name, _)) => (name, Some(field.skip(name.len().saturating_add(1)))),
            None => (text, None),
        };
        let whole = field.as_known().is_some() || glued.is_some();
        if !whole {
            self.hide(field);
        }
        let found = match self.levels.long(name) {
            Found::Nothing if self.levels.style().is_go() => match name.strip_prefix("--") {
                Some(rest) => self.levels.long(&format!("-{rest}")),
                None => self.levels.long(&format!("-{name}")),
            },
            found => found,
        };
        match found {
            Found::One(option) if whole => self.found(option, name, glued),
            // `-B$x`: what is not known is its value, most likely.
            Found::One(option) if name.len() == 2 && option.spelling.takes == TakesValue::Value => {
                self.found(option, name, Some(field.skip(name.len())));
            }
            Found::Nothing if self.levels.style().is_go() && is_glued_letter(name) => {
                self.short(field, text);
            }
            Found::Several => {
                self.doubt(format!("`{name}` is the beginning of several options"));
                self.unlisted(name, glued, field);
            }
            _ => self.unlisted(name, glued, field),
        }
        true
    }

    /// `-abc`: letters together, a value behind the last that takes one.
    fn short(&mut self, field: &'w Field, text: &'w str) {
        if let Some(option) = self.levels.exact(text).filter(|_| field.as_known().is_some()) {
            return self.found(option, text, None);
        }
        let digits = text.get(1..).unwrap_or_default();
        if digits.bytes().all(|byte| byte.is_ascii_digit()) && field.as_known().is_some() {
            // `head -5`: a number, unless the digit is an option of its own.
            let first = digits.chars().next().unwrap_or_default();
            if self.levels.letter(first).is_none() {
                return self.out.meant.push(WordMeaning::Word(text.into()));
            }
        }
        if let Some((name, _)) = split_at_byte(text, b'=')
            && let Some(option) = self.levels.exact(name)
            && name.len() > 2
        {
            return self.found(option, name, Some(field.skip(name.len().saturating_add(1))));
        }
        // `-bl:FILE` of MSBuild.
        if let Some((name, _)) = split_at_byte(text, b':')
            && name.len() > 2
            && let Some(option) = self.levels.exact(name)
        {
            return self.found(option, name, Some(field.skip(name.len().saturating_add(1))));
        }
        // Where such names are tried first, the longest counts: `-TTx` is no `-T`.
        if self.levels.style() == OptionStyle::Names && self.glued(field, text) {
            return;
        }
        self.letters(field, text, 1);
    }

    /// The letters of a word from a place on.
    fn letters(&mut self, field: &'w Field, text: &'w str, from: usize) {
        let all_known = field.as_known().is_some();
        let mut rest = text.get(from..).unwrap_or_default();
        while let Some(letter) = rest.chars().next() {
            let after = rest.get(letter.len_utf8()..).unwrap_or_default();
            let at = text.len().saturating_sub(after.len());
            let Some(option) = self.levels.letter(letter) else {
                if self.glued(field, text) {
                    return;
                }
                let value = (!after.is_empty()).then(|| field.skip(at));
                return self.unlisted(&format!("-{letter}"), value, field);
            };
            let name = option.spelling.letter(letter).unwrap_or_default();
            match option.spelling.takes {
                TakesValue::Nothing => self.found(option, name, None),
                TakesValue::Digits => {
                    rest = self.number(option, name, after, field);
                    continue;
                }
                _ if !after.is_empty() || !all_known => {
                    // `-o=VALUE`: some parsers drop the sign, where it is not all of the value.
                    let sign = after.starts_with('=') && after != "=";
                    let sign = sign && self.drops_sign(field.skip(at.saturating_add(1)));
                    let value = field.skip(at.saturating_add(sign.into()));
                    return self.found(option, name, Some(value));
                }
                _ => self.found(option, name, None),
            }
            rest = after;
        }
        if !all_known {
            // Further letters may follow.
            self.doubt_if_it_matters(field);
            self.hide(field);
        }
    }

    /// Whether a parser drops the sign between a letter and its value. Some of those that are said to
    /// keep it do as well, as Python's does: what stands behind it may be a path then, too.
    #[cold]
    fn drops_sign(&mut self, value: Field) -> bool {
        let drops = self.levels.drop_equals();
        if !drops {
            self.loose(value);
        }
        drops
    }

    /// `-include/usr/x.h`: a value glued to a name of several letters behind one dash.
    #[cold]
    fn glued(&mut self, field: &'w Field, text: &'w str) -> bool {
        let ends = (3..text.len()).rev().filter(|end| text.is_char_boundary(*end));
        let found = ends.into_iter().find_map(|end| {
            let name = text.get(..end)?;
            self.levels.exact(name).filter(|own| own.spelling.takes != TakesValue::Nothing)?;
            Some(name)
        });
        let Some(name) = found else { return false };
        let Some(option) = self.levels.exact(name) else { return false };
        self.found(option, name, Some(field.skip(name.len())));
        true
    }

    /// `-l12ne`: perhaps a number behind a letter, and then further letters, which are handed back.
    #[cold]
    fn number(
        &mut self,
        option: &'w OptionSpec,
        name: &'w str,
        after: &'w str,
        field: &Field,
    ) -> &'w str {
        let hexadecimal = after.starts_with(['x', 'X']);
        let is_digit = |c: char| c.is_ascii_digit() || (hexadecimal && c.is_ascii_hexdigit());
        let letters = after.strip_prefix(['x', 'X']).unwrap_or(after).trim_start_matches(is_digit);
        let digits = after.strip_suffix(letters).unwrap_or_default();
        let value = (!digits.is_empty()).then(|| Field::known(digits, field.span));
        self.found(option, name, value);
        letters
    }

    /// `tar xzf`: letters without a dash; their values are the next words, in order.
    #[cold]
    fn bundle(&mut self, field: &'w Field, text: &'w str) -> bool {
        let known = |letter: char| self.levels.letter(letter);
        if field.as_known().is_none()
            || text.is_empty()
            || !text.chars().all(|c| known(c).is_some())
        {
            return false;
        }
        let options: Vec<&OptionSpec> = text.chars().filter_map(known).collect();
        for (option, letter) in options.into_iter().zip(text.chars()) {
            self.found(option, option.spelling.letter(letter).unwrap_or_default(), None);
        }
        true
    }

    /// Notes an option, and takes its values.
    pub(super) fn found(&mut self, option: &'w OptionSpec, written: &'w str, glued: Option<Field>) {
        let names: Arc<[Box<str>]> = match option.spelling.has(written) {
            true => Arc::clone(&option.spelling.names),
            // As it was cut short, too.
            false => option.spelling.names.iter().cloned().chain([written.into()]).collect(),
        };
        self.out.seen.add(option);
        // `java -jar FILE`: what follows is not java's.
        self.ended |= self.levels.style() == OptionStyle::GoFirst
            && option.fills == Some(ReplacedOperand::First);
        self.out.meant.push(WordMeaning::OneOf(names));
        let at = self.at.saturating_sub(1);
        let mut values: SmallVec<[Words<'w>; 1]> = SmallVec::new();
        match (option.spelling.takes, glued) {
            (TakesValue::Nothing, Some(value)) => values.push(vec![value].into()),
            (TakesValue::Nothing | TakesValue::Perhaps | TakesValue::Digits, None) => {}
            (TakesValue::Perhaps | TakesValue::Digits, Some(value)) => {
                values.push(vec![value].into())
            }
            (TakesValue::Value, Some(value)) if option.roles.len() <= 1 => {
                values.push(vec![value].into());
            }
            (TakesValue::Value, glued) => {
                values.extend(glued.map(|value| Words::from(vec![value])));
                while values.len() < option.roles.len().max(1) {
                    let role = option.roles.get(values.len());
                    let Some(value) = self.value(role) else { break };
                    values.push(value);
                }
            }
        }
        for value in values.iter().flat_map(|words| words.iter()) {
            self.out.meant.push(value_of(value));
            // Of several words only the first is the value.
            if value.as_known().is_none() && value.is_many() {
                self.hide(value);
            }
        }
        self.occurrences.push(Occurrence { option, written, values, at });
    }

    /// The next word as a value, or for a command all words up to its end.
    fn value(&mut self, role: Option<&WordRole>) -> Option<Words<'w>> {
        match role {
            Some(WordRole::Command(end)) => Some(self.command(*end)),
            _ => self.next().map(|word| slice::from_ref(word).into()),
        }
    }

    /// The words of a command that is the value of an option.
    #[cold]
    fn command(&mut self, end: CommandEnd) -> Words<'w> {
        if end != CommandEnd::Semicolon {
            return self.rest().into();
        }
        let mut words: Vec<Field> = Vec::new();
        while let Some(word) = self.next() {
            match (word.as_known(), words.last_mut()) {
                (Some(";"), _) => break,
                // All names stand in place of the `{}` before it.
                (Some("+"), Some(last)) if last.as_known() == Some("{}") => {
                    *last = names_in_place_of(last);
                    break;
                }
                _ => words.push(word.clone()),
            }
        }
        words.into()
    }

    /// Notes an option that the catalogue does not list.
    #[cold]
    fn unlisted(&mut self, name: &str, glued: Option<Field>, field: &Field) {
        self.out.seen.add_unlisted(name);
        self.out.meant.push(WordMeaning::OneOf(Arc::new([name.into()])));
        let at = self.at.saturating_sub(1);
        self.unlisted.push(Named { written: name.into(), names: Arc::new([]), at });
        let of_unknown = !self.operands.is_empty() && self.levels.leaves_options();
        if self.levels.unlisted_is_doubt() && !of_unknown {
            self.doubt(format!("`{}` is no option that is known here", field.shown()));
        }
        if let Some(value) = glued {
            self.out.meant.push(value_of(&value));
            self.loose(value);
        } else if let Some((before, _)) = split_at_byte(field.prefix(), b':') {
            // `--inject:FILE`
            self.loose(field.skip(before.len().saturating_add(1)));
        }
    }
}

fn names_in_place_of(mark: &Field) -> Field {
    let shown = mark.shown().to_owned();
    let dynamic = Dynamic { shown, many: true, operand: true, ..Dynamic::default() };
    Field { text: FieldText::Unknown(Box::new(dynamic)), span: mark.span }
}

/// Whether a name is one letter with something glued to it.
fn is_glued_letter(name: &str) -> bool {
    !name.starts_with("--") && name.len() > 2
}

/// A value; where it may become several words, only the first of them surely is one.
fn value_of(field: &Field) -> WordMeaning {
    let splits = matches!(&field.text, FieldText::Unknown(dynamic) if dynamic.many);
    WordMeaning::Value(field.to_arg(!splits))
}
