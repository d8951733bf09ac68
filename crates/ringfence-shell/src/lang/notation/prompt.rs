//! Commands of programs that have a prompt of their own: pagers, debuggers, editors, clients.
//!
//! They run programs in many ways, and shorten their commands. So what is certain to be harmless
//! is listed, what is seen to run is handed on, and the rest is doubted.

use super::shape::{Does, Found, host, pieces, read, shell, unknown, write};
use crate::lang::Finding;
use crate::lang::words::split;

/// Commands of less, as `+` gives them.
pub(super) fn less(text: &str) -> Found {
    let text = text.trim_start_matches('+');
    let bare = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    match bare {
        _ if bare.contains(char::is_control) => vec![unknown("several commands of less")],
        "" | "g" | "G" | "p" | "%" | "F" | "f" | "b" | "d" | "u" | "j" | "k" => Vec::new(),
        // The pattern goes on to the end.
        _ if bare.starts_with(['/', '?', '&']) => Vec::new(),
        _ if bare.starts_with('!') && !bare.contains(['%', '#']) => {
            vec![shell(bare.trim_start_matches('!'))]
        }
        _ => vec![unknown(&format!("can't tell what less does with `{text}`"))],
    }
}

/// Commands of lldb that only look; they may be given in full or in these short forms alone.
pub(super) fn lldb(text: &str) -> Found {
    const LOOKS: [&str; 30] = [
        "bt",
        "quit",
        "q",
        "version",
        "help",
        "continue",
        "c",
        "step",
        "s",
        "next",
        "n",
        "finish",
        "up",
        "down",
        "run",
        "r",
        "disassemble",
        "di",
        "register",
        "thread",
        "frame",
        "target",
        "image",
        "memory",
        "source",
        "breakpoint",
        "b",
        "watchpoint",
        "gui",
        "exit",
    ];
    pieces(text, &['\n', ';'], |line| {
        let mut words = line.split_ascii_whitespace();
        let (first, second) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        match (first, second) {
            ("platform", "shell") => vec![shell(rest_after(line, 2))],
            ("shell", _) => vec![shell(rest_after(line, 1))],
            // Commands, modules and files may be added to these.
            (
                "breakpoint" | "watchpoint" | "frame" | "target" | "thread" | "image" | "memory",
                own,
            ) if !matches!(
                own,
                "list"
                    | "set"
                    | "delete"
                    | "info"
                    | "select"
                    | "variable"
                    | "backtrace"
                    | "step-in"
                    | "step-over"
                    | "continue"
                    | "enable"
                    | "disable"
                    | "lookup"
            ) =>
            {
                vec![unknown(&format!("can't tell what lldb does with `{line}`"))]
            }
            ("source", own) if !matches!(own, "list" | "info") => {
                vec![unknown(&format!("can't tell what lldb does with `{line}`"))]
            }
            // A backquote evaluates an expression.
            _ if LOOKS.contains(&first) && !line.contains('`') => Vec::new(),
            _ => vec![unknown(&format!("can't tell what lldb does with `{line}`"))],
        }
    })
}

/// What follows the first words of a line.
fn rest_after(line: &str, words: usize) -> &str {
    (0..words).fold(line.trim_start(), |rest, _| {
        rest.split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim_start())
    })
}

/// Commands and keys of Kakoune: any of them may run a program.
pub(super) fn kak(text: &str) -> Found {
    match text.trim() {
        "" | "quit" | "quit!" | "q" | "q!" => Vec::new(),
        _ => vec![unknown("can't tell what these commands of kak run")],
    }
}

/// Scripts of expect, as far as they are plain words.
pub(super) fn expect(text: &str) -> Found {
    if text.contains(['[', '$', '{', '\\']) {
        return vec![unknown("the script of expect is not plain")];
    }
    pieces(text, &['\n', ';'], |line| {
        let Some(words) = split(line) else {
            return vec![unknown("the script of expect is not plain")];
        };
        let first = words.first().map_or("", String::as_str);
        match first {
            "" | "expect" | "send" | "log_user" | "exit" | "interact" | "sleep" | "close"
            | "wait" | "puts" => Vec::new(),
            "set" if words.get(1).is_some_and(|name| name == "timeout") => Vec::new(),
            "spawn" => {
                let own = words.into_iter().skip(1).skip_while(|word| word.starts_with('-'));
                vec![Finding::Run(own.collect())]
            }
            _ => vec![unknown(&format!("can't tell what expect's `{first}` runs"))],
        }
    })
}

/// AppleScript, of which only what shows a message is certain.
pub(super) fn applescript(text: &str) -> Found {
    const SHOWS: [&str; 20] = [
        "display",
        "notification",
        "dialog",
        "alert",
        "with",
        "title",
        "subtitle",
        "sound",
        "name",
        "message",
        "buttons",
        "default",
        "button",
        "giving",
        "up",
        "after",
        "beep",
        "return",
        "icon",
        "as",
    ];
    let mut outside = text.split('"').step_by(2).flat_map(|part| {
        part.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty())
    });
    match outside.all(|word| SHOWS.contains(&word)) && !text.contains('\\') {
        true => Vec::new(),
        false => vec![unknown("can't tell what this script drives")],
    }
}

