//! What calls of known functions do with their arguments.

use super::super::Finding;
use super::Action;
use super::calls::{Argument, Call, Program};

/// Methods of Python's paths that change what they name. Which path one belongs to is not told.
const WRITING: &[&str] =
    &["write_text", "write_bytes", "touch", "unlink", "rmdir", "symlink_to", "hardlink_to"];

/// Reports what a call does.
pub(super) fn act(program: &mut Program, action: Action, call: &Call) {
    let first = call.arguments.first();
    let second = call.arguments.get(1);
    match action {
        Action::Shell => shell(program, first),
        Action::ShellOrRun => match call.arguments.as_slice() {
            [Argument::Text(line)] => program.found.push(Finding::Shell(line.clone())),
            arguments => run(program, arguments, call.shell),
        },
        Action::Run => run(program, &call.arguments, call.shell),
        Action::RunAfterFirst => {
            run(program, call.arguments.get(1..).unwrap_or_default(), call.shell);
        }
        Action::RunUnknown(reason) => program.found.push(Finding::RunUnknown(reason.to_owned())),
        Action::Eval => program.found.push(match first {
            Some(Argument::Text(code)) => Finding::Code(program.knowledge.name, code.clone()),
            None => return,
            _ => Finding::RunUnknown("code is computed and run".to_owned()),
        }),
        Action::Module => module(program, first),
        Action::Open => open(program, call),
        Action::PerlOpen => perl_open(program, call),
        Action::OpenOrPipe => match first {
            Some(Argument::Text(text)) if text.trim_start().starts_with('|') => {
                let line = text.trim_start().trim_start_matches('|').trim();
                program.found.push(Finding::Shell(line.to_owned()));
            }
            _ => open(program, call),
        },
        Action::Read => file(program, first, Finding::Read),
        Action::Path => {
            file(program, first, Finding::Read);
            if program.has_any(WRITING) {
                file(program, first, Finding::Write);
            }
        }
        Action::Write => file(program, first, Finding::Write),
        Action::Delete => file(program, first, Finding::Delete),
        Action::Copy => {
            file(program, first, Finding::Read);
            file(program, second, Finding::Write);
        }
        Action::Move => {
            file(program, first, Finding::Read);
            file(program, first, Finding::Delete);
            file(program, second, Finding::Write);
        }
        Action::GetEnv => program.found.push(match first {
            Some(Argument::Text(name)) => Finding::GetEnv(name.clone()),
            _ => Finding::AllEnv,
        }),
        Action::SetEnv => {
            if let Some(Argument::Text(name)) = first {
                let name = name.split('=').next().unwrap_or(name);
                program.found.push(Finding::SetEnv(name.to_owned()));
            }
        }
        Action::Connect => connect(program, &call.arguments),
        Action::Listen => listen(program, &call.arguments),
    }
}

fn shell(program: &mut Program, command: Option<&Argument>) {
    program.found.push(match command {
        Some(Argument::Text(line)) => Finding::Shell(line.clone()),
        _ => Finding::RunUnknown("a command is computed and run".to_owned()),
    });
}

/// A list of words, or a program and its arguments, or a program and a list of them.
fn run(program: &mut Program, arguments: &[Argument], with_shell: bool) {
    let words: Option<Vec<String>> = match arguments {
        [Argument::List(words), ..] => Some(words.clone()),
        [Argument::Text(name), Argument::List(words), ..] => {
            Some(std::iter::once(name.clone()).chain(words.iter().cloned()).collect())
        }
        [Argument::Text(_), ..] => arguments
            .iter()
            .map(|argument| match argument {
                Argument::Text(text) => Some(text.clone()),
                _ => None,
            })
            .collect(),
        _ => None,
    };
    program.found.push(match words {
        Some(words) if words.is_empty() => return,
        Some(words) if with_shell => Finding::Shell(words.join(" ")),
        Some(words) => Finding::Run(words),
        None => Finding::RunUnknown("a command is computed and run".to_owned()),
    });
}

