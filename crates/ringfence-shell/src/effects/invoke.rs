//! Programs with their arguments.

use std::sync::Arc;

use ringfence_core::Access;
use ringfence_core::What;
use ringfence_core::access::{AccessScope, Cover, Exec, Extent, FileOp, base_name};
use ringfence_core::path::{AbsPath, Follow};
use ringfence_core::program::{Entry, FileUse, Role, Wrapper};

use super::Walker;
use super::assign::Set;
use super::carry::{carrier_of, feed, mark_of};
use super::operands::{SETTING, only_text};
use super::script::keeps_braces;
use super::state::Directories;
use super::walk::Stdin;
use crate::argv::{self, Reading};
use crate::field::Field;
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
        let catalogue = self.world.catalogue();
        let entry = argv::entry_of(catalogue, name);
        // `cd.` is no `cd` to a shell, whatever else may be known by such a name.
        let builtin = in_shell
            && entry.as_ref().is_some_and(|entry| entry.builtin)
            && !name.contains('/')
            && catalogue.entry(name).is_some();
        let mut reading = entry.map(|entry| argv::read(catalogue, entry, args));
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
        let elsewhere = self.state.cwd.get(1..).unwrap_or_default().to_vec();
        for cwd in elsewhere {
            let program = self.world.program(name, &cwd, builtin);
            let elsewhere = Exec { program, cwd, ..Exec::clone(&exec) };
            self.add_exec(&Arc::new(elsewhere), reading.as_ref(), whole);
        }
        let before = self.enter(Some(Arc::clone(&exec)), Cover::Granted);
        // What runs no command gives its variables to none.
        let runs = ["eval", ".", "command", "builtin", "exec", "trap", "mapfile", "readarray"];
        let keeps = builtin
            && reading
                .as_ref()
                .and_then(|reading| reading.entries.first())
                .is_some_and(|entry| !runs.contains(&&*entry.name));
        for set in sets {
            match keeps && self.world.catalogue().variable(&set.name).is_none() {
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
        let variables = if builtin { Vec::new() } else { self.set_meanwhile(sets) };
        match reading {
            Some(reading) => self.by_reading(name, &exec, &reading, (args, stdin), whole, builtin),
            None => self.by_guess(name, args, span),
        }
        self.set_back(variables);
        self.come_back(before);
    }

    /// `git-push` is `git push`.
    fn by_other_name(&mut self, name: &str, args: &[Field], span: Span) {
        let base = base_name(name);
        let Some(sub) = base.strip_prefix("git-") else { return };
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

    fn add_exec(&mut self, exec: &Arc<Exec>, reading: Option<&Reading<'_>>, span: Span) {
        let carries = reading.is_some_and(|reading| {
            let transparent = |entry: &&Entry| entry.wrapper == Some(Wrapper::Transparent);
            let command = |own: &argv::Use<'_>| {
                matches!(own.role, Some(Role::Command(_) | Role::Shell)) && !own.fields.is_empty()
            };
            reading.entries.iter().any(transparent) && reading.uses.iter().any(command)
        });
        let free = reading.is_some_and(|reading| {
            exec.program.file.is_none() && reading.entries.iter().any(|entry| entry.free)
        });
        let cover = if carries || free { Cover::Free } else { Cover::Bare };
        let (agent, tool) = (self.scope.agent.clone(), self.scope.tool.clone());
        let scope = AccessScope { agent, tool, cover, ..AccessScope::default() };
        let span = self.place(span);
        let what = What::Exec(Arc::clone(exec));
        self.effects.accesses.push(Access { what, scope, span });
    }

    fn by_reading(
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
        if builtin && self.carried_out(reading, (args, stdin), span) {
            return;
        }
        let base = base_name(name);
        let directories = (self.state.cwd.clone(), self.state.pwd.clone());
        let looked_in = self.looked_in.clone();
        let mut stays = true;
        let remote = reading.entries.iter().any(|entry| entry.remote);
        if matches!(base, "bash" | "sh" | "rbash") && keeps_braces(args) {
            self.unanalysable("the shell is told to leave braces alone", Some(span));
        }
        self.settings(reading);
        self.shell_operands(reading);
        self.effects.accesses.reserve(reading.sorts.files);
        for own in &reading.uses {
            match own.role {
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
                    if matches!(own.option, Some("-execdir" | "-okdir")) {
                        // It runs in the directory of each file that is found.
                        self.looked_in.get_or_insert_with(|| self.state.cwd.clone());
                        self.state.cwd = Directories::default();
                    }
                    self.carried(&fields, *end, carrier, (remote, in_shell));
                    stays &= !in_shell;
                }
                Some(Role::Shell) if builtin && own.option == Some("-C") => {
                    self.callback(&own.fields);
                }
                Some(Role::Text) if own.option.is_none() && only_text(reading) => {
                    own.fields.iter().for_each(|field| self.name_of_file(field));
                    self.role(&Role::Text, &own.fields, None);
                }
                Some(Role::Script) if own.option.is_none() => {
                    let words = reading.uses.iter().filter(|it| it.at > own.at);
                    let words: Vec<Field> = words
                        .filter(|it| it.option.is_none())
                        .flat_map(|it| it.fields.iter().cloned())
                        .collect();
                    own.fields.iter().for_each(|file| self.script_file(file, Some(&words), false));
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
                Some(role) => self.role(role, &own.fields, own.option),
            }
        }
        self.put_into_directory(reading);
        self.pattern_at_end(reading);
        self.moved_links(reading);
        match base {
            "sed" | "gsed" => self.keep_backups(reading),
            "split" | "csplit" => self.split_into(base, reading),
            _ => {}
        }
        for given in &reading.given {
            if given.role == Role::Doubt && !given.text.is_empty() {
                self.unanalysable(&given.text, Some(span));
                continue;
            }
            let text = match given.text.strip_prefix("~/") {
                Some(rest) => format!("{}/{rest}", self.world.home()).into(),
                None => given.text.clone(),
            };
            self.role(&given.role, &[Field::known(text, span)], None);
        }
        self.reads_stdin(base, reading, stdin, span);
        if stays {
            (self.state.cwd, self.state.pwd) = directories;
            self.looked_in = looked_in;
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
