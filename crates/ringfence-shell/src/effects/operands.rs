//! Operands that mean something only together.

use std::rc::Rc;

use ringfence_core::path::{EntryKind, Follow};
use ringfence_core::program::{FileUse, WordRole};

use super::builtin::any_option;
use super::{MAX_ROUNDS, Walker};
use crate::argv::{self, Reading};
use crate::field::Field;
use crate::span::Span;

/// The language of settings whose key and value are words of their own.
pub(super) const SETTING: &str = "git-config-set";

impl Walker<'_> {
    /// `git config KEY VALUE`: two operands that are one setting.
    #[cold]
    pub(super) fn settings(&mut self, reading: &Reading<'_>) {
        let is_setting = |own: &&argv::Use<'_>| {
            let in_it =
                matches!(own.role, Some(WordRole::Code(language)) if **language == *SETTING);
            in_it && own.option.is_none()
        };
        let words: Vec<&Field> =
            reading.uses.iter().filter(is_setting).flat_map(|own| own.fields.iter()).collect();
        let [key, values @ ..] = words.as_slice() else { return };
        let known: Option<Vec<&str>> = values.iter().map(|value| value.as_known()).collect();
        match (key.as_known(), known) {
            (Some(key_text), Some(values)) => {
                // Without a value it is only asked for.
                if let Some(value) = values.first() {
                    self.code(SETTING, &format!("{key_text}={value}"), key.span);
                }
            }
            _ => {
                let reason = "can't tell which setting it changes";
                self.unanalysable(reason, Some(key.span));
            }
        }
    }

    /// Operands that are a line for a shell are joined by blanks: `watch git status`.
    #[cold]
    pub(super) fn shell_operands(&mut self, reading: &Reading<'_>) {
        let is_line =
            |own: &&argv::Use<'_>| own.option.is_none() && own.role == Some(&WordRole::Shell);
        let words: Vec<&Field> =
            reading.uses.iter().filter(is_line).flat_map(|own| own.fields.iter()).collect();
        let Some(first) = words.first() else { return };
        let known: Option<Vec<&str>> = words.iter().map(|word| word.as_known()).collect();
        match known {
            // `trap - INT` takes a trap away.
            Some(words) if words == ["-"] => {}
            Some(words) => {
                // After the line come `$0`, `$1` and so on.
                let is_text = |own: &&argv::Use<'_>| {
                    own.role == Some(&WordRole::Text) && own.option.is_none()
                };
                let further = reading.uses.iter().filter(is_text).flat_map(|own| own.fields.iter());
                let further: Vec<&Field> = further.collect();
                // The first is `$0`, unless it may be several words.
                let any = further.first().is_some_and(|field| field.is_many());
                let known = further.iter().skip(1).map(|field| field.as_known());
                let known: Option<Rc<[String]>> =
                    known.map(|word| word.map(str::to_owned)).collect();
                let known = known.filter(|_| !any);
                self.given_options =
                    further.iter().any(|own| any_option(std::slice::from_ref(*own)));
                self.in_new_shell(&words.join(" "), first.span, known);
            }
            None => {
                let reason = "can't tell which commands are among its words";
                self.unanalysable(reason, Some(first.span));
            }
        }
    }

    /// GNU parallel: its words up to `:::` are a line for a shell, with what it is given in place of
    /// `{}` or behind it. Without a command, what it is given are the commands.
    pub(super) fn parallel(&mut self, fields: &[Field], mark: Option<&str>) {
        let is_mark = |field: &Field| field.as_known().is_some_and(|word| word.starts_with(":::"));
        let words: Option<Vec<&str>> =
            fields.iter().take_while(|field| !is_mark(field)).map(Field::as_known).collect();
        let given = fields.iter().skip_while(|field| !is_mark(field)).filter(|it| !is_mark(it));
        let span = fields.first().map_or(Span::default(), |field| field.span);
        match words {
            Some(words) if !words.is_empty() => {
                let text = words.join(" ").replace(mark.unwrap_or("{}"), "$1");
                let line = format!("{text} $1");
                // A positional parameter that is not set is a word that nobody knows.
                self.in_new_shell(&line, span, None);
                for value in given.filter_map(Field::as_known).take(MAX_ROUNDS) {
                    self.in_new_shell(&line, span, Some(Rc::from([value.to_owned()])));
                }
            }
            _ => self.unanalysable("can't tell what it would run", Some(span)),
        }
    }

    /// What a symbolic link leads to is found from where the link lies.
    pub(super) fn symbolic_link(&mut self, reading: &Reading<'_>, targets: &[Field]) {
        let name =
            reading.uses.iter().rev().find(|own| own.role != Some(&WordRole::File(FileUse::Link)));
        let place = name.and_then(|own| own.fields.first()?.as_known().map(str::to_owned));
        let before = self.state.cwd.clone();
        let looked_in = self.looked_in.replace(self.looked_in.clone().unwrap_or(before.clone()));
        if let Some(place) = place {
            let paths = self.resolve(&place, Follow::Final, Span::default());
            let lies = paths.into_iter().filter_map(|path| match path.kind {
                Some(EntryKind::Dir) => Some(path.real),
                _ => path.real.parent(),
            });
            self.state.cwd = lies.collect();
        }
        targets.iter().for_each(|target| self.file(FileUse::Link, target));
        self.state.cwd = before;
        self.looked_in = looked_in;
    }
}

/// Whether a program takes nothing but text, which may go on as paths: `echo /x | xargs cat`.
pub(super) fn only_text(reading: &Reading<'_>) -> bool {
    let operands = reading.entry().and_then(|entry| entry.operands.as_ref());
    operands.is_some_and(|operands| operands.roles().all(|role| *role == WordRole::Text))
}
