//! Commands: lines of plain words, and programs with their arguments.
//!
//! A line with anything but plain words is a doubt. So is a program that runs what its arguments
//! name, apart from `env`: until its options can be read, nothing is believed of it.

use std::sync::Arc;

use ringfence_core::access::{ALL_VARIABLES, Exec, Extent, FileAccess, FileOp, Program};
use ringfence_core::net::is_url;
use ringfence_core::path::{AbsPath, FilePath, Follow, resolve_literal};
use ringfence_core::{Access, Doubt, Effect, Ground, What};
use ringfence_shell::plain;

use super::Resolver;

/// The longest line that is read, in bytes.
const MAX_LINE: usize = 1 << 20;

/// Words that a shell carries out itself.
const BUILTINS: [&str; 44] = [
    ":", ".", "[", "alias", "bg", "bind", "break", "builtin", "caller", "cd", "command", "compgen",
    "complete", "continue", "declare", "dirs", "disown", "echo", "enable", "eval", "exit",
    "export", "false", "fc", "fg", "getopts", "hash", "help", "history", "jobs", "let", "local",
    "logout", "popd", "printf", "pushd", "pwd", "read", "readonly", "return", "set", "shift",
    "true", "umask",
];

/// Programs and builtins that run what their arguments name or say.
const RUNNERS: [&str; 62] = [
    ".",
    "ash",
    "awk",
    "bash",
    "builtin",
    "busybox",
    "chroot",
    "chrt",
    "command",
    "coproc",
    "cpulimit",
    "csh",
    "dash",
    "direnv",
    "doas",
    "entr",
    "eval",
    "exec",
    "export",
    "fd",
    "find",
    "fish",
    "flock",
    "gawk",
    "gdb",
    "ionice",
    "ksh",
    "ltrace",
    "mapfile",
    "mawk",
    "nice",
    "nohup",
    "nsenter",
    "parallel",
    "perf",
    "pkexec",
    "printf",
    "proot",
    "read",
    "rbash",
    "run-parts",
    "script",
    "setarch",
    "setsid",
    "sh",
    "source",
    "ssh",
    "stdbuf",
    "strace",
    "su",
    "sudo",
    "systemd-run",
    "taskset",
    "tcsh",
    "timeout",
    "toybox",
    "trap",
    "tmux",
    "unshare",
    "watch",
    "xargs",
    "zsh",
];

