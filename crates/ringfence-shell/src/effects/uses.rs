//! The words of a command, each by what it is to its program.

use std::sync::Arc;

use ringfence_core::DoubtConstruct;
use ringfence_core::access::{Exec, base_name};
use ringfence_core::path::NameEnd;
use ringfence_core::program::{Children, FileUse, Habit, ImpliedEffect, WordRole};

use super::Walker;
use super::carry::{carrier_of, entrypoint, feed, has_command, in_line, mark_of, names_below};
use super::follows::follows;
use super::found::known_end;
use super::net::names_port;
use super::operands::{SETTING, only_text};
use super::script::keeps_braces;
use super::state::Directories;
use super::versions::{of_package, runs_packages};
use super::walk::Stdin;
use crate::argv::{self, Reading};
use crate::field::Field;
use crate::span::Span;

/// A command whose words are gone through.
struct Invoked<'c, 'w> {
    base: &'c str,
    exec: &'c Arc<Exec>,
    reading: &'c Reading<'w>,
    args: &'c [Field],
    stdin: &'c Stdin,
    span: Span,
    builtin: bool,
}

impl Walker<'_> {
    /// All that a program does by its words.
    pub(super) fn by_reading(
        &mut self,
        name: &str,
        exec: &Arc<Exec>,
        reading: &Reading<'_>,
        (args, stdin): (&[Field], &Stdin),
        span: Span,
        builtin: bool,
    ) {
        if let Some(reason) = &reading.doubt {
            self.unanalysable(reason, Some(span));
        }
        if let Some(hidden) = &reading.hidden {
            self.may_be_option(hidden);
        }
        if builtin && self.carried_out(reading, (args, stdin), span) {
            return;
        }
        let base = base_name(name);
        let directories = (self.state.cwd.clone(), self.state.pwd.clone());
        let looked_in = self.looked_in.clone();
        let mut stays = true;
        if matches!(base, "bash" | "sh" | "rbash") && keeps_braces(args) {
            self.unanalysable("the shell is told to leave braces alone", Some(span));
        }
        if reading.sorts.code {
            self.settings(reading);
        }
        if reading.sorts.shell {
            self.shell_operands(reading);
        }
        self.effects.accesses.reserve(reading.sorts.files);
        let from = self.effects.accesses.len();
        for own in &reading.uses {
            match own.role {
                // What nearly every word is.
                Some(WordRole::Text) if own.option.is_some() => {}
                Some(WordRole::File(usage))
                    if !matches!(usage, FileUse::Link | FileUse::DeleteBelow) =>
                {
                    own.fields.first().into_iter().for_each(|field| self.file(*usage, field));
                }
                _ => {
                    let command = Invoked { base, exec, reading, args, stdin, span, builtin };
                    stays &= self.by_use(own, &command);
                }
            }
        }
        if puts_files(base, reading) {
            if let ("tee", Stdin::Text(text)) = (base, stdin) {
                self.keep(text, reading.has("-a"), from);
            }
            self.put_files(base, reading);
        }
        if self.may_be_put()
            && reading.entries.first().is_some_and(|entry| entry.children == Children::Inherit)
        {
            self.code_by_habit(reading, span);
        }
        // With a subcommand that is known, cargo runs nothing else.
        if matches!(base, "pnpm" | "bun" | "yarn" | "tmux")
            || base == "cargo" && reading.entries.len() == 1
        {
            self.launches(base, reading, args, span);
        }
        if reading.sorts.refspecs {
            self.pushed_branches(exec, reading, span);
        }
        if base == "git" {
            self.git_by_other_words(reading, args, span);
        }
        for given in &reading.given {
            if base == "patch"
                && given.role == WordRole::File(FileUse::WriteTree)
                && self.patched(reading, stdin, span)
            {
                continue;
            }
            if given.role == WordRole::Is {
                self.same_as(given, reading, args, span);
            } else if given.role != WordRole::Listen || !names_port(reading) {
                self.by_habit(given, span);
            }
        }
        if reading.entries.iter().any(|entry| !entry.habits.is_empty()) {
            self.brings_links(reading, from);
        }
        if follows(reading, stdin) {
            self.follow_links(from);
        }
        if matches!(stdin, Stdin::Inherited) && has_prompt(reading, args) {
            self.unknown_starts("can't tell what its prompt is told", span, DoubtConstruct::Input);
        }
        if reading.sorts.code && (matches!(stdin, Stdin::Text(_)) || self.may_be_put()) {
            self.taken_in(reading, stdin, span);
        }
        if !matches!(stdin, Stdin::Inherited) && starts_debugger(base, args) {
            self.unanalysable("a debugger takes its input for commands", Some(span));
        }
        if let ("cpio" | "pax", Stdin::Text(text)) = (base, stdin) {
            text.lines().for_each(|name| self.file_named(FileUse::Read, name, span));
        }
        self.words_with_files(base, reading, args, span);
        self.reads_stdin(base, reading, stdin, span);
        if stays {
            (self.state.cwd, self.state.pwd) = directories;
            self.looked_in = looked_in;
        }
    }

    /// Words that bring a file along: `@FILE` with further words, and `f=FILE` among the operands of
    /// awk, of which its program makes what it likes.
    fn words_with_files(&mut self, base: &str, reading: &Reading<'_>, args: &[Field], span: Span) {
        if reading.entries.iter().any(|entry| entry.habits.contains(&Habit::ArgFiles)) {
            let names = args.iter().filter_map(|own| own.as_known()?.strip_prefix('@'));
            for name in names.filter(|name| !name.is_empty()) {
                self.file_named(FileUse::Read, name, span);
                self.unanalysable(&format!("the words in `{name}` are not seen"), Some(span));
            }
        }
        if matches!(base, "awk" | "gawk" | "mawk" | "nawk") {
            let operands = reading.uses.iter().filter(|own| own.option.is_none());
            let operands = operands.flat_map(|own| own.fields.iter()).filter_map(Field::as_known);
            let values: Vec<&str> = operands
                .filter_map(|word| word.split_once('='))
                .filter(|(name, _)| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'))
                .map(|(_, value)| value)
                .filter(|value| value.contains('/') || value.starts_with('~'))
                .collect();
            values.into_iter().for_each(|value| self.file_named(FileUse::Read, value, span));
        }
    }

    /// What is written under names that no word says.
    #[cold]
    fn put_files(&mut self, base: &str, reading: &Reading<'_>) {
        self.put_into_directory(reading);
        self.pattern_at_end(reading);
        self.moved_links(reading);
        match base {
            "sed" | "gsed" | "perl" | "ruby" => self.keep_backups(reading),
            "split" | "csplit" => self.split_into(base, reading),
            _ => {}
        }
    }

    /// What a program does although no word says it.
    fn by_habit(&mut self, given: &ImpliedEffect, span: Span) {
        if given.role == WordRole::Doubt && !given.text.is_empty() {
            return self.unanalysable(&given.text, Some(span));
        }
        if given.role == WordRole::Starts {
            return self.unknown_starts(&given.text, span, DoubtConstruct::Text);
        }
        let text = match given.text.strip_prefix("~/") {
            Some(rest) => format!("{}/{rest}", self.world.home()).into(),
            None => given.text.clone(),
        };
        self.role(&given.role, &[Field::known(text, span)], None);
    }

    /// What a word does in its command; false where it changes the directories of the shell itself.
    fn by_use(&mut self, own: &argv::Use<'_>, command: &Invoked<'_, '_>) -> bool {
        let Invoked { base, exec, reading, args, stdin, span, builtin } = *command;
        match own.role {
            Some(WordRole::Code(language)) if &**language == SETTING => {}
            Some(WordRole::Shell) if own.option.is_none() => {}
            None => own.fields.iter().for_each(|field| self.loose_operand(field)),
            Some(WordRole::Command(_)) if base == "parallel" => {
                self.parallel(&own.fields, mark_of(reading).as_deref());
            }
            Some(WordRole::Command(_)) if base == "ssh" => {
                self.remotely(|walker| walker.joined_line(&own.fields));
            }
            Some(WordRole::Command(end)) => {
                let in_shell = builtin && matches!(base, "command" | "builtin");
                let remote = reading.entries.iter().any(|entry| entry.remote);
                if matches!(own.option, Some("-execdir" | "-okdir")) {
                    // It runs in the directory of each file that is found.
                    self.looked_in.get_or_insert_with(|| self.state.cwd.clone());
                    self.state.cwd = Directories::default();
                }
                // What xargs reads its command does not.
                let inner = if base == "xargs" { &Stdin::Unknown } else { stdin };
                let from_file = (base == "xargs").then(|| self.input_of_xargs(reading, stdin));
                let stdin = from_file.as_ref().unwrap_or(stdin);
                let plain = base == "xargs" && !self.has_written(0);
                if base == "xargs" && self.fed_by_text(exec, own, reading, (*end, stdin), remote) {
                    return true;
                }
                for found in names_below(base, own, reading, (args, stdin)) {
                    let mut fields = feed(base, reading, *end, &own.fields, &found);
                    if plain && let Some(line) = in_line(reading, &own.fields, &found) {
                        fields = line;
                    }
                    if let Some(first) = entrypoint(reading) {
                        fields.insert(0, first);
                    }
                    if runs_packages(reading) {
                        fields = of_package(fields);
                    }
                    let carrier = Some(carrier_of(exec, own.at));
                    self.carried(&fields, *end, carrier, inner, (remote, in_shell));
                }
                return !in_shell;
            }
            Some(WordRole::Run) if own.option == Some("--entrypoint") && has_command(reading) => {}
            Some(WordRole::SetEnv) if builtin => {
                own.fields.iter().for_each(|field| self.set_word(field, true));
            }
            Some(WordRole::Shell) if builtin && own.option == Some("-C") => {
                self.callback(&own.fields);
            }
            Some(WordRole::Text) if own.option.is_none() && only_text(reading) => {
                own.fields.iter().for_each(|field| self.name_of_file(field));
                self.role(&WordRole::Text, &own.fields, None);
            }
            // It is read, and nothing in it runs.
            Some(WordRole::Script) if only_checks(base, own, args) => {
                own.fields.iter().for_each(|file| self.file(FileUse::Read, file));
            }
            Some(WordRole::Script) if own.option.is_none() => {
                let words = reading.uses.iter().filter(|it| it.at > own.at);
                let words: Vec<Field> = words
                    .filter(|it| it.option.is_none())
                    .flat_map(|it| it.fields.iter().cloned())
                    .collect();
                own.fields.iter().for_each(|file| self.script_file(file, Some(&words), false));
            }
            Some(WordRole::CodeFile(language)) if self.is_stdin(&own.fields) => {
                self.code_from_stdin(language, &own.fields, stdin, span);
            }
            Some(WordRole::Code(language)) if &**language == "python-module" => {
                self.module(&own.fields, args, own.at);
                if let Some(name) = own.fields.first().and_then(Field::as_known) {
                    self.module_file(name, span);
                }
                self.role(&WordRole::Code(language.clone()), &own.fields, None);
            }
            Some(WordRole::File(usage @ FileUse::DeleteBelow)) => {
                let ends = if base == "find" { known_end(args, args) } else { NameEnd::default() };
                self.ends = ends;
                own.fields.iter().for_each(|field| self.file(*usage, field));
                self.ends = NameEnd::default();
            }
            Some(WordRole::File(FileUse::Link)) if reading.has("-s") => {
                self.symbolic_link(reading, &own.fields);
            }
            Some(role @ WordRole::Code(_)) => {
                self.reads_unknown = false;
                self.role(role, &own.fields, own.option);
                if self.reads_unknown {
                    self.values_for_code(reading);
                }
            }
            Some(role) => self.role(role, &own.fields, own.option),
        }
        true
    }

    /// Values that options hand to code, as `awk -v` does: where the code reads files whose names
    /// cannot be told, they may be those names.
    #[cold]
    fn values_for_code(&mut self, reading: &Reading<'_>) {
        let texts = reading.uses.iter().filter(|own| own.role == Some(&WordRole::Text));
        for field in texts.filter(|own| own.option.is_some()).flat_map(|own| own.fields.iter()) {
            if let Some((_, value)) = field.as_known().and_then(|text| text.split_once('='))
                && value.len() > 1
                && (value.starts_with('/') || value.starts_with("../"))
            {
                self.loose_operand(&Field::known(value, field.span));
            }
        }
    }
}

