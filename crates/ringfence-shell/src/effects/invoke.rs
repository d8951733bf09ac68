//! Programs with their arguments.

use std::sync::Arc;

use ringfence_core::Access;
use ringfence_core::What;
use ringfence_core::access::{ALL_VARIABLES, Arg, Cover, Exec, Extent, FileOp};
use ringfence_core::path::{AbsPath, EntryKind, Follow};
use ringfence_core::program::{CommandEnd, Entry, FileUse, Role, Wrapper};

use super::Walker;
use super::assign::Set;
use super::walk::Stdin;
use crate::argv::{self, Reading};
use crate::field::{Dynamic, Field, FieldText};
use crate::span::Span;

/// The language of settings whose key and value are words of their own.
const SETTING: &str = "git-config-set";

/// The command that carries another one, and which of its words names it.
pub(super) type Carrier = Option<(Arc<Exec>, usize)>;

impl Walker<'_> {
    /// Runs a program as it stands, with all that it does by its words.
    #[expect(clippy::too_many_arguments, reason = "each says another thing about one command")]
    pub(super) fn invoke(
        &mut self,
        name: &str,
        span: Span,
        args: &[Field],
        sets: &[Set],
        stdin: &Stdin,
        in_shell: bool,
        carrier: Carrier,
    ) {
        self.nested(span, |walker| {
            walker.invoke_here(name, span, args, sets, stdin, in_shell, carrier);
        });
    }

    #[expect(clippy::too_many_arguments, reason = "each says another thing about one command")]
    fn invoke_here(
        &mut self,
        name: &str,
        span: Span,
        args: &[Field],
        sets: &[Set],
        stdin: &Stdin,
        in_shell: bool,
        carrier: Carrier,
    ) {
        let entry = argv::entry_of(self.world.catalogue(), name);
        let builtin =
            in_shell && !name.contains('/') && entry.as_ref().is_some_and(|entry| entry.builtin);
        let mut reading = entry.map(|entry| argv::read(self.world.catalogue(), entry, args));
        let ended = args.iter().position(|arg| arg.as_known() == Some("--"));
        let to_arg =
            |(at, field): (usize, &Field)| field.to_arg(ended.is_some_and(|ended| at > ended));
        // Where the directory cannot be told, no rule that is bound to one grants it.
        let cwd = self.state.cwd.first().cloned().unwrap_or_else(AbsPath::root);
        if sets.iter().any(|set| set.name == "PATH") && !name.contains('/') {
            self.unanalysable("the line changes where programs are found", Some(span));
        }
        let exec = Arc::new(Exec {
            program: self.world.program(name, &cwd, builtin),
            args: args.iter().enumerate().map(to_arg).collect(),
            reading: reading.as_mut().map(|reading| std::mem::take(&mut reading.meant)),
            carrier,
            cwd,
        });
        let whole = args.last().map_or(span, |last| Span {
            start: span.start.min(last.span.start),
            end: span.end.max(last.span.end),
        });
        self.add_exec(&exec, reading.as_ref(), whole);
        let before = self.scope.clone();
        self.scope.command = Some(Arc::clone(&exec));
        self.scope.cover = Cover::Granted;
        for set in sets {
            match builtin && self.world.catalogue().variable(&set.name).is_none() {
                // No program is given it.
                true if !self.world.objects_to_variable(&set.name) => {}
                _ => self.set_env(&set.name, &set.value, set.span),
            }
        }
        for name in self.given.clone() {
            match name.is_empty() || name.contains(['=', '\0']) {
                true => self.deny("a variable is set that has no proper name", span),
                false => self.add(What::SetEnv(name.into()), span),
            }
        }
        if name.contains('/') {
            self.refuse_written(name, span);
            self.name_of_file(&Field::known(name, span));
        }
        self.by_other_name(name, args, span);
        match reading {
            Some(reading) => self.by_reading(name, &exec, &reading, (args, stdin), whole, builtin),
            None => self.by_guess(name, args, span),
        }
        self.scope = before;
    }

    /// `git-push` is `git push`.
    fn by_other_name(&mut self, name: &str, args: &[Field], span: Span) {
        let base = name.rsplit('/').next().unwrap_or(name);
        let Some(sub) = base.strip_prefix("git-") else { return };
        if self.world.catalogue().entry(&format!("git {sub}")).is_some() {
            let sub = Field::known(sub, span);
            let args: Vec<Field> = std::iter::once(sub).chain(args.iter().cloned()).collect();
            self.inner(|walker| {
                walker.invoke("git", span, &args, &[], &Stdin::Unknown, false, None);
            });
        }
    }

    /// A program that this line itself has written is not what it was when it was looked at.
    pub(super) fn refuse_written(&mut self, name: &str, span: Span) {
        if !self.spend(self.effects.accesses.len()) {
            return;
        }
        for path in self.resolve(name, Follow::Final, span) {
            let writes = |extents: &[Extent]| {
                self.effects.accesses.iter().any(|access| match &access.what {
                    What::File(file) if file.op == FileOp::Write => {
                        extents.contains(&file.extent)
                            && match file.extent {
                                Extent::One | Extent::Unknown => file.path.real == path.real,
                                _ => path.real.starts_with(&file.path.real),
                            }
                    }
                    _ => false,
                })
            };
            if writes(&[Extent::One, Extent::Unknown]) {
                let reason = format!("`{name}` is written by the same line");
                self.unanalysable(&reason, Some(span));
            } else if writes(&[Extent::Tree, Extent::Below]) {
                let reason = format!("`{name}` may be written by the same line");
                self.ask(&reason, span);
            }
        }
    }

    fn add_exec(&mut self, exec: &Arc<Exec>, reading: Option<&Reading>, span: Span) {
        let carries = reading.is_some_and(|reading| {
            let transparent = |entry: &Arc<Entry>| entry.wrapper == Some(Wrapper::Transparent);
            let command = |own: &argv::Use| {
                matches!(own.role, Some(Role::Command(_) | Role::Shell)) && !own.fields.is_empty()
            };
            reading.entries.iter().any(transparent) && reading.uses.iter().any(command)
        });
        let free = reading.is_some_and(|reading| {
            exec.program.file.is_none() && reading.entries.iter().any(|entry| entry.free)
        });
        let mut scope = self.scope.clone();
        scope.command = None;
        scope.cover = if carries || free { Cover::Free } else { Cover::Bare };
        let span = self.place(span);
        let what = What::Exec(Arc::clone(exec));
        self.effects.accesses.push(Access { what, scope, span });
    }

    fn by_reading(
        &mut self,
        name: &str,
        exec: &Arc<Exec>,
        reading: &Reading,
        (args, stdin): (&[Field], &Stdin),
        span: Span,
        builtin: bool,
    ) {
        if let Some(reason) = &reading.doubt {
            self.unanalysable(reason, Some(span));
        }
        if builtin && self.carried_out(reading, stdin, span) {
            return;
        }
        let base = name.rsplit('/').next().unwrap_or(name);
        let directories = self.state.cwd.clone();
        let remote = reading.entries.iter().any(|entry| entry.remote);
        self.settings(reading);
        self.shell_operands(reading);
        for own in &reading.uses {
            match &own.role {
                Some(Role::Code(language)) if &**language == SETTING => {}
                Some(Role::Shell) if own.option.is_none() => {}
                None => own.fields.iter().for_each(|field| self.loose_operand(field)),
                Some(Role::Command(_)) if base == "parallel" => {
                    self.parallel(&own.fields, mark_of(reading).as_deref());
                }
                Some(Role::Command(_)) if base == "ssh" => {
                    self.remotely(|walker| walker.joined_line(&own.fields));
                }
                Some(Role::Command(end)) => {
                    let fields = feed(base, reading, *end, &own.fields);
                    let carrier = Some(carrier_of(exec, own.at));
                    let in_shell = builtin && matches!(base, "command" | "builtin");
                    self.carried(&fields, *end, carrier, (remote, in_shell));
                }
                Some(Role::Text) if own.option.is_none() && only_text(reading) => {
                    own.fields.iter().for_each(|field| self.name_of_file(field));
                    self.role(&Role::Text, &own.fields, None);
                }
                Some(Role::Script) if own.option.is_none() => {
                    let words = reading.uses.iter().filter(|it| it.at > own.at);
                    let words: Vec<Field> = words
                        .filter(|it| it.option.is_none())
                        .flat_map(|it| it.fields.clone())
                        .collect();
                    own.fields.iter().for_each(|file| self.script_file(file, &words, false));
                }
                Some(Role::CodeFile(language)) if self.is_stdin(&own.fields) => {
                    self.code_from_stdin(language, &own.fields, stdin, span);
                }
                Some(Role::Code(language)) if &**language == "python-module" => {
                    self.module(&own.fields, args, own.at);
                    self.role(&Role::Code(language.clone()), &own.fields, None);
                }
                Some(Role::File(FileUse::Link)) if reading.has("-s") => {
                    self.symbolic_link(reading, &own.fields);
                }
                Some(role) => self.role(role, &own.fields, own.option.as_deref()),
            }
        }
        for given in &reading.given {
            if given.role == Role::Doubt && !given.text.is_empty() {
                self.unanalysable(&given.text, Some(span));
                continue;
            }
            let text = match given.text.strip_prefix("~/") {
                Some(rest) => format!("{}/{rest}", self.world.home()),
                None => given.text.to_string(),
            };
            self.role(&given.role, &[Field::known(text, span)], None);
        }
        self.from_stdin(base, reading, stdin, span);
        self.state.cwd = directories;
    }

    /// `git config KEY VALUE`: two operands that are one setting.
    fn settings(&mut self, reading: &Reading) {
        let is_setting = |own: &&argv::Use| {
            let in_it = matches!(&own.role, Some(Role::Code(language)) if **language == *SETTING);
            in_it && own.option.is_none()
        };
        let words: Vec<&Field> =
            reading.uses.iter().filter(is_setting).flat_map(|own| &own.fields).collect();
        let [key, values @ ..] = words.as_slice() else { return };
        let known: Option<Vec<&str>> = values.iter().map(|value| value.as_known()).collect();
        match (key.as_known(), known) {
            (Some(key_text), Some(values)) => match values.first() {
                Some(value) => self.code(SETTING, &format!("{key_text}={value}"), key.span),
                // Only asked for.
                None => {}
            },
            _ => {
                let reason = "which setting it changes cannot be told";
                self.unanalysable(reason, Some(key.span));
            }
        }
    }

    /// Operands that are a line for a shell are joined by blanks: `watch git status`.
    fn shell_operands(&mut self, reading: &Reading) {
        let is_line = |own: &&argv::Use| own.option.is_none() && own.role == Some(Role::Shell);
        let words: Vec<&Field> =
            reading.uses.iter().filter(is_line).flat_map(|own| &own.fields).collect();
        let Some(first) = words.first() else { return };
        let known: Option<Vec<&str>> = words.iter().map(|word| word.as_known()).collect();
        match known {
            // `trap - INT` takes a trap away.
            Some(words) if words == ["-"] => {}
            Some(words) => {
                // After the line come `$0`, `$1` and so on.
                let is_text =
                    |own: &&argv::Use| own.role == Some(Role::Text) && own.option.is_none();
                let further = reading.uses.iter().filter(is_text).skip(1);
                let known = further.flat_map(|own| &own.fields).map(Field::as_known);
                let known: Option<Vec<String>> =
                    known.map(|word| word.map(str::to_owned)).collect();
                self.in_new_shell(&words.join(" "), first.span, known);
            }
            None => {
                let reason = "the commands among its words cannot be told";
                self.unanalysable(reason, Some(first.span));
            }
        }
    }

    /// GNU parallel: its words up to `:::` are a line for a shell, with what it is given in place of
    /// `{}` or behind it. Without a command, what it is given are the commands.
    fn parallel(&mut self, fields: &[Field], mark: Option<&str>) {
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
                for value in given.filter_map(Field::as_known).take(super::MAX_ROUNDS) {
                    self.in_new_shell(&line, span, Some(vec![value.to_owned()]));
                }
            }
            _ => self.unanalysable("what it would run cannot be told", Some(span)),
        }
    }

    /// What a symbolic link leads to is found from where the link lies.
    fn symbolic_link(&mut self, reading: &Reading, targets: &[Field]) {
        let name =
            reading.uses.iter().rev().find(|own| own.role != Some(Role::File(FileUse::Link)));
        let place = name.and_then(|own| own.fields.first()?.as_known().map(str::to_owned));
        let before = self.state.cwd.clone();
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
    }

    /// A command that another one carries.
    fn carried(
        &mut self,
        fields: &[Field],
        end: CommandEnd,
        carrier: Carrier,
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
        let skipped = sets.len();
        let carrier = carrier.map(|(exec, at)| (exec, at.saturating_add(skipped)));
        let run = |walker: &mut Self| {
            walker.inner(|walker| {
                let stdin = Stdin::Unknown;
                walker.invoke(name, first.span, args, &sets, &stdin, in_shell, carrier);
            });
        };
        match remote {
            true => self.remotely(run),
            false => run(self),
        }
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

    /// Words that a shell elsewhere reads as one line.
    fn joined_line(&mut self, fields: &[Field]) {
        let words: Option<Vec<&str>> = fields.iter().map(Field::as_known).collect();
        let span = fields.first().map_or(Span::default(), |field| field.span);
        match words {
            Some(words) => self.shell_text(&words.join(" "), span),
            None => self.unanalysable("the commands among its words cannot be told", Some(span)),
        }
    }

    /// `python -m pip install x`: a module that is a program of its own, with the words behind it.
    fn module(&mut self, fields: &[Field], args: &[Field], at: usize) {
        let Some(name) = fields.first().and_then(Field::as_known) else { return };
        let Some(entry) = argv::entry_of(self.world.catalogue(), name) else { return };
        let glued = args.get(at).and_then(Field::as_known) != Some("-m");
        let from = at.saturating_add(if glued { 1 } else { 2 });
        let words = args.get(from..).unwrap_or_default();
        let reading = argv::read(self.world.catalogue(), entry, words);
        for own in &reading.uses {
            match &own.role {
                Some(role) => self.role(role, &own.fields, own.option.as_deref()),
                None => own.fields.iter().for_each(|field| self.loose_operand(field)),
            }
        }
        let span = fields.first().map_or(Span::default(), |field| field.span);
        for given in &reading.given {
            self.role(&given.role, &[Field::known(&*given.text, span)], None);
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

    /// A program of which nothing is known: what looks like a path is read.
    fn by_guess(&mut self, name: &str, args: &[Field], span: Span) {
        let mut options = true;
        for field in args {
            let text = field.prefix();
            if options && field.as_known() == Some("--") {
                options = false;
            } else if options && text.starts_with('-') {
                let from = text.find('=').map(|at| at.saturating_add(1)).or_else(|| text.find('/'));
                if let Some(from) = from {
                    self.loose_operand(&field.skip(from));
                }
            } else {
                self.loose_operand(field);
                if field.as_known().is_some_and(|word| self.world.objects_to_program(word)) {
                    let reason = format!("`{name}` may run `{}`", field.shown());
                    self.unanalysable(&reason, Some(field.span));
                }
            }
        }
        self.script_by_path(name, args, span);
    }
}

/// The words of a carried command with what the carrier puts among them.
fn feed(base: &str, reading: &Reading, end: CommandEnd, fields: &[Field]) -> Vec<Field> {
    let span = fields.first().map_or(Span::default(), |field| field.span);
    match base {
        "xargs" => {
            let mark = mark_of(reading);
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

/// Whether a program takes nothing but text, which may go on as paths: `echo /x | xargs cat`.
fn only_text(reading: &Reading) -> bool {
    let operands = reading.entry().and_then(|entry| entry.operands.as_ref());
    operands.is_some_and(|operands| operands.roles().all(|role| *role == Role::Text))
}

/// What stands for the words that a carrier is given.
fn mark_of(reading: &Reading) -> Option<String> {
    let is_mark =
        |own: &&argv::Use| matches!(own.option.as_deref(), Some("-I" | "--replace" | "-i" | "-J"));
    let own = reading.uses.iter().find(is_mark)?;
    own.fields.first()?.as_known().map(str::to_owned)
}

/// The command that carries another, without flags before it that change nothing.
fn carrier_of(exec: &Arc<Exec>, at: usize) -> (Arc<Exec>, usize) {
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