fn module(program: &mut Program, name: Option<&Argument>) {
    match name {
        Some(Argument::Text(path)) if path.starts_with(['.', '/', '~']) => {
            program.found.push(Finding::Read(path.clone()));
        }
        Some(Argument::Text(_)) => {}
        _ => program
            .found
            .push(Finding::RunUnknown("a module is loaded by a computed name".to_owned())),
    }
}

fn file(program: &mut Program, path: Option<&Argument>, finding: fn(String) -> Finding) {
    if let Some(Argument::Text(path)) = path {
        program.found.push(match path.contains("://") {
            true => Finding::Url(path.clone()),
            false => finding(path.clone()),
        });
    }
}

/// A file is read unless its mode says otherwise.
fn open(program: &mut Program, call: &Call) {
    let writes = call.arguments.iter().skip(1).any(|mode| match mode {
        Argument::Text(mode) => mode.len() < 5 && mode.contains(['w', 'a', 'x', '+', 'c']),
        // A mode that is computed may be any.
        Argument::Unknown => true,
        _ => false,
    });
    let first = call.arguments.first();
    if writes {
        file(program, first, Finding::Write);
    }
    if !writes || call.arguments.iter().skip(1).any(|mode| *mode == Argument::Unknown) {
        file(program, first, Finding::Read);
    }
}

/// `open(F, "<", PATH)`, `open(F, "PATH")`, `open(F, "|CMD")`, `open(F, "-|", CMD, …)`.
fn perl_open(program: &mut Program, call: &Call) {
    let Some(Argument::Text(mode)) = call.arguments.get(1) else {
        if call.arguments.len() > 1 {
            let reason = "perl opens a computed name, which may be a command";
            program.found.push(Finding::RunUnknown(reason.to_owned()));
        }
        return;
    };
    let mode = mode.trim();
    let rest = call.arguments.get(2..).unwrap_or_default();
    if matches!(mode, "|-" | "-|") && !rest.is_empty() {
        match rest {
            [one] => shell(program, Some(one)),
            many => run(program, many, false),
        }
    } else if rest.is_empty() && (mode.starts_with('|') || mode.ends_with('|')) {
        program.found.push(Finding::Shell(mode.trim_matches('|').trim().to_owned()));
    } else if rest.is_empty() {
        let path = mode.trim_start_matches(['<', '>', '+']).trim().to_owned();
        program.found.push(match mode.contains(['>', '+']) {
            true => Finding::Write(path),
            false => Finding::Read(path),
        });
    } else if mode.contains(['>', '+']) {
        file(program, rest.first(), Finding::Write);
    } else {
        file(program, rest.first(), Finding::Read);
    }
}

fn connect(program: &mut Program, arguments: &[Argument]) {
    let found = match arguments {
        [Argument::Text(host), Argument::Number(port), ..]
        | [Argument::Number(port), Argument::Text(host), ..] => {
            Finding::Host(format!("{host}:{port}"))
        }
        [Argument::Text(host), Argument::Text(port), ..]
            if !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) =>
        {
            Finding::Host(format!("{host}:{port}"))
        }
        [Argument::List(pair), ..] => Finding::Host(pair.join(":")),
        [Argument::Text(place), ..] if place.starts_with('/') => Finding::Write(place.clone()),
        [Argument::Text(place), ..] if place.contains("://") => Finding::Url(place.clone()),
        [Argument::Text(host), ..] => Finding::Host(host.clone()),
        [Argument::Number(port)] => Finding::Host(format!("localhost:{port}")),
        _ => return,
    };
    program.found.push(found);
}

fn listen(program: &mut Program, arguments: &[Argument]) {
    match arguments {
        [Argument::Number(port), Argument::Text(host), ..] => {
            program.found.push(Finding::Listen(format!("{host}:{port}")));
        }
        [Argument::List(pair), ..] => program.found.push(Finding::Listen(pair.join(":"))),
        [Argument::Number(port), ..] => program.found.push(Finding::Listen(port.clone())),
        _ => {}
    }
}
