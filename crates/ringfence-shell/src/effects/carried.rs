//! Commands that other commands carry.

use ringfence_core::What;
use ringfence_core::access::{ALL_VARIABLES, Cover};
use ringfence_core::program::{CommandEnd, Role};

use super::Walker;
use super::assign::Set;
use super::invoke::Carrier;
use super::walk::Stdin;
use crate::argv::Reading;
use crate::field::{Dynamic, Field, FieldText};
use crate::span::Span;

/// What runs a command that another one carries.
pub(super) struct Runner {
    pub(super) carrier: Carrier,
    /// Whether the shell itself does, which has builtins.
    pub(super) in_shell: bool,
    /// Whether it is on another machine.
    pub(super) remote: bool,
}

impl Walker<'_> {
    /// A command that another one carries.
    pub(super) fn carried(&mut self, fields: &[Field], end: CommandEnd, runner: Runner) {
        let Runner { carrier, in_shell, remote } = runner;
        let mut fields = fields;
        let mut sets = Vec::new();
        if end == CommandEnd::LineAfterAssignments {
            while let Some((first, rest)) = fields.split_first()
                && let Some((name, _)) = first.prefix().split_once('=')
            {
                let value = first.skip(name.len().saturating_add(1));
                sets.push(Set { name: name.to_owned(), value, span: first.span });
                fields = rest;
            }
        }
        let Some((first, args)) = fields.split_first() else {
            return self.without_command(&sets);
        };
        let Some(name) = first.as_known().filter(|name| !name.is_empty()) else {
            let reason = format!("which program `{}` is cannot be told", first.shown());
            return self.unanalysable(&reason, Some(first.span));
        };
        let skipped = sets.len();
        let carrier = carrier.map(|(exec, at)| (exec, at.saturating_add(skipped)));
        let (scope, before) = (self.scope.clone(), self.effects.accesses.len());
        self.scope.command = None;
        self.scope.cover = Cover::Bare;
        self.invoke(name, first.span, args, &sets, &Stdin::Unknown, in_shell, carrier);
        self.scope = scope;
        if remote {
            // Its paths and hosts are another machine's.
            let mut index = 0usize;
            self.effects.accesses.retain(|access| {
                index = index.saturating_add(1);
                index <= before || matches!(access.what, What::Exec(_))
            });
        }
    }

    /// `env NAME=VALUE` without a command prints what it has.
    fn without_command(&mut self, sets: &[Set]) {
        for set in sets {
            self.set_env(&set.name, &set.value, set.span);
        }
        if let Some(last) = sets.last() {
            self.read_variable(ALL_VARIABLES, last.span);
        }
    }

    /// What `mapfile`, `complete` and `compgen` call is given words that are not known.
    pub(super) fn callback(&mut self, fields: &[Field]) {
        let Some(field) = fields.first() else { return };
        match field.as_known() {
            Some(text) => self.shell_text(&format!("{text} \"$@\""), field.span),
            None => self.role(&Role::Shell, fields, None),
        }
    }

    /// GNU parallel: its words up to `:::` are a line for a shell, with what it is given in place of
    /// `{}` or behind it. Without a command, what it is given are the commands.
    pub(super) fn parallel(&mut self, fields: &[Field]) {
        let is_mark = |field: &&Field| field.as_known().is_some_and(|word| word.starts_with(":::"));
        let words: Option<Vec<&str>> =
            fields.iter().take_while(|field| !is_mark(field)).map(Field::as_known).collect();
        let span = fields.first().map_or(Span::default(), |field| field.span);
        match words {
            Some(words) if !words.is_empty() => {
                // A positional parameter is a word that nobody knows.
                let text = words.join(" ").replace("{}", "$1");
                self.shell_text(&format!("{text} $1"), span);
            }
            _ => self.unanalysable("what it would run cannot be told", Some(span)),
        }
    }
}

/// The words of a carried command with what the carrier puts among them.
pub(super) fn feed(base: &str, reading: &Reading, end: CommandEnd, fields: &[Field]) -> Vec<Field> {
    let span = fields.first().map_or(Span::default(), |field| field.span);
    match base {
        "xargs" => {
            let mark = reading.uses.iter().find(|own| {
                matches!(own.option.as_deref(), Some("-I" | "--replace" | "-i" | "-J"))
            });
            let mark = mark.and_then(|own| own.fields.first()?.as_known().map(str::to_owned));
            let replaces = ["-I", "-i", "--replace", "-J"].iter().any(|name| reading.has(name));
            match replaces {
                true => replaced(fields, mark.as_deref().unwrap_or("{}"), false),
                false => {
                    let more = Field::unknown("…", true, span);
                    fields.iter().cloned().chain([more]).collect()
                }
            }
        }
        _ if end == CommandEnd::Semicolon => replaced(fields, "{}", true),
        "fd" | "fdfind" => replaced(fields, "{}", true),
        _ => fields.to_vec(),
    }
}

/// The words with a mark in them replaced by what is not known.
fn replaced(fields: &[Field], mark: &str, operand: bool) -> Vec<Field> {
    let replace = |field: &Field| match field.as_known().and_then(|text| text.split_once(mark)) {
        Some((before, after)) => {
            let suffix = after.rsplit(mark).next().unwrap_or_default();
            let dynamic = Dynamic {
                prefix: before.to_owned(),
                suffix: suffix.to_owned(),
                shown: field.shown().to_owned(),
                many: false,
                operand,
            };
            Field { text: FieldText::Unknown(dynamic), span: field.span }
        }
        None => field.clone(),
    };
    fields.iter().map(replace).collect()
}
