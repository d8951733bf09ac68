//! Commands that carry other commands.

use std::sync::Arc;

use ringfence_core::access::{ALL_VARIABLES, Arg, Cover, Exec, NO_WORD, WordMeaning, base_name};
use ringfence_core::path::{AbsPath, NameEnd};
use ringfence_core::program::{CommandEnd, WordRole};
use ringfence_core::{AccessKind, DoubtKind};

use super::Walker;
use super::assign::Set;
use super::budget::ENTRY;
use super::found::{Found, all_of, known_end};
use super::input::fed_words;
use super::invoke::Carrier;
use super::lists::names_of_fd;
use super::net::names_port;
use super::walk::Stdin;
use crate::argv::{self, Reading};
use crate::field::{Dynamic, Field, FieldText, Part};
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
            let reason = format!("can't tell which program `{}` is", first.shown());
            return self.unanalysable(&reason, Some(first.span));
        };
        if name.contains(char::is_whitespace) && self.line_for_a_name(name, fields, remote) {
            return;
        }
        let skipped = sets.len();
        let carrier = carrier.map(|(exec, at)| (exec, at.saturating_add(skipped)));
        if !remote {
            self.file_of_program(name, first.span);
        }
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

    /// `xargs` with a text that is known; whether its commands could be told.
    #[cold]
    pub(super) fn fed_by_text(
        &mut self,
        exec: &Arc<Exec>,
        own: &argv::Use<'_>,
        reading: &Reading<'_>,
        (end, stdin): (CommandEnd, &Stdin),
        remote: bool,
    ) -> bool {
        let text = match stdin {
            Stdin::Text(text) => text,
            _ => return false,
        };
        let span = own.fields.first().map_or(Span::default(), |field| field.span);
        let Some(commands) = fed_words(reading, text, span) else { return false };
        let mark = mark_of(reading).unwrap_or_else(|| "{}".to_owned());
        let replaces = ["-I", "-i", "--replace"].iter().any(|name| reading.has(name));
        for words in commands {
            let fields: Vec<Field> = match (replaces, words.first().and_then(Field::as_known)) {
                (true, Some(piece)) => {
                    let put = |field: &Field| match field.as_known() {
                        Some(text) => Field::known(text.replace(&mark, piece), field.span),
                        None => field.clone(),
                    };
                    own.fields.iter().map(put).collect()
                }
                _ => own.fields.iter().cloned().chain(words).collect(),
            };
            if !self.spend(fields.len().saturating_mul(ENTRY)) {
                break;
            }
            let carrier = Some(carrier_of(exec, own.at));
            self.carried(&fields, end, carrier, &Stdin::Unknown, (remote, false));
        }
        true
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
        let doubts = self.effects.doubts.len();
        let was = std::mem::replace(&mut self.scope.elsewhere, true);
        step(self);
        self.scope.elsewhere = was;
        let doubts = self.effects.doubts.get_mut(doubts..).unwrap_or_default();
        doubts.iter_mut().for_each(|doubt| doubt.kind = DoubtKind::Other);
        let mut index = 0usize;
        self.effects.accesses.retain(|access| {
            index = index.saturating_add(1);
            index <= before || matches!(access.what, AccessKind::Exec(_))
        });
    }

    /// What `mapfile`, `complete` and `compgen` call is given words that are not known.
    pub(super) fn callback(&mut self, fields: &[Field]) {
        let Some(field) = fields.first() else { return };
        match field.as_known() {
            Some(text) => self.shell_text(&format!("{text} \"$@\""), field.span),
            None => self.role(&WordRole::Shell, fields, None),
        }
    }

    /// Words that a shell elsewhere reads as one line.
    pub(super) fn joined_line(&mut self, fields: &[Field]) {
        let words: Option<Vec<&str>> = fields.iter().map(Field::as_known).collect();
        let span = fields.first().map_or(Span::default(), |field| field.span);
        match words {
            Some(words) => self.shell_text(&words.join(" "), span),
            None => self.unanalysable("can't tell which commands are among its words", Some(span)),
        }
    }

    /// `python -m pip install x`: a module that is a program of its own, with the words behind it.
    pub(super) fn module(&mut self, fields: &[Field], args: &[Field], at: usize) {
        let Some(name) = fields.first().and_then(Field::as_known) else { return };
        // The name is a word of its own, unless it is glued to `-m` or to letters before it.
        let next = args.get(at.saturating_add(1));
        let apart = next.zip(fields.first()).is_some_and(|(next, own)| std::ptr::eq(next, own));
        let from = at.saturating_add(if apart { 2 } else { 1 });
        let words = args.get(from..).unwrap_or_default();
        if (at > 0 || args.first().and_then(Field::as_known) != Some("-m"))
            && let Some(exec) = self.scope.command.clone()
        {
            self.plain_module(&exec, name, words);
        }
        let span = fields.first().map_or(Span::default(), |field| field.span);
        if !self.as_program(name, words, span, true) {
            // Options behind a module are its own, whatever the interpreter calls so.
            let others = words.iter().filter(|word| !word.prefix().starts_with('-'));
            others.for_each(|word| self.loose_operand(word));
        }
    }

    /// `python -Im pip` is `python -m pip`, to whoever objects to that.
    #[cold]
    fn plain_module(&mut self, exec: &Exec, name: &str, words: &[Field]) {
        let program = base_name(&exec.program.invoked);
        let Some(entry) = argv::entry_of(self.world.catalogue(), program) else { return };
        let span = words.first().map_or(Span::default(), |word| word.span);
        let own = ["-m", name].map(|word| Field::known(word, span));
        let words: Vec<Field> = own.into_iter().chain(words.iter().cloned()).collect();
        let meant = argv::read(self.world.catalogue(), entry, &words).meant;
        self.by_another_name(program, &words, meant, span);
    }

    /// What these words do behind a program that needs no grant of its own here, but meets who objects
    /// to it, and what it does of its own accord if it is started here; false where nothing is known
    /// of it.
    pub(super) fn as_program(
        &mut self,
        name: &str,
        words: &[Field],
        span: Span,
        started: bool,
    ) -> bool {
        let Some(entry) = argv::entry_of(self.world.catalogue(), name) else { return false };
        let mut reading = argv::read(self.world.catalogue(), entry, words);
        if let Some(reason) = &reading.doubt {
            self.unanalysable(reason, Some(span));
        }
        if let Some(hidden) = &reading.hidden {
            self.may_be_option(hidden);
        }
        self.program_behind(name, words, std::mem::take(&mut reading.meant), span);
        for own in &reading.uses {
            match own.role {
                Some(role) => self.role(role, &own.fields, own.option),
                None => own.fields.iter().for_each(|field| self.loose_operand(field)),
            }
        }
        let given = reading.given.iter().filter(|_| started);
        for given in given.filter(|own| own.role != WordRole::Listen || !names_port(&reading)) {
            self.role(&given.role, &[Field::known(&*given.text, span)], None);
        }
        true
    }

    /// A command that may be run by what is not seen: it meets who objects to it, and no more.
    pub(super) fn may_be_run(&mut self, name: &str, words: &[Field], span: Span) {
        let entry = argv::entry_of(self.world.catalogue(), name);
        let meant = entry.map(|entry| argv::read(self.world.catalogue(), entry, words).meant);
        self.program_behind(name, words, meant.unwrap_or_default(), span);
    }

    /// The program that a module is: it needs no grant of its own, but meets who objects to it.
    pub(super) fn program_behind(
        &mut self,
        name: &str,
        words: &[Field],
        meant: Vec<WordMeaning>,
        span: Span,
    ) {
        self.program_of(None, name, words, meant, span);
    }

    /// The command that is being read, by another name: `git foo` is `git-foo`. It meets who objects
    /// to that name, unless the words that let the command through let it through as well.
    pub(super) fn by_another_name(
        &mut self,
        name: &str,
        words: &[Field],
        meant: Vec<WordMeaning>,
        span: Span,
    ) {
        let carrier = self.scope.command.clone().map(|own| (own, NO_WORD));
        self.program_of(carrier, name, words, meant, span);
    }

    fn program_of(
        &mut self,
        carrier: Carrier,
        name: &str,
        words: &[Field],
        meant: Vec<WordMeaning>,
        span: Span,
    ) {
        let cwd = self.state.cwd.first().cloned().unwrap_or_else(AbsPath::root);
        let exec = Exec {
            program: self.world.program(name, &cwd, false),
            aliases: Vec::new(),
            args: words.iter().map(|word| word.to_arg(false)).collect(),
            reading: Some(meant),
            carrier,
            cwd,
        };
        let before = self.enter(None, Cover::NoGrant);
        self.add(AccessKind::Exec(Arc::new(exec)), span);
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
    found: &Found,
) -> Vec<Field> {
    let span = fields.first().map_or(Span::default(), |field| field.span);
    match base {
        "xargs" => {
            let mark = mark_of(reading);
            let replaces = ["-I", "-i", "--replace", "-J"].iter().any(|name| reading.has(name));
            match replaces {
                true => {
                    let mark = mark.as_deref().unwrap_or("{}");
                    let begins = Found { ends: NameEnd::default(), ..found.clone() };
                    replaced(fields, mark, &begins, false)
                }
                false if found.exact => {
                    fields.iter().cloned().chain([Field::known(&*found.below, span)]).collect()
                }
                false => {
                    // All names are as they were found where none is taken apart at a blank or a line's
                    // end that is part of it.
                    let whole = !found.below.is_empty() && reading.has("-0") && !reading.has("-d");
                    let more = Dynamic {
                        prefix: found.below.clone(),
                        shown: "…".to_owned(),
                        many: true,
                        operand: whole,
                        no_option: found.here,
                        absent: found.absent,
                        part: part_of(found),
                        ends: if whole { found.ends } else { NameEnd::default() },
                        ..Dynamic::default()
                    };
                    let more = Field { text: FieldText::Unknown(Box::new(more)), span };
                    fields.iter().cloned().chain([more]).collect()
                }
            }
        }
        _ if end == CommandEnd::Semicolon => replaced(fields, "{}", found, true),
        "fd" | "fdfind" => replaced(fields, "{}", found, true),
        _ => fields.to_vec(),
    }
}

