//! Commands that carry other commands.

use std::sync::Arc;

use ringfence_core::What;
use ringfence_core::access::{ALL_VARIABLES, Arg, Cover, Exec, Meant};
use ringfence_core::path::AbsPath;
use ringfence_core::program::{CommandEnd, Role};

use super::Walker;
use super::assign::Set;
use super::invoke::Carrier;
use super::walk::Stdin;
use crate::argv::{self, Reading};
use crate::field::{Dynamic, Field, FieldText};
use crate::span::Span;

impl Walker<'_> {
    /// A command that another one carries.
    pub(super) fn carried(
        &mut self,
        fields: &[Field],
        end: CommandEnd,
        carrier: Carrier,
        stdin: &Stdin,
        (remote, in_shell): (bool, bool),
    ) {
        let mut fields = fields;
        let mut sets = Vec::new();
        if end == CommandEnd::LineAfterAssignments {
            while let Some((first, rest)) = fields.split_first()
                && let Some((name, _)) = first.prefix().split_once('=')
            {
                let value = first.skip(name.len().saturating_add(1));
                let name = name.to_owned();
                sets.push(Set { name, value, list: None, span: first.span });
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
        if name.contains(char::is_whitespace) && self.line_for_a_name(name, fields, remote) {
            return;
        }
        let skipped = sets.len();
        let carrier = carrier.map(|(exec, at)| (exec, at.saturating_add(skipped)));
        let run = |walker: &mut Self| {
            walker.inner(|walker| {
                walker.invoke(name, first.span, args, &sets, stdin, in_shell, carrier);
            });
        };
        match remote {
            true => self.remotely(run),
            false => run(self),
        }
    }

    /// A word with blanks where the name of a program is expected: the carrier hands it to a shell,
    /// or nothing runs. Whether it can be nothing but a line.
    #[cold]
    fn line_for_a_name(&mut self, name: &str, fields: &[Field], remote: bool) -> bool {
        match remote {
            true => self.remotely(|walker| walker.joined_line(fields)),
            false => self.joined_line(fields),
        }
        !name.split_whitespace().next().unwrap_or_default().contains('/')
    }

    /// What runs on another machine: its commands are judged, its paths and hosts are not.
    pub(super) fn remotely(&mut self, step: impl FnOnce(&mut Self)) {
        let before = self.effects.accesses.len();
        step(self);
        let mut index = 0usize;
        self.effects.accesses.retain(|access| {
            index = index.saturating_add(1);
            index <= before || matches!(access.what, What::Exec(_))
        });
    }

    /// What `mapfile`, `complete` and `compgen` call is given words that are not known.
    pub(super) fn callback(&mut self, fields: &[Field]) {
        let Some(field) = fields.first() else { return };
        match field.as_known() {
            Some(text) => self.shell_text(&format!("{text} \"$@\""), field.span),
            None => self.role(&Role::Shell, fields, None),
        }
    }

    /// Words that a shell elsewhere reads as one line.
    pub(super) fn joined_line(&mut self, fields: &[Field]) {
        let words: Option<Vec<&str>> = fields.iter().map(Field::as_known).collect();
        let span = fields.first().map_or(Span::default(), |field| field.span);
        match words {
            Some(words) => self.shell_text(&words.join(" "), span),
            None => self.unanalysable("the commands among its words cannot be told", Some(span)),
        }
    }

    /// `python -m pip install x`: a module that is a program of its own, with the words behind it.
    pub(super) fn module(&mut self, fields: &[Field], args: &[Field], at: usize) {
        let Some(name) = fields.first().and_then(Field::as_known) else { return };
        let Some(entry) = argv::entry_of(self.world.catalogue(), name) else { return };
        let glued = args.get(at).and_then(Field::as_known) != Some("-m");
        let from = at.saturating_add(if glued { 1 } else { 2 });
        let words = args.get(from..).unwrap_or_default();
        let mut reading = argv::read(self.world.catalogue(), entry, words);
        let span = fields.first().map_or(Span::default(), |field| field.span);
        self.program_behind(name, words, std::mem::take(&mut reading.meant), span);
        for own in &reading.uses {
            match own.role {
                Some(role) => self.role(role, &own.fields, own.option),
                None => own.fields.iter().for_each(|field| self.loose_operand(field)),
            }
        }
        for given in &reading.given {
            self.role(&given.role, &[Field::known(&*given.text, span)], None);
        }
    }

    /// The program that a module is: it needs no grant of its own, but meets who objects to it.
    fn program_behind(&mut self, name: &str, words: &[Field], meant: Vec<Meant>, span: Span) {
        let cwd = self.state.cwd.first().cloned().unwrap_or_else(AbsPath::root);
        let exec = Exec {
            program: self.world.program(name, &cwd, false),
            args: words.iter().map(|word| word.to_arg(false)).collect(),
            reading: Some(meant),
            carrier: None,
            cwd,
        };
        let before = self.enter(None, Cover::Free);
        self.add(What::Exec(Arc::new(exec)), span);
        self.come_back(before);
    }

    /// `env NAME=VALUE` without a command prints what it has.
    pub(super) fn without_command(&mut self, sets: &[Set]) {
        for set in sets {
            self.set_env(&set.name, &set.value, set.span);
        }
        if let Some(last) = sets.last() {
            self.read_variable(ALL_VARIABLES, last.span);
        }
    }
}

/// The words of a carried command with what the carrier puts among them: names below a directory,
/// where that much is known of them.
pub(super) fn feed(
    base: &str,
    reading: &Reading<'_>,
    end: CommandEnd,
    fields: &[Field],
    below: &str,
) -> Vec<Field> {
    let span = fields.first().map_or(Span::default(), |field| field.span);
    match base {
        "xargs" => {
            let mark = mark_of(reading);
            let replaces = ["-I", "-i", "--replace", "-J"].iter().any(|name| reading.has(name));
            match replaces {
                true => {
                    let mark = mark.as_deref().unwrap_or("{}");
                    replaced(fields, mark, below, false)
                }
                false => {
                    let more = Dynamic {
                        prefix: below.to_owned(),
                        shown: "…".to_owned(),
                        many: true,
                        // All names begin like where they lie.
                        operand: !below.is_empty(),
                        ..Dynamic::default()
                    };
                    let more = Field { text: FieldText::Unknown(Box::new(more)), span };
                    fields.iter().cloned().chain([more]).collect()
                }
            }
        }
        _ if end == CommandEnd::Semicolon => replaced(fields, "{}", below, true),
        "fd" | "fdfind" => replaced(fields, "{}", below, true),
        _ => fields.to_vec(),
    }
}

/// The directories below which the names lie that a carrier puts into its command; an empty text
/// where that is not known.
pub(super) fn names_below(
    base: &str,
    own: &argv::Use<'_>,
    reading: &Reading<'_>,
    stdin: &Stdin,
) -> Vec<String> {
    let unknown = || vec![String::new()];
    match (base, stdin) {
        ("find", _) if own.option.is_some_and(|name| matches!(name, "-exec" | "-ok")) => {
            let starts = reading.uses.iter().filter(|it| it.option.is_none() && it.at < own.at);
            let names = starts.flat_map(|it| it.fields.iter());
            directories(names.map(Field::as_known)).unwrap_or_else(unknown)
        }
        ("xargs", Stdin::Names(below)) if !reading.has("-a") => below.clone(),
        _ => unknown(),
    }
}

/// Starting points of `find`, each as what all names below it begin with. They stand before its
/// first test.
pub(super) fn directories<'t>(words: impl Iterator<Item = Option<&'t str>>) -> Option<Vec<String>> {
    /// More are not told apart.
    const MOST: usize = 16;
    let is_test = |word: &str| word.starts_with(['-', '(', ')', '!', ',']);
    let starts = words.take_while(|word| !word.is_some_and(is_test));
    let mut starts: Vec<&str> = starts.collect::<Option<_>>()?;
    if starts.is_empty() {
        starts.push(".");
    }
    let with_slash = |start: &str| format!("{}/", start.trim_end_matches('/'));
    (starts.len() <= MOST && !starts.contains(&""))
        .then(|| starts.into_iter().map(with_slash).collect())
}

