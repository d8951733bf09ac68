//! Launchers that run what they do not know: scripts of the project, or else programs.
//!
//! What is added here is judged by rules that object; the launcher's own grant covers the rest.

use ringfence_core::AccessKind;
use ringfence_core::access::Cover;
use ringfence_core::path::Follow;
use smallvec::SmallVec;

use super::Walker;
use super::walk::Stdin;
use crate::argv::{Reading, Use};
use crate::field::Field;
use crate::span::Span;

impl Walker<'_> {
    /// Adds what a launcher runs by words of which it knows nothing itself.
    #[cold]
    pub(super) fn launches(
        &mut self,
        base: &str,
        reading: &Reading<'_>,
        args: &[Field],
        span: Span,
    ) {
        let known: SmallVec<[&str; 4]> =
            reading.entries.iter().skip(1).map(|own| last_word(&own.name)).collect();
        let operand = |own: &&Use<'_>| own.option.is_none();
        let at = |nth: usize| reading.uses.iter().filter(operand).nth(nth).map(|own| own.at);
        let behind = |at: Option<usize>| at.and_then(|at| args.get(at..)).unwrap_or_default();
        match (base, known.as_slice()) {
            ("pnpm", []) => {
                let words = behind(at(0));
                match words.split_first() {
                    Some((first, rest)) if is_one_of(first, &["recursive", "multi", "m"]) => {
                        self.again("pnpm", rest, span);
                    }
                    _ => self.falls_back(words, span),
                }
            }
            ("bun", ["run"]) => self.falls_back(behind(at(0)), span),
            ("yarn", ["workspace"]) => self.again("yarn", behind(at(1)), span),
            ("yarn", ["workspaces", "run"]) => self.again("yarn", behind(at(0)), span),
            ("cargo", []) => self.cargo_file(behind(at(0)), span),
            ("tmux", _) => self.tmux_commands(args, span),
            _ => {}
        }
    }

    /// The same program with other words.
    fn again(&mut self, program: &str, words: &[Field], span: Span) {
        if !words.is_empty() {
            self.launch(program, words, span);
        }
    }

    /// A word that is neither a subcommand nor a script of the project is a program.
    fn falls_back(&mut self, words: &[Field], span: Span) {
        let Some((first, rest)) = words.split_first() else { return };
        let Some(name) = first.as_known().map(str::to_owned) else { return };
        let is_file = name.contains(['/', '.']);
        if !name.is_empty() && !is_file && !self.has_script(&name) {
            self.launch(&name, rest, span);
        }
    }

    /// Whether the project has a script of this name, as far as can be seen.
    fn has_script(&mut self, name: &str) -> bool {
        let paths = self.resolve("package.json", Follow::Final, Span::default());
        paths.iter().any(|path| {
            let text = self.read_script(&path.real).unwrap_or_default();
            super::code_text::scripts_of(&text).contains(&format!("\"{name}\""))
        })
    }

    /// Runs a program that needs no grant besides that of its launcher.
    fn launch(&mut self, program: &str, words: &[Field], span: Span) {
        let from = self.effects.accesses.len();
        self.inner(|walker| {
            walker.invoke(program, span, words, &[], &Stdin::Unknown, false, None);
        });
        let is_it = |what: &AccessKind| matches!(what, AccessKind::Exec(exec) if &*exec.program.invoked == program);
        let since = self.effects.accesses.get_mut(from..).unwrap_or_default();
        since.iter_mut().take_while(|own| is_it(&own.what)).for_each(|own| {
            own.scope.cover = Cover::NoGrant;
        });
    }

    /// `cargo FILE` runs the file; any other word is the program `cargo-NAME`.
    fn cargo_file(&mut self, words: &[Field], span: Span) {
        let Some((first, rest)) = words.split_first() else { return };
        match first.as_known().map(str::to_owned) {
            Some(name) if name.contains('/') || name.ends_with(".rs") => {
                self.file_named(ringfence_core::program::FileUse::Read, &name, first.span);
                self.code_file("rust", &name, first.span);
            }
            Some(name) if !name.starts_with(['-', '+']) => {
                self.by_another_name(&format!("cargo-{name}"), rest, Vec::new(), span);
            }
            _ => {}
        }
    }

    /// A word that ends with a semicolon ends a command of tmux.
    fn tmux_commands(&mut self, args: &[Field], span: Span) {
        let ends = |field: &Field| {
            let text = field.as_known().filter(|text| text.len() > 1 && !text.ends_with("\\;"))?;
            text.strip_suffix(';').map(|text| Field::known(text, field.span))
        };
        if !args.iter().any(|field| ends(field).is_some()) {
            return;
        }
        let mut words: Vec<Field> = Vec::new();
        for field in args {
            match ends(field) {
                Some(last) => {
                    words.push(last);
                    self.again("tmux", &std::mem::take(&mut words), span);
                }
                None => words.push(field.clone()),
            }
        }
        self.again("tmux", &words, span);
    }
}

fn last_word(name: &str) -> &str {
    name.rsplit(' ').next().unwrap_or(name)
}

fn is_one_of(field: &Field, names: &[&str]) -> bool {
    field.as_known().is_some_and(|text| names.contains(&text))
}