/// Returns the words of `xargs -I{} sh -c 'LINE'` with the names that `find` prints in the line.
///
/// A name may say something to a shell; what was there before the line is the project's own.
pub(super) fn in_line(
    reading: &Reading<'_>,
    fields: &[Field],
    found: &Found,
) -> Option<Vec<Field>> {
    let mark = mark_of(reading)?;
    let shell = fields.first().and_then(Field::as_known)?;
    if found.below.is_empty() || mark.is_empty() || !matches!(shell, "sh" | "bash" | "dash") {
        return None;
    }
    let name = format!("{}*", found.below);
    let plain =
        |field: &Field| Some(Field::known(field.as_known()?.replace(&mark, &name), field.span));
    fields.iter().map(plain).collect()
}

/// Returns whether a command stands among the words.
pub(super) fn has_command(reading: &Reading<'_>) -> bool {
    reading.uses.iter().any(|own| matches!(own.role, Some(WordRole::Command(_))))
}

/// Returns the program to which a container hands the words behind its image.
pub(super) fn entrypoint(reading: &Reading<'_>) -> Option<Field> {
    let mut options = reading.uses.iter().filter(|own| own.option == Some("--entrypoint"));
    let first = options.next_back()?.fields.first()?;
    (first.as_known() != Some("")).then(|| first.clone())
}

