//! Programs with their arguments.

use std::sync::Arc;

use ringfence_core::Access;
use ringfence_core::AccessKind;
use ringfence_core::access::{AccessScope, Arg, Cover, Exec, base_name};
use ringfence_core::path::AbsPath;
use ringfence_core::program::{CatalogueEntry, Habit, WordRole, Wrapper};
use ringfence_core::text::has_byte;

use super::Walker;
use super::assign::Set;
use super::dialect::Dialect;
use super::simple::Before;
use super::versions::{name_package, runs_packages};
use super::walk::Stdin;
use crate::argv::{self, Reading};
use crate::field::{Field, FieldText};
use crate::span::Span;

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
        if in_shell && self.state.dialect == Dialect::Zsh {
            self.check_zsh_command(name, args, span);
        }
        let catalogue = self.world.catalogue();
        let entry = argv::entry_of(catalogue, name);
        // `cd.` is no `cd` to a shell, whatever else may be known by such a name.
        let builtin = in_shell
            && entry.as_ref().is_some_and(|entry| entry.builtin)
            && !has_byte(name, b'/')
            && catalogue.entry(name).is_some();
        let mut reading = Reading::default();
        let meant = entry.map(|entry| {
            argv::read_into(&mut reading, catalogue, entry, args);
            let mut meant = std::mem::take(&mut reading.meant);
            if runs_packages(&reading) {
                name_package(&reading, &mut meant);
            }
            meant
        });
        let reading = entry.is_some().then_some(&reading);
        let ended = args.iter().position(|arg| arg.as_known() == Some("--"));
        let to_arg = |(at, field): (usize, &Field)| match &field.text {
            FieldText::Known(text) => Arg::Known(text.clone()),
            _ => field.to_arg(ended.is_some_and(|ended| at > ended)),
        };
        // Where the directory cannot be told, no rule that is bound to one grants it.
        let cwd = self.state.cwd.first().cloned().unwrap_or_else(AbsPath::root);
        let elsewhere = if sets.is_empty() { None } else { self.path_for_now(sets, span) };
        let exec = Arc::new(Exec {
            program: self.program(name, &cwd, builtin),
            aliases: Vec::new(),
            args: args.iter().enumerate().map(to_arg).collect(),
            reading: meant,
            carrier,
            cwd,
        });
        let whole = args.last().map_or(span, |last| Span {
            start: span.start.min(last.span.start),
            end: span.end.max(last.span.end),
        });
        self.add_exec(&exec, reading, whole);
        if self.state.cwd.len() > 1 {
            self.add_elsewhere((name, builtin), &exec, reading, whole);
        }
        let before = self.enter(Some(Arc::clone(&exec)), Cover::ParentGrant);
        if !sets.is_empty() {
            self.set_before(sets, reading.filter(|_| builtin));
        }
        if !self.given.is_empty() {
            self.set_by_tool(span);
        }
        if has_byte(name, b'/') {
            self.refuse_written(name, span);
            self.name_of_file(&Field::known(name, span));
        }
        self.by_other_name(name, args, span);
        if let Some(entry) = entry.filter(|entry| !builtin && !entry.names.is_empty()) {
            self.by_synonyms((name, entry), args, &exec, whole);
        }
        if let Some(reading) = reading.filter(|reading| reading.operands > 1) {
            self.by_tasks(name, reading, whole);
        }
        let variables = if builtin { Before::Same } else { self.set_meanwhile(sets) };
        if !builtin && self.may_be_put() {
            self.loads_written(reading, (args, stdin), sets, whole);
        }
        match reading {
            Some(reading) => self.by_reading(name, &exec, reading, (args, stdin), whole, builtin),
            None => {
                self.by_guess(name, args);
                if let Stdin::Text(text) = stdin {
                    self.code_with_names("standard input", text, whole);
                }
            }
        }
        if has_byte(name, b'/') {
            self.script_by_path(name, entry.is_some(), args, span);
        }
        self.set_back(variables);
        self.come_back(before);
        if self.output.is_some() {
            self.say_of(name, reading, args, stdin);
        }
        elsewhere.into_iter().for_each(|added| self.state.added = added);
    }

    /// The same program, where the shell may be in other directories as well.
    #[cold]
    fn add_elsewhere(
        &mut self,
        (name, builtin): (&str, bool),
        exec: &Exec,
        reading: Option<&Reading<'_>>,
        span: Span,
    ) {
        for cwd in self.state.cwd.get(1..).unwrap_or_default().to_vec() {
            let program = self.program(name, &cwd, builtin);
            let elsewhere = Exec { program, cwd, ..Exec::clone(exec) };
            self.add_exec(&Arc::new(elsewhere), reading, span);
        }
    }

    /// Variables that are set for a command; what the shell carries out itself has a reading here.
    #[cold]
    fn set_before(&mut self, sets: &[Set], builtin: Option<&Reading<'_>>) {
        // What runs no command gives its variables to none.
        let runs = ["eval", ".", "command", "builtin", "exec", "trap", "mapfile", "readarray"];
        let first = builtin.and_then(|reading| reading.entries.first());
        let keeps = first.is_some_and(|entry| !runs.contains(&&*entry.name));
        for set in sets {
            match keeps && self.world.catalogue().variable(&set.name).is_none() {
                // No program is given it.
                true if !self.world.objects_to_variable(&set.name) => {}
                _ => self.set_for_command(&set.name, &set.value, set.span),
            }
        }
    }

    /// Variables that the tool sets for all that it runs.
    #[cold]
    fn set_by_tool(&mut self, span: Span) {
        // What a value starts is given the same: once is enough.
        let all = std::mem::take(&mut self.given_values);
        for given in &all {
            let (name, value) = match given.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (&**given, None),
            };
            match value {
                _ if name.is_empty() || name.contains('\0') => {
                    self.deny("a variable is set that has no proper name", span);
                }
                // What it names is judged as on a line: `GIT_PAGER=x git log`.
                Some(value) => self.set_for_command(name, &Field::known(value, span), span),
                None => self.add(AccessKind::SetEnv(name.into()), span),
            }
        }
        self.given_values = all;
    }

    /// `git-push` is `git push`.
    fn by_other_name(&mut self, name: &str, args: &[Field], span: Span) {
        let base = base_name(name);
        if let Some(sub) = base.strip_prefix("git-") {
            self.by_subcommand(base, sub, args, span);
        }
    }

    /// The same program by its other names: rules that object or ask meet it by each of them.
    fn by_synonyms(
        &mut self,
        (name, entry): (&str, &CatalogueEntry),
        args: &[Field],
        exec: &Exec,
        span: Span,
    ) {
        let base = base_name(name);
        // Which release of a program it is makes no other name: rules tell releases apart.
        let stem = |name: &str| {
            name.trim_end_matches(|c: char| c.is_ascii_digit() || ".-".contains(c)).len()
        };
        let is_one = |own: &str| own == base || own.get(..stem(own)) == base.get(..stem(base));
        let names = || std::iter::once(&*entry.name).chain(entry.names.iter().map(|name| &**name));
        if !names().any(|own| own == base) {
            return;
        }
        for other in names().filter(|own| !is_one(own)) {
            if self.world.narrows_program(other) {
                let meant = exec.reading.clone().unwrap_or_default();
                self.by_another_name(other, args, meant, span);
            }
        }
    }

    /// Tasks behind the first one: rules that object meet each by itself, and operands before them
    /// are none (`make X=1 deploy`).
    fn by_tasks(&mut self, name: &str, reading: &Reading<'_>, span: Span) {
        let Some(entry) = reading.entries.first() else { return };
        if !entry.habits.contains(&Habit::Tasks) || !self.spend(reading.operands) {
            return;
        }
        let operands = reading.uses.iter().filter(|own| own.option.is_none());
        let tasks: Vec<Field> =
            operands.flat_map(|own| own.fields.iter().cloned()).skip(1).collect();
        for task in tasks {
            let words = [task];
            let mut alone = argv::read(self.world.catalogue(), entry, &words);
            self.by_another_name(base_name(name), &words, std::mem::take(&mut alone.meant), span);
        }
    }

    #[cold]
    fn by_subcommand(&mut self, base: &str, sub: &str, args: &[Field], span: Span) {
        // Some are programs of their own.
        let own = self.world.catalogue().entry(base).is_some();
        if !own && self.world.catalogue().entry(&format!("git {sub}")).is_some() {
            let sub = Field::known(sub, span);
            let args: Vec<Field> = std::iter::once(sub).chain(args.iter().cloned()).collect();
            self.inner(|walker| {
                walker.invoke("git", span, &args, &[], &Stdin::Unknown, false, None);
            });
        }
    }

    fn add_exec(&mut self, exec: &Arc<Exec>, reading: Option<&Reading<'_>>, span: Span) {
        let carries = reading.is_some_and(|reading| {
            let transparent = |entry: &&CatalogueEntry| entry.wrapper == Some(Wrapper::Transparent);
            let command = |own: &argv::Use<'_>| {
                matches!(own.role, Some(WordRole::Command(_) | WordRole::Shell))
                    && !own.fields.is_empty()
            };
            reading.entries.iter().any(transparent) && reading.uses.iter().any(command)
        });
        let free = reading.is_some_and(|reading| {
            exec.program.file.is_none() && reading.entries.iter().any(|entry| entry.free)
        });
        let cover = if carries || free { Cover::NoGrant } else { Cover::OwnGrant };
        let (agent, tool) = (self.scope.agent.clone(), self.scope.tool.clone());
        let elsewhere = self.scope.elsewhere;
        let scope = AccessScope { agent, tool, cover, elsewhere, ..AccessScope::default() };
        let span = self.place(span);
        let what = AccessKind::Exec(Arc::clone(exec));
        self.effects.accesses.push(Access { what, scope, span });
    }
}