/// The words with a mark in them replaced by what is not known.
fn replaced(fields: &[Field], mark: &str, below: &str, operand: bool) -> Vec<Field> {
    let replace = |field: &Field| match field.as_known().and_then(|text| text.split_once(mark)) {
        Some((before, after)) => {
            let suffix = after.rsplit(mark).next().unwrap_or_default();
            let dynamic = Dynamic {
                prefix: format!("{before}{below}"),
                suffix: suffix.to_owned(),
                shown: field.shown().to_owned(),
                operand,
                ..Dynamic::default()
            };
            Field { text: FieldText::Unknown(Box::new(dynamic)), span: field.span }
        }
        None => match &field.text {
            // All names in one place, as `{} +` has them.
            FieldText::Unknown(names) if names.shown == mark => {
                let names = Dynamic { prefix: below.to_owned(), ..(**names).clone() };
                Field { text: FieldText::Unknown(Box::new(names)), span: field.span }
            }
            _ => field.clone(),
        },
    };
    fields.iter().map(replace).collect()
}

/// What stands for the words that a carrier is given.
pub(super) fn mark_of(reading: &Reading<'_>) -> Option<String> {
    let is_mark =
        |own: &&argv::Use<'_>| matches!(own.option, Some("-I" | "--replace" | "-i" | "-J"));
    let own = reading.uses.iter().find(is_mark)?;
    own.fields.first()?.as_known().map(str::to_owned)
}

/// The command that carries another, without flags before it that change nothing.
pub(super) fn carrier_of(exec: &Arc<Exec>, at: usize) -> (Arc<Exec>, usize) {
    let before = exec.args.get(..at).unwrap_or_default();
    let is_flag = |arg: &Arg| {
        arg.known().is_some_and(|word| matches!(word, "-y" | "--yes" | "-q" | "--quiet" | "--no"))
    };
    if before.is_empty() || !before.iter().all(is_flag) {
        return (Arc::clone(exec), at);
    }
    let args = exec.args.get(at..).unwrap_or_default().to_vec();
    (Arc::new(Exec { args, reading: None, ..Exec::clone(exec) }), 0)
}
