//! Commands of gdb, as `-ex` and its scripts hold them.
//!
//! Names may be cut short. A command that is not known here may do anything, and so may an
//! expression that calls a function of the program.

use super::Finding;

/// Reads commands, one on each line.
pub(super) fn read(code: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    for line in code.lines() {
        command(line.trim(), 0, &mut found);
    }
    found
}

fn unknown(found: &mut Vec<Finding>, reason: &str) {
    found.push(Finding::RunUnknown(reason.to_owned()));
}

fn command(line: &str, depth: usize, found: &mut Vec<Finding>) {
    if depth > super::MAX_DEPTH {
        return unknown(found, "commands are nested too deeply");
    }
    if let Some(shell) = line.strip_prefix('!') {
        return found.push(Finding::Shell(shell.trim().to_owned()));
    }
    if let Some(pipe) = line.strip_prefix('|') {
        return piped(pipe, depth, found);
    }
    let end = line
        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'))
        .unwrap_or(line.len());
    let (name, rest) = line.split_at_checked(end).unwrap_or((line, ""));
    let rest = rest.trim();
    let is = |full: &str, least: usize| name.len() >= least && full.starts_with(name);
    let file =
        |finding: fn(String) -> Finding| (!rest.is_empty()).then(|| finding(rest.to_owned()));
    match name {
        "" => {}
        _ if is("shell", 3) => found.push(Finding::Shell(rest.to_owned())),
        "pipe" | "|" => piped(rest, depth, found),
        "taas" | "faas" | "tfaas" => applied(rest, depth, found),
        _ if is("thread", 1) || is("frame", 1) => match rest.split_once(char::is_whitespace) {
            Some((word, rest)) if "apply".starts_with(word) => applied(rest, depth, found),
            _ => {}
        },
        "py" | "python" | "pi" | "python-interactive" if !rest.is_empty() => {
            found.push(Finding::Code("python", rest.to_owned()));
        }
        _ if is("source", 2) => {
            let path = rest.trim_start_matches("-s ").trim_start_matches("-v ").trim();
            found.push(Finding::CodeFile("gdb", path.to_owned()));
        }
        // The program is judged where the command line names it, with its words.
        "run" | "r" | "start" | "starti" if rest.is_empty() => {}
        "symbol-file" | "core-file" | "core" | "add-symbol-file" | "restore" => {
            let path = rest.split_whitespace().next().unwrap_or("");
            if !path.is_empty() {
                found.push(Finding::Read(path.to_owned()));
            }
        }
        "gcore" | "generate-core-file" => found.push(
            file(Finding::Write)
                .unwrap_or_else(|| Finding::WriteUnknown("gdb writes a core file".to_owned())),
        ),
        "dump" | "append" | "save" => dump(rest, found),
        "target" | "tar" => target(rest, found),
        "set" => set(rest, found),
        "show" | "sho" => show(rest, found),
        "define" | "document" | "end" | "commands" | "else" => {}
        "if" | "while" | "print" | "p" | "inspect" | "call" | "output" | "printf" | "display"
        | "x" | "condition" | "echo" | "until" | "advance" | "list" | "l" | "break" | "b"
        | "br" | "tbreak" | "watch" | "rwatch" | "awatch" => {
            expression(rest, found);
        }
        _ if HARMLESS.contains(&name) => {}
        _ => unknown(found, &format!("gdb's command `{name}` may run anything")),
    }
}

/// Commands that show something or move in a program that runs already.
const HARMLESS: &[&str] = &[
    "backtrace",
    "bt",
    "where",
    "info",
    "i",
    "inf",
    "frame",
    "f",
    "up",
    "down",
    "next",
    "n",
    "nexti",
    "ni",
    "step",
    "s",
    "stepi",
    "si",
    "continue",
    "c",
    "finish",
    "fin",
    "delete",
    "d",
    "disable",
    "enable",
    "thread",
    "t",
    "quit",
    "q",
    "help",
    "h",
    "undisplay",
    "ptype",
    "whatis",
    "disassemble",
    "clear",
    "ignore",
    "kill",
    "k",
    "detach",
    "tty",
    "skip",
    "directory",
    "pwd",
    "explore",
    "complete",
    "apropos",
    "handle",
    "return",
    "catch",
    "tcatch",
    "select-frame",
    "inferior",
    "maint",
    "section",
    "sharedlibrary",
    "nosharedlibrary",
    "tui",
    "layout",
    "refresh",
    "winheight",
    "focus",
    "exit",
];

