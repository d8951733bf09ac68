//! Other shells. Their grammars are their own, so that only a line that every shell reads alike is
//! handed on: one command of plain words, whose first is no word of the shell itself.

use super::shape::{Found, unknown};
use crate::lang::Finding;
use crate::lang::words::split;

/// Words that mean something else to one of these shells than to sh.
const OWN_WORDS: [&str; 66] = [
    ".",
    "source",
    "eval",
    "exec",
    "command",
    "builtin",
    "set",
    "setenv",
    "unset",
    "unsetenv",
    "export",
    "alias",
    "unalias",
    "abbr",
    "bind",
    "bindkey",
    "function",
    "functions",
    "funcsave",
    "if",
    "else",
    "for",
    "foreach",
    "while",
    "switch",
    "case",
    "begin",
    "end",
    "not",
    "and",
    "or",
    "repeat",
    "sched",
    "onintr",
    "nohup",
    "nice",
    "time",
    "limit",
    "unlimit",
    "complete",
    "commandline",
    "emit",
    "event",
    "use",
    "fn",
    "var",
    "del",
    "put",
    "pprint",
    "peach",
    "each",
    "external",
    "try",
    "tmp",
    "with",
    "run-parallel",
    "keep-if",
    "order",
    "from-lines",
    "slurp",
    "print",
    "string",
    "trap",
    "history",
    "fc",
    "hash",
];

pub(super) fn fish(text: &str) -> Found {
    common(text, "fish")
}

pub(super) fn csh(text: &str) -> Found {
    common(text, "csh")
}

pub(super) fn elvish(text: &str) -> Found {
    common(text, "elvish")
}

/// Most of its commands are its own, whatever they are called; a caret says that a program is meant.
pub(super) fn nu(text: &str) -> Found {
    match text.trim_start().strip_prefix('^') {
        Some(rest) if !rest.starts_with(char::is_whitespace) => common(rest, "nu"),
        _ => vec![unknown("can't tell what a line of nu does")],
    }
}

/// Its commands have short names that hide programs, and names in any case of letters.
pub(super) fn powershell(_: &str) -> Found {
    vec![unknown("can't tell what a line of PowerShell does")]
}

fn common(text: &str, shell: &str) -> Found {
    match text.trim() {
        "" => Vec::new(),
        line if is_common(line) => vec![Finding::Shell(line.to_owned())],
        _ => vec![unknown(&format!("can't tell what this line of {shell} does"))],
    }
}

/// Whether a line is one command that all shells read alike.
fn is_common(line: &str) -> bool {
    let mut quote = None;
    let mut before = ' ';
    for c in line.chars() {
        let fits = match quote {
            Some(open) if c == open => {
                quote = None;
                true
            }
            Some(_) => !c.is_control() && !matches!(c, '"' | '\'' | '\\' | '$' | '`' | '!'),
            None if matches!(c, '"' | '\'') => {
                quote = Some(c);
                true
            }
            None => is_plain(c, before),
        };
        if !fits {
            return false;
        }
        before = c;
    }
    let first = line.split([' ', '\t']).next().unwrap_or("");
    let program = first.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-./".contains(&b));
    quote.is_none()
        && program
        && !first.starts_with('-')
        && !OWN_WORDS.contains(&first)
        && split(line).is_some()
}

/// Characters that stand for themselves outside of quotes; some only within a word.
fn is_plain(c: char, before: char) -> bool {
    match c {
        ' ' | '\t' | '_' | '-' | '.' | '/' | ',' => true,
        '=' | '%' | '@' | '+' | ':' => !before.is_ascii_whitespace(),
        _ => c.is_ascii_alphanumeric(),
    }
}
