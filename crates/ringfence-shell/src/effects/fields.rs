//! A word while a shell expands it.

use super::found::Found;
use super::output::Said;
use crate::field::{Dynamic, Field, FieldText, NUMBER, PERHAPS, PLAIN, Part};
use crate::span::Span;

/// A word under expansion: the fields that are done, and the one that grows.
pub(super) struct Fields {
    span: Span,
    done: Vec<Field>,
    /// What is known of the field so far, pattern characters escaped where they are quoted.
    text: String,
    /// The same as a pattern.
    pattern: String,
    is_glob: bool,
    unknown: Option<Dynamic>,
    /// Whether there is a field at all: `""` is one, an empty value is none.
    any: bool,
    /// Whether all is one field, as a value is.
    one: bool,
}

impl Fields {
    pub(super) fn new(span: Span) -> Fields {
        Fields {
            span,
            done: Vec::new(),
            text: String::new(),
            pattern: String::new(),
            is_glob: false,
            unknown: None,
            any: false,
            one: false,
        }
    }

    /// A word that is one field whatever it becomes, as a value is.
    pub(super) fn one(span: Span) -> Fields {
        Fields { one: true, ..Fields::new(span) }
    }

    /// Whether all that there is so far is a dash.
    pub(super) fn is_dash(&self) -> bool {
        self.text == "-" && self.unknown.is_none()
    }

    pub(super) fn quoted(&mut self, text: &str) {
        self.any = true;
        self.push(text);
        for character in text.chars() {
            if matches!(character, '*' | '?' | '[' | '\\') {
                self.pattern.push('\\');
            }
            self.pattern.push(character);
        }
    }

    fn push(&mut self, text: &str) {
        match &mut self.unknown {
            Some(dynamic) => {
                dynamic.suffix.push_str(text);
                if let Part::Numbers(all) = &mut dynamic.part {
                    all.push_str(text);
                }
                dynamic.bare.push_str(text);
            }
            None => self.text.push_str(text),
        }
    }

    pub(super) fn glob(&mut self, text: &str) {
        self.any = true;
        self.is_glob = true;
        self.push(text);
        self.pattern.push_str(text);
    }

    /// The value of a variable without quotes: split, and taken for a pattern.
    pub(super) fn split(&mut self, value: &str) {
        let pieces = value.split([' ', '\t', '\n']);
        let mut first = true;
        for piece in pieces {
            if !first {
                self.end();
            }
            first = false;
            if piece.is_empty() {
                continue;
            }
            self.any = true;
            self.push(piece);
            self.pattern.push_str(piece);
            self.is_glob |= piece.contains(['*', '?', '[']);
        }
    }

    /// Several words at once, as `"$@"` becomes; `"$*"` and values are one.
    pub(super) fn words(&mut self, values: &[String], quoted: bool, joined: bool) {
        if quoted && (joined || self.one) {
            return self.quoted(&values.join(" "));
        }
        if quoted && values.is_empty() && self.text.is_empty() {
            // Whether the quotes around it still make a word depends on what else they hold.
            return self.unknown(true);
        }
        for (index, value) in values.iter().enumerate() {
            if index > 0 {
                self.end();
            }
            match quoted {
                true => self.quoted(value),
                false => self.split(value),
            }
        }
    }

    /// Something that cannot be told.
    pub(super) fn unknown(&mut self, many: bool) {
        self.any = true;
        match &mut self.unknown {
            Some(dynamic) => {
                dynamic.suffix.clear();
                dynamic.many |= many;
                (dynamic.no_option, dynamic.absent) = (false, false);
                if dynamic.part == Part::Perhaps {
                    dynamic.prefix.clone_from(&self.text);
                }
                // What stands first may be nothing.
                dynamic.operand &= !many && !dynamic.prefix.is_empty();
                dynamic.part = Part::Any;
                dynamic.vanishes = false;
            }
            None => {
                let prefix = self.text.clone();
                let bare = prefix.clone();
                self.unknown = Some(Dynamic { prefix, bare, many, ..Dynamic::default() });
            }
        }
    }