/// `thread apply all -q COMMAND`: what stands before the command says for which threads or frames.
fn applied(rest: &str, depth: usize, found: &mut Vec<Finding>) {
    let is_place = |word: &str| {
        matches!(word, "all" | "level" | "on" | "off" | "unlimited")
            || word.starts_with(['-', '$', '*'])
            || word.starts_with(|c: char| c.is_ascii_digit())
    };
    let mut rest = rest.trim();
    while let Some((word, behind)) = rest.split_once(char::is_whitespace)
        && is_place(word)
    {
        rest = behind.trim_start();
    }
    command(rest, depth.saturating_add(1), found);
}

/// `pipe COMMAND | SHELL`, with a delimiter of one's own after `-d`.
fn piped(line: &str, depth: usize, found: &mut Vec<Finding>) {
    if line.trim_start().starts_with('-') {
        return unknown(found, "gdb pipes its output into a command");
    }
    match line.split_once('|') {
        Some((inner, shell)) => {
            command(inner.trim(), depth.saturating_add(1), found);
            found.push(Finding::Shell(shell.trim().to_owned()));
        }
        None => unknown(found, "gdb pipes its output into a command"),
    }
}

fn dump(rest: &str, found: &mut Vec<Finding>) {
    let formats = [
        "binary",
        "ihex",
        "srec",
        "tekhex",
        "verilog",
        "memory",
        "value",
        "breakpoints",
        "gdb-index",
        "history",
        "tracepoints",
    ];
    match rest.split_whitespace().find(|word| !formats.contains(word)) {
        Some(path) => found.push(Finding::Write(path.to_owned())),
        None => found.push(Finding::WriteUnknown("gdb writes a file".to_owned())),
    }
}

fn target(rest: &str, found: &mut Vec<Finding>) {
    let (kind, place) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let place = place.trim();
    match kind {
        "remote" | "extended-remote" => match place.strip_prefix('|') {
            Some(command) => found.push(Finding::Shell(command.trim().to_owned())),
            None if place.starts_with('/') => found.push(Finding::Write(place.to_owned())),
            None => found.push(Finding::Host(place.trim_start_matches("tcp:").to_owned())),
        },
        "core" => found.push(Finding::Read(place.to_owned())),
        _ => unknown(found, "gdb works with another kind of target"),
    }
}

fn set(rest: &str, found: &mut Vec<Finding>) {
    let words: Vec<&str> = rest.split_whitespace().collect();
    match words.as_slice() {
        ["logging", "file", path] => found.push(Finding::Write((*path).to_owned())),
        ["logging", ..] => found.push(Finding::Write("gdb.txt".to_owned())),
        ["environment" | "env", name, ..] => {
            let name = name.split('=').next().unwrap_or(name);
            found.push(Finding::SetEnv(name.to_owned()));
        }
        ["var" | "variable", ..] => expression(rest, found),
        [name, ..] if name.starts_with('$') => expression(rest, found),
        [
            "pagination"
            | "confirm"
            | "width"
            | "height"
            | "print"
            | "listsize"
            | "disassembly-flavor"
            | "language"
            | "verbose"
            | "style"
            | "non-stop"
            | "scheduler-locking"
            | "step-mode"
            | "follow-fork-mode"
            | "detach-on-fork"
            | "disable-randomization"
            | "trace-commands"
            | "max-value-size"
            | "charset"
            | "prompt"
            | "radix"
            | "output-radix"
            | "input-radix"
            | "backtrace"
            | "unwindonsignal"
            | "startup-with-shell",
            ..,
        ] => {}
        ["breakpoint", "pending", _] => {}
        _ => unknown(found, "a setting of gdb may name what it runs"),
    }
}

fn show(rest: &str, found: &mut Vec<Finding>) {
    let mut words = rest.split_whitespace();
    if words.next().is_some_and(|word| word.starts_with("env")) {
        found.push(words.next().map_or(Finding::AllEnv, |name| Finding::GetEnv(name.to_owned())));
    }
}

/// A name before a bracket calls a function, unless the name is that of a type in a cast.
fn expression(text: &str, found: &mut Vec<Finding>) {
    let mut quoted = false;
    let mut name = false;
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            '(' if name && !quoted => {
                return unknown(found, "an expression of gdb calls a function");
            }
            ' ' => {}
            c => name = c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | ')' | ']' | '>'),
        }
    }
}

#[cfg(test)]
#[path = "gdb_tests.rs"]
mod tests;
