//! Programs that are scripts: the first line of the file says what runs it.

use std::sync::Arc;

use ringfence_core::AccessKind;
use ringfence_core::access::{Cover, Exec, base_name};
use ringfence_core::path::{AbsPath, Follow};
use ringfence_core::program::{CatalogueEntry, WordRole};

use super::dialect::Dialect;
use super::made::Made;
use super::walk::Stdin;
use super::{Walker, dialect, script};
use crate::argv;
use crate::field::Field;
use crate::span::Span;

/// What runs a script.
#[derive(Debug, PartialEq, Eq)]
enum Runner<'t> {
    /// This shell.
    Shell(&'t str),
    /// This program, with words before the name of the script.
    Program(&'t str, Vec<&'t str>),
}

impl Walker<'_> {
    /// A program that was named by its path and is a script: what it says, or what runs it, is
    /// judged too.
    #[cold]
    pub(super) fn script_by_path(&mut self, name: &str, known: bool, args: &[Field], span: Span) {
        if self.state.cwd.is_empty() && !name.starts_with('/') {
            let reason = format!("can't tell in which directory `{name}` lies");
            self.unanalysable(&reason, Some(span));
        }
        for path in self.resolve(name, Follow::Final, span) {
            // The catalogue says what a program does, where it is the one that it speaks of.
            if known && self.world.is_out_of_reach(&path.real) {
                continue;
            }
            let mut texts = match self.made(&path.real) {
                Made::Text(texts) => texts,
                _ => Vec::new(),
            };
            texts.extend(self.read_script(&path.real));
            for text in texts {
                self.script_text(&text, (name, &path.real), args, span);
            }
        }
    }

    fn script_text(
        &mut self,
        text: &str,
        (name, real): (&str, &AbsPath),
        args: &[Field],
        span: Span,
    ) {
        match runner(text) {
            Some(Runner::Shell(shell)) => {
                self.shell_behind(real, span);
                self.in_shell_of(Dialect::of(shell), text, span, script::known(args));
            }
            Some(Runner::Program(program, words)) => {
                let words = words.into_iter().chain([name]);
                let words = words.map(|word| Field::known(word, span));
                let words: Vec<Field> = words.chain(args.iter().cloned()).collect();
                self.run_behind(program, &words, span);
            }
            None => {}
        }
    }

    /// A script that is run by its path runs a shell, which needs no grant but meets who objects.
    fn shell_behind(&mut self, script: &AbsPath, span: Span) {
        let cwd = self.state.cwd.first().cloned().unwrap_or_else(|| script.clone());
        let program = self.world.program("/bin/sh", &cwd, false);
        let exec = Exec::new(program, vec![script.as_str().into()], cwd);
        let before = self.enter(None, Cover::NoGrant);
        self.add(AccessKind::Exec(Arc::new(exec)), span);
        self.come_back(before);
    }

    /// So does one of another language; any other program needs its own grant.
    fn run_behind(&mut self, program: &str, words: &[Field], span: Span) {
        let from = self.effects.accesses.len();
        self.inner(|walker| {
            walker.invoke(program, span, words, &[], &Stdin::Inherited, false, None);
        });
        let entry = argv::entry_of(self.world.catalogue(), program);
        if !entry.is_some_and(runs_files) {
            return;
        }
        let is_it = |what: &AccessKind| matches!(what, AccessKind::Exec(exec) if &*exec.program.invoked == program);
        let since = self.effects.accesses.get_mut(from..).unwrap_or_default();
        since.iter_mut().take_while(|own| is_it(&own.what)).for_each(|own| {
            own.scope.cover = Cover::NoGrant;
        });
    }
}

/// Whether a program runs the code in a file that it is given.
fn runs_files(entry: &CatalogueEntry) -> bool {
    let operands = entry.operands.iter().flat_map(|own| own.roles());
    let options = entry.options.iter().flat_map(|option| &option.roles);
    operands.chain(options).any(|role| matches!(role, WordRole::CodeFile(_)))
}

/// What a text says is to run it.
///
/// The system hands all that stands behind the interpreter to it as one word.
fn runner(text: &str) -> Option<Runner<'_>> {
    let Some(line) = text.strip_prefix("#!").and_then(|rest| rest.lines().next()) else {
        // What the system cannot run the shell takes for a script, if it looks like a text.
        return (!text.contains('\0')).then_some(Runner::Shell("sh"));
    };
    let blank = [' ', '\t', '\r'];
    let line = line.trim_matches(blank);
    let (program, rest) = line.split_once(blank).unwrap_or((line, ""));
    let rest = rest.trim_matches(blank);
    if base_name(program) == "env"
        && let Some(found) = behind_env(rest)
    {
        return Some(found);
    }
    let is_shell = dialect::is_common(base_name(program)) || dialect::is_zsh(program);
    Some(match is_shell {
        true => Runner::Shell(program),
        false => {
            Runner::Program(program, Some(rest).filter(|own| !own.is_empty()).into_iter().collect())
        }
    })
}

/// `env NAME` and `env -S NAME WORDS`, where nothing in it means anything else to `env`.
fn behind_env(rest: &str) -> Option<Runner<'_>> {
    let split = rest.strip_prefix("-S").map(str::trim_start);
    let text = split.unwrap_or(rest);
    let plain =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '+' | ':' | ',' | ' ');
    let mut words = text.split(' ').filter(|word| !word.is_empty());
    let name = words.next().filter(|name| !name.starts_with('-'))?;
    let words: Vec<&str> = words.collect();
    if !text.chars().all(plain) || split.is_none() && !words.is_empty() {
        return None;
    }
    let is_shell = dialect::is_common(base_name(name)) || dialect::is_zsh(name);
    Some(match is_shell {
        true => Runner::Shell(name),
        false => Runner::Program(name, words),
    })
}

#[cfg(test)]
#[path = "shebang_tests.rs"]
mod tests;