    /// Something that cannot be told, and that is likely to be nothing at all.
    pub(super) fn nothing_perhaps(&mut self, step: impl FnOnce(&mut Fields)) {
        let vanishes = self.unknown.as_ref().is_none_or(|dynamic| dynamic.vanishes);
        step(self);
        if let Some(dynamic) = &mut self.unknown {
            dynamic.vanishes = vanishes;
        }
    }

    /// The rest of a name that a pattern became: it may be anything, but no option; whether there is
    /// no slash in it.
    pub(super) fn unknown_name(&mut self, flat: bool) {
        let first = self.unknown.is_none();
        self.unknown(false);
        if let Some(dynamic) = &mut self.unknown {
            dynamic.operand = true;
            if first {
                dynamic.part = if flat { Part::Name } else { Part::Below };
            }
        }
    }

    /// A path that a command prints in quotes, or nothing where it fails; see [`Part::Perhaps`].
    #[cold]
    pub(super) fn printed(&mut self, path: &str) {
        let first = self.unknown.is_none();
        self.unknown(false);
        if let Some(dynamic) = self.unknown.as_mut().filter(|_| first) {
            dynamic.operand = dynamic.prefix.is_empty();
            dynamic.prefix.push_str(path);
            dynamic.part = Part::Perhaps;
        }
    }

    /// The word may be none at all.
    #[cold]
    pub(super) fn may_be_no_word(&mut self) {
        if let Some(dynamic) = &mut self.unknown {
            dynamic.many = true;
        }
    }

    /// The name of something that a command prints: it has no blanks, and is no option.
    #[cold]
    pub(super) fn plain_name(&mut self, many: bool) {
        let first = self.unknown.is_none() && !self.text.starts_with('-');
        self.unknown(many);
        if let Some(dynamic) = self.unknown.as_mut().filter(|_| first) {
            dynamic.operand = true;
        }
    }

    /// The value that a variable had before the line; see [`Part::Before`].
    pub(super) fn before(&mut self, name: &str, many: bool, apart: Option<char>) {
        let first = self.unknown.is_none();
        self.unknown(many);
        if let Some(dynamic) = self.unknown.as_mut().filter(|_| first) {
            dynamic.part = Part::Before { name: name.to_owned(), apart };
        }
    }

    /// A number, by its mark; whether it may have a sign before it, so that it may look like an option.
    pub(super) fn number(&mut self, mark: char, signed: bool) {
        let whole = match &mut self.unknown {
            None => Some(self.text.clone()),
            Some(Dynamic { part: Part::Numbers(all), .. }) => Some(std::mem::take(all)),
            Some(_) => None,
        };
        let first = self.unknown.is_none() && !(signed && self.text.is_empty());
        self.unknown(false);
        if let (Some(dynamic), Some(whole)) = (&mut self.unknown, whole) {
            dynamic.operand |= first && !dynamic.prefix.starts_with('-') && !dynamic.many;
            dynamic.part = Part::Numbers(format!("{whole}{mark}"));
        }
    }

    /// What a command prints of which the signs are known, each part by its mark.
    #[cold]
    pub(super) fn marked(&mut self, text: &str, many: bool) {
        for part in text.split_inclusive([NUMBER, PLAIN]) {
            let known = part.trim_end_matches([NUMBER, PLAIN]);
            self.quoted(known);
            match part.chars().next_back().filter(|last| matches!(*last, NUMBER | PLAIN)) {
                Some(PLAIN) => self.numbers_as(PLAIN, many),
                Some(mark) => self.number(mark, false),
                None => {}
            }
        }
    }

    /// Options for a compiler; see [`Part::Flags`].
    #[cold]
    pub(super) fn flags(&mut self) {
        let first = self.unknown.is_none() && self.text.is_empty();
        self.unknown(true);
        if let Some(dynamic) = self.unknown.as_mut().filter(|_| first) {
            dynamic.part = Part::Flags;
        }
    }

    /// Numbers, each of them a word, or nothing.
    pub(super) fn numbers(&mut self, many: bool) {
        self.numbers_as(PERHAPS, many);
    }

    /// The same, or another text of which as much is known, by its mark.
    pub(super) fn numbers_as(&mut self, mark: char, many: bool) {
        self.number(mark, true);
        if let Some(dynamic) = &mut self.unknown {
            dynamic.many |= many;
            dynamic.operand &= !many;
        }
    }