/// Whether a command may write files under names that no word says, as `cp FILE DIRECTORY` does.
fn puts_files(base: &str, reading: &Reading<'_>) -> bool {
    reading.sorts.written
        || matches!(base, "sed" | "gsed" | "perl" | "ruby" | "split" | "csplit")
        || reading
            .entry()
            .is_some_and(|entry| matches!(&*entry.name, "cp" | "mv" | "ln" | "install"))
}

/// Whether a debugger reads commands from standard input: `pytest --pdb`, `python -m pdb`.
fn starts_debugger(base: &str, args: &[Field]) -> bool {
    let any =
        |words: &[&str]| args.iter().filter_map(Field::as_known).any(|word| words.contains(&word));
    match base.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-')) {
        "pytest" | "py.test" => any(&["--pdb", "--trace"]),
        "python" | "pypy" => any(&["pdb", "ipdb", "pudb", "--pdb", "--trace"]),
        "node" | "nodejs" => any(&["inspect"]),
        "perl" => any(&["-d"]),
        _ => false,
    }
}

/// Whether it has a prompt of its own, and no word says anything else.
fn has_prompt(reading: &Reading<'_>, args: &[Field]) -> bool {
    args.len() < reading.entries.len()
        && reading.entry().is_some_and(|entry| entry.habits.contains(&Habit::Prompt))
}

/// `bash -n FILE`. Other options before the file may take it back, as `+n` and `-i` do.
fn only_checks(base: &str, own: &argv::Use<'_>, args: &[Field]) -> bool {
    matches!(base, "bash" | "sh" | "dash" | "zsh" | "ksh")
        && own.at == 1
        && args.first().and_then(Field::as_known) == Some("-n")
}