/// Bindings of fzf: `KEY:ACTION+ACTION,…`, where some actions are command lines.
pub(super) fn fzf(text: &str) -> Found {
    const RUNS: [&str; 6] = ["execute", "reload", "become", "transform", "preview", "unix"];
    let plain = text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_,:+@^ ./".contains(&b));
    let mut actions = text.split([',', ':', '+']).filter(|own| {
        RUNS.iter().any(|start| own.starts_with(start)) || own.contains("change-preview")
    });
    let scrolls = |own: &str| {
        own.starts_with("preview-") && own.bytes().all(|b| b.is_ascii_alphabetic() || b == b'-')
    };
    if plain && actions.all(scrolls) {
        return Vec::new();
    }
    // One action whose command has no parentheses and no place for the chosen line.
    let one = text.split_once('(').and_then(|(before, rest)| {
        let (_, action) = before.split_once(':')?;
        let line = rest.strip_suffix(')')?;
        let known = ["execute", "execute-silent", "reload", "reload-sync", "become", "preview"];
        (known.contains(&action) && !line.contains(['(', ')', '{', '}'])).then_some(line)
    });
    match one {
        Some(line) => vec![shell(line)],
        None => vec![unknown("can't tell what this binding runs")],
    }
}

/// Formats of tmux: `#(COMMAND)` is run.
pub(super) fn tmux(text: &str) -> Found {
    let Some((_, rest)) = text.split_once("#(") else { return Vec::new() };
    let line = rest.split(')').next().unwrap_or(rest);
    let single = rest.matches("#(").next().is_none() && !line.contains(['(', '#', '%', '{']);
    match single && rest.contains(')') {
        true => vec![shell(line)],
        false => vec![unknown("can't tell what this format runs")],
    }
}

/// Commands of lftp.
pub(super) fn lftp(text: &str) -> Found {
    let mut found = Vec::new();
    let mut local = String::new();
    for line in text.split([';', '\n']).map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(command) = line.strip_prefix('!') {
            found.push(shell(command));
            continue;
        }
        let words = split(line).filter(|_| !line.contains(['|', '>', '&', '`', '$']));
        let Some((first, rest)) = words.as_deref().and_then(<[String]>::split_first) else {
            found.push(unknown("the commands of lftp are not plain"));
            continue;
        };
        lftp_command(first, rest, &mut local, &mut found);
    }
    found
}

fn lftp_command(first: &str, rest: &[String], local: &mut String, found: &mut Found) {
    let operands = || rest.iter().map(String::as_str).filter(|word| !word.starts_with('-'));
    let reverse = rest.iter().any(|word| word == "-R" || word == "--reverse");
    let here = |path: &str| match path.starts_with(['/', '~']) || local.is_empty() {
        true => path.to_owned(),
        false => format!("{local}/{path}"),
    };
    match first {
        "open" | "connect" | "lftp" => found.extend(operands().take(1).flat_map(|place| {
            let place = place.rsplit(',').next().unwrap_or(place);
            match place.contains("://") {
                true => vec![Finding::Url(place.to_owned())],
                false => vec![host(place)],
            }
        })),
        "put" | "mput" => found.extend(operands().map(|path| read(&here(path)))),
        "get" | "pget" | "mget" | "get1" => {
            let target = rest.iter().position(|word| word == "-o" || word == "-O");
            let target = target.and_then(|at| rest.get(at.saturating_add(1)));
            match target {
                Some(path) => found.push(Finding::WriteTree(here(path))),
                None => found.push(Finding::WriteTree(here("."))),
            }
        }
        "mirror" if reverse => found.extend(operands().map(|path| read(&here(path)))),
        "mirror" => {
            let target = operands().nth(1).unwrap_or(".");
            found.push(Finding::WriteTree(here(target)));
        }
        "lcd" => {
            let target = operands().next().map(&here).unwrap_or_default();
            found.push(read(&target));
            *local = target;
        }
        "set" => found.extend(lftp_setting(rest)),
        "ls" | "cls" | "nlist" | "cd" | "pwd" | "cat" | "zcat" | "more" | "find" | "du"
        | "quit" | "exit" | "bye" | "user" | "echo" | "mkdir" | "rm" | "rmdir" | "mv" | "chmod"
        | "close" | "version" | "help" | "wait" | "lpwd" | "debug" => {}
        _ => found.push(unknown(&format!("can't tell what lftp's `{first}` does"))),
    }
}

/// Settings of lftp; some name programs.
fn lftp_setting(words: &[String]) -> Found {
    let (name, value) = (words.first().map_or("", |own| own), words.get(1).map_or("", |own| own));
    match name {
        _ if name.contains("program") || name.contains("command") || name.contains("filter") => {
            Does::Shell.with(name, value)
        }
        _ if name.contains("proxy") => Does::Url.with(name, value),
        _ if name.contains("log") && value.contains('/') => vec![write(value)],
        _ => Does::PlaceWritten.with(name, value),
    }
}