    /// What commands print, without the line ends behind it.
    #[cold]
    pub(super) fn said(&mut self, said: Said, quoted: bool) {
        let first = self.unknown.is_none();
        match said {
            Said::Nothing if quoted => return self.quoted(""),
            Said::Nothing => return,
            Said::Text(text) if quoted => return self.quoted(text.trim_end_matches('\n')),
            Said::Text(text) => return self.split(text.trim_end_matches('\n')),
            Said::Number => return self.numbers(!quoted),
            Said::Names(_) | Said::Words | Said::Absent | Said::Unknown => self.unknown(!quoted),
        }
        let Some(dynamic) = self.unknown.as_mut().filter(|_| first) else { return };
        match said {
            Said::Names(found) => {
                let Some(begins) = begins(&found) else { return };
                let flat = found.iter().all(|own| own.flat);
                dynamic.no_option = dynamic.prefix.is_empty();
                dynamic.prefix.push_str(&begins);
                dynamic.part = if flat { Part::Name } else { Part::Below };
            }
            Said::Words => {
                dynamic.no_option = dynamic.prefix.is_empty();
                dynamic.part = Part::Name;
            }
            Said::Absent => dynamic.absent = true,
            _ => {}
        }
    }

    /// Something of which as much is known as of the word that a variable was set to.
    #[cold]
    pub(super) fn like(&mut self, own: &Dynamic, many: bool) {
        let first = self.unknown.is_none();
        self.unknown(many);
        let Some(dynamic) = self.unknown.as_mut().filter(|_| first) else { return };
        dynamic.no_option = own.no_option && dynamic.prefix.is_empty();
        dynamic.prefix.push_str(&own.prefix);
        dynamic.part = own.part.clone();
        dynamic.absent = own.absent;
        dynamic.vanishes = own.vanishes;
    }

    /// Ends the field that grows.
    fn end(&mut self) {
        let text = std::mem::take(&mut self.text);
        let pattern = std::mem::take(&mut self.pattern);
        let is_glob = std::mem::take(&mut self.is_glob);
        let text = match self.unknown.take() {
            Some(mut dynamic) => {
                dynamic.many |= is_glob;
                // What is left of it where the rest is nothing may be an option.
                dynamic.operand &= !dynamic.bare.starts_with('-');
                dynamic.no_option &= !dynamic.bare.starts_with('-');
                if dynamic.part == Part::Perhaps && (is_glob || dynamic.bare.starts_with('-')) {
                    (dynamic.part, dynamic.prefix) = (Part::Any, String::new());
                }
                FieldText::Unknown(Box::new(dynamic))
            }
            // Nothing matches it, most likely: then it is an option as it stands. What does match
            // begins in the same way.
            None if is_glob && text.starts_with('-') => {
                let prefix = certain(&pattern);
                let bare = prefix.clone();
                FieldText::Unknown(Box::new(Dynamic { prefix, bare, ..Dynamic::default() }))
            }
            None if is_glob => FieldText::Glob(pattern),
            None => FieldText::Known(text.into()),
        };
        if std::mem::take(&mut self.any) {
            self.done.push(Field { text, span: self.span });
        }
    }

    pub(super) fn finish(mut self, shown: &str) -> Vec<Field> {
        self.end();
        for field in &mut self.done {
            if let FieldText::Unknown(dynamic) = &mut field.text {
                dynamic.shown = shown.to_owned();
            }
        }
        self.done
    }
}

/// What a pattern surely begins with, without the backslashes that take a sign's meaning away.
fn certain(pattern: &str) -> String {
    let mut certain = String::new();
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match c {
            '*' | '?' | '[' => break,
            '\\' => certain.extend(chars.next()),
            c => certain.push(c),
        }
    }
    certain
}

/// What all of these names begin with; an empty text where they only lie below the directory.
fn begins(found: &[Found]) -> Option<String> {
    let is_known = |own: &Found| own.here || !own.below.is_empty();
    if !found.iter().all(is_known) {
        return None;
    }
    let (first, others) = found.split_first()?;
    let is_beside =
        |own: &Found| own.here || !own.below.starts_with('/') && !own.below.contains("..");
    match others.iter().all(|own| own == first) {
        true => Some(first.below.clone()),
        false => found.iter().all(is_beside).then(String::new),
    }
}