/// What is known of the names that a carrier puts into its command.
pub(super) fn names_below(
    base: &str,
    own: &argv::Use<'_>,
    reading: &Reading<'_>,
    (args, stdin): (&[Field], &Stdin),
) -> Vec<Found> {
    let unknown = || vec![Found::default()];
    match (base, stdin) {
        ("find", _) if own.option.is_some_and(|name| matches!(name, "-exec" | "-ok")) => {
            let starts = reading.uses.iter().filter(|it| it.option.is_none() && it.at < own.at);
            let names = starts.flat_map(|it| it.fields.iter());
            let ends = known_end(args.get(..own.at).unwrap_or_default(), args);
            let below = directories(names.map(Field::as_known));
            below.map_or_else(unknown, |below| all_of(below, ends))
        }
        ("xargs", Stdin::Names(below)) => below.clone(),
        ("fd" | "fdfind", _) => {
            let words = args.iter().filter_map(Field::as_known);
            let words: Vec<&str> = words.collect();
            let all = words.len() == args.len();
            names_of_fd(&words).filter(|_| all).unwrap_or_else(unknown)
        }
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
fn replaced(fields: &[Field], mark: &str, found: &Found, operand: bool) -> Vec<Field> {
    let below = &found.below;
    if found.exact {
        let put = |field: &Field| match field.as_known() {
            Some(text) => Field::known(text.replace(mark, below), field.span),
            None => field.clone(),
        };
        return fields.iter().map(put).collect();
    }
    let replace = |field: &Field| match field.as_known().and_then(|text| text.split_once(mark)) {
        Some((before, after)) => {
            let suffix = after.rsplit(mark).next().unwrap_or_default();
            let dynamic = Dynamic {
                prefix: format!("{before}{below}"),
                suffix: suffix.to_owned(),
                // Only the name itself is surely there: what is made beside it may be new.
                ends: if field.shown() == mark { found.ends } else { NameEnd::default() },
                shown: field.shown().to_owned(),
                operand,
                no_option: found.here && before.is_empty(),
                absent: found.absent,
                part: part_of(found),
                ..Dynamic::default()
            };
            Field { text: FieldText::Unknown(Box::new(dynamic)), span: field.span }
        }
        None => match &field.text {
            // All names in one place, as `{} +` has them.
            FieldText::Unknown(names) if names.shown == mark => {
                let own = Dynamic::clone(names);
                let part = part_of(found);
                let names = Dynamic { prefix: below.clone(), ends: found.ends, part, ..own };
                Field { text: FieldText::Unknown(Box::new(names)), span: field.span }
            }
            _ => field.clone(),
        },
    };
    fields.iter().map(replace).collect()
}

/// What is known of the rest of a name that was found.
fn part_of(found: &Found) -> Part {
    match found {
        Found { flat: true, .. } => Part::Name,
        found if found.below.is_empty() && !found.here => Part::Any,
        _ => Part::Below,
    }
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