impl Resolver<'_> {
    pub(super) fn line(&mut self, line: &str, shell: Option<&str>) {
        if line.len() > MAX_LINE {
            return self.unanalysable("the line is longer than 1 MiB", None);
        }
        let plain = match plain::read(line) {
            Ok(plain) => plain,
            Err(at) => {
                let what =
                    crate::redact::visible(at.character.encode_utf8(&mut [0; 4])).into_owned();
                let reason = format!("the line has `{what}`, which cannot be read yet");
                let end = at.at.saturating_add(at.character.len_utf8());
                return self.unanalysable(&reason, Some((at.at, end)));
            }
        };
        let odd_shell = shell.is_some_and(|shell| !is_common(shell));
        if odd_shell && plain.words.iter().any(|word| word.starts_with('=')) {
            return self.unanalysable("the line means another thing in its shell", None);
        }
        let assignments: Vec<&str> = plain.assignments.iter().map(|(name, _)| *name).collect();
        if plain.words.is_empty() {
            assignments.into_iter().for_each(|name| self.shell_variable(name));
        } else {
            self.command(&plain.words, &assignments, Shell::Yes);
        }
    }

    pub(super) fn argv(&mut self, argv: &[String], env: &[(String, String)]) {
        if argv.iter().any(|word| word.contains('\0')) {
            return self.doubt("an argument has a NUL byte");
        }
        let words: Vec<&str> = argv.iter().map(String::as_str).collect();
        let names: Vec<&str> = env.iter().map(|(name, _)| name.as_str()).collect();
        match words.first() {
            Some(program) if !program.is_empty() => self.command(&words, &names, Shell::No),
            _ => self.doubt("it names no program"),
        }
    }

    fn command(&mut self, words: &[&str], assignments: &[&str], shell: Shell) {
        let Some((invoked, args)) = words.split_first() else { return };
        let base = invoked.rsplit('/').next().unwrap_or(invoked);
        if base == "env" {
            return self.env_command(invoked, args, assignments, shell);
        }
        if base == "printenv" && args.iter().all(|word| word.starts_with('-')) {
            self.variable(ALL_VARIABLES, What::ReadEnv);
        }
        if RUNNERS.contains(&base) {
            let reason = format!("what `{base}` would run cannot be read yet");
            self.unanalysable(&reason, None);
        }
        self.run(invoked, args, assignments, shell);
    }

    /// Runs a program as it stands, with what it does by its words.
    fn run(&mut self, invoked: &str, args: &[&str], assignments: &[&str], shell: Shell) {
        let exec = Arc::new(Exec {
            program: self.program(invoked, shell),
            args: args.iter().map(|word| (*word).into()).collect(),
            reading: None,
            carrier: None,
            cwd: self.cwd.clone(),
        });
        self.add(What::Exec(Arc::clone(&exec)));
        let before = self.scope.clone();
        self.scope.command = Some(exec);
        self.covered();
        let given = self.given.clone();
        for name in assignments.iter().copied().chain(given.iter().map(String::as_str)) {
            self.variable(name, What::SetEnv);
        }
        // What a shell carries out itself takes its words as text; those that do not are runners.
        if shell == Shell::No || !BUILTINS.contains(&invoked) {
            self.operands(args);
        }
        self.scope = before;
    }

    /// `env` is transparent: what it sets is set, and what it runs is judged.
    fn env_command(&mut self, invoked: &str, args: &[&str], assignments: &[&str], shell: Shell) {
        let mut names = assignments.to_vec();
        let mut rest = args;
        while let Some((word, after)) = rest.split_first() {
            rest = after;
            match *word {
                "-i" | "-" | "--ignore-environment" | "-0" | "--null" | "-v" | "--debug" => {}
                "-u" | "--unset" => rest = rest.split_first().map_or(rest, |(_, after)| after),
                "--" => break,
                word if word.starts_with("--unset=") || word.starts_with("-u") => {}
                word if word.starts_with('-') => {
                    let reason = format!("what `env {word}` does cannot be read yet");
                    return self.unanalysable(&reason, None);
                }
                word => {
                    if let Some((name, _)) = word.split_once('=') {
                        names.push(name);
                        continue;
                    }
                    let words: Vec<&str> =
                        std::iter::once(word).chain(rest.iter().copied()).collect();
                    return self.command(&words, &names, shell);
                }
            }
        }
        // After `--` assignments may still stand before the command.
        let set = rest.iter().take_while(|word| word.contains('=')).count();
        names.extend(rest.iter().take(set).filter_map(|word| word.split('=').next()));
        match rest.get(set..) {
            Some(command) if !command.is_empty() => self.command(command, &names, shell),
            _ => self.print_environment(invoked, args, &names),
        }
    }

    /// `env` alone prints every variable, which only a grant of all of them covers.
    fn print_environment(&mut self, invoked: &str, args: &[&str], names: &[&str]) {
        self.run(invoked, args, names, Shell::No);
        self.variable(ALL_VARIABLES, What::ReadEnv);
    }

    /// A variable of the shell's own needs no grant, but meets whatever objects to its name.
    fn shell_variable(&mut self, name: &str) {
        let access =
            Access { what: What::SetEnv(name.into()), scope: self.scope.clone(), span: None };
        let verdict = self.around.policy.decide(&access);
        let objects = |ground: &Ground| match ground {
            Ground::Rule(rule) => rule.rule.effect == Effect::Deny,
            Ground::Danger(_) | Ground::Protected(_) => true,
            _ => false,
        };
        if verdict.grounds.iter().any(objects) {
            self.effects.accesses.push(access);
        }
    }

    /// What cannot be told about which program would run is settled by the policy's own word.
    fn unanalysable(&mut self, reason: &str, span: Option<(usize, usize)>) {
        let effect = self.around.policy.settings().unanalysable.unwrap_or(Effect::Deny);
        self.effects.doubts.push(Doubt { effect, reason: reason.into(), span });
    }

    fn program(&self, invoked: &str, shell: Shell) -> Program {
        let host = self.around.host;
        if shell == Shell::Yes && BUILTINS.contains(&invoked) {
            return Program { invoked: invoked.into(), file: None, known_as: Some(invoked.into()) };
        }
        let real =
            |path: &AbsPath| resolve_literal(host, path.as_str(), &self.cwd, Follow::Final).ok();
        let base = invoked.rsplit('/').next().unwrap_or(invoked);
        let found = host.find_program(base);
        let asked = match invoked.contains('/') {
            true => resolve_literal(host, invoked, &self.cwd, Follow::Final).ok(),
            // What is nowhere cannot run; a rule on its name still says what is meant.
            false => match &found {
                Some(found) => real(found),
                None => {
                    return Program {
                        invoked: invoked.into(),
                        file: None,
                        known_as: Some(invoked.into()),
                    };
                }
            },
        };
        let is_found = match (&asked, &found) {
            (Some(asked), Some(found)) => {
                real(found).is_some_and(|found| found.real == asked.real)
                    && self.is_out_of_reach(found)
                    && self.is_out_of_reach(&asked.asked)
                    && self.is_out_of_reach(&asked.real)
            }
            _ => false,
        };
        Program {
            invoked: invoked.into(),
            file: asked.map(|path| path.real),
            known_as: is_found.then(|| base.into()),
        }
    }

    /// Whether the agent may not replace the program: neither by the policy nor by the system.
    fn is_out_of_reach(&self, file: &AbsPath) -> bool {
        let Some(directory) = file.parent() else { return false };
        let replace = FileAccess {
            op: FileOp::Write,
            extent: Extent::One,
            path: FilePath::named(file.clone()),
        };
        let replace = Access { what: What::File(replace), scope: self.scope.clone(), span: None };
        !self.around.host.may_write(&directory)
            || self.around.policy.decide(&replace).effect != Effect::Allow
    }

    /// Operands of a program that is not known: what looks like a path is read, a URL is dialled.
    fn operands(&mut self, args: &[&str]) {
        let mut options = true;
        for word in args {
            if *word == "--" {
                options = false;
            } else if options && word.starts_with('-') {
                let value = word.split_once('=').map(|(_, value)| value);
                let glued = word.find('/').and_then(|at| word.get(at..));
                value.or(glued).into_iter().for_each(|value| self.operand(value));
            } else {
                self.operand(word);
                if let Some((_, value)) = word.split_once('=').filter(|_| !is_url(word)) {
                    self.operand(value);
                }
            }
        }
    }

    fn operand(&mut self, text: &str) {
        if is_url(text) {
            return self.url(text);
        }
        match resolve_literal(self.around.host, text, &self.cwd, Follow::Final) {
            Ok(path) if text.contains('/') || text.starts_with('.') || path.kind.is_some() => {
                self.file_at(FileOp::Read, Extent::One, path);
            }
            Ok(_) => {}
            Err(_) if text.is_empty() => {}
            Err(error) => self.doubt(error),
        }
    }
}

/// Whether a command is carried out by a shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shell {
    Yes,
    No,
}

/// Shells that read plain words alike.
fn is_common(shell: &str) -> bool {
    matches!(shell.rsplit('/').next(), Some("bash" | "sh" | "dash" | "ash" | "ksh"))
}
