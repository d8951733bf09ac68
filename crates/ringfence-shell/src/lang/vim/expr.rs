//! Expressions of vim: the functions in them that reach beyond the editor.

use super::super::Finding;
use super::super::cursor::Cursor;

/// Functions that run what cannot be told.
const RUNNING: &[&str] = &[
    "job_start",
    "jobstart",
    "term_start",
    "termopen",
    "ch_open",
    "ch_sendraw",
    "ch_evalexpr",
    "sockconnect",
    "serverstart",
    "libcall",
    "libcallnr",
    "feedkeys",
    "nvim_input",
    "nvim_feedkeys",
    "nvim_command",
    "nvim_exec",
    "nvim_exec2",
    "nvim_cmd",
    "eval",
    "luaeval",
    "pyeval",
    "py3eval",
    "pyxeval",
    "perleval",
    "rubyeval",
    "mzeval",
    "remote_expr",
    "remote_send",
    "remote_startserver",
    "call",
    "function",
    "funcref",
    "timer_start",
    "input",
    "setreg",
    "test_feedinput",
    "term_sendkeys",
    "popup_create",
    "assert_fails",
    "matchfuzzy",
    "map",
    "filter",
    "sort",
    "reduce",
    "substitute",
    "expandcmd",
    "complete",
    "setbufvar",
    "setwinvar",
    "settabvar",
];

/// Reads an expression up to a bar that ends the command, and stays before it.
pub(super) fn read(cursor: &mut Cursor<'_>, found: &mut Vec<Finding>) {
    while let Some(c) = cursor.peek() {
        match c {
            '\n' => return,
            '|' if cursor.peek_at(1) == Some('|') => {
                cursor.bump();
                cursor.bump();
            }
            '|' => return,
            '"' | '\'' => {
                string(cursor);
            }
            '$' => {
                cursor.bump();
                variable(cursor, found);
            }
            '&' => option(cursor, found),
            c if c.is_alphabetic() || c == '_' => word(cursor, found),
            _ => {
                cursor.bump();
            }
        }
    }
}

/// A string; `None` if it has escapes.
fn string(cursor: &mut Cursor<'_>) -> Option<String> {
    let quote = cursor.bump()?;
    let mut text = String::new();
    let mut plain = true;
    loop {
        match cursor.peek() {
            None | Some('\n') => return None,
            Some(c) => {
                cursor.bump();
                match c {
                    '\'' if quote == '\'' && cursor.eat('\'') => text.push('\''),
                    c if c == quote => return plain.then_some(text),
                    '\\' if quote == '"' => match cursor.bump() {
                        Some(c @ ('"' | '\\')) => text.push(c),
                        _ => plain = false,
                    },
                    c => text.push(c),
                }
            }
        }
    }
}

fn variable(cursor: &mut Cursor<'_>, found: &mut Vec<Finding>) {
    let name = cursor.take_while(|c| c.is_ascii_alphanumeric() || c == '_').to_owned();
    if name.is_empty() {
        return;
    }
    let mut ahead = *cursor;
    ahead.skip_blanks();
    let assigned =
        ahead.take_while(|c| matches!(c, '=' | '.' | '+' | '-' | '*' | '/' | '~' | '!' | '#'));
    found.push(match matches!(assigned, "=" | ".=" | "..=" | "+=" | "-=") {
        true => Finding::SetEnv(name),
        false => Finding::GetEnv(name),
    });
}

/// An option that is set in an expression, `let &shell = …`.
fn option(cursor: &mut Cursor<'_>, found: &mut Vec<Finding>) {
    cursor.bump();
    cursor.eat_str("l:");
    cursor.eat_str("g:");
    let name = cursor.take_while(|c| c.is_ascii_alphanumeric()).to_owned();
    let mut ahead = *cursor;
    ahead.skip_blanks();
    let operator = ahead.take_while(|c| matches!(c, '=' | '.' | '+' | '-' | '~' | '#' | '?'));
    if operator.ends_with('=') && operator != "==" && operator != "!=" {
        super::set_option(&name, found);
    }
}

fn word(cursor: &mut Cursor<'_>, found: &mut Vec<Finding>) {
    let name =
        cursor.take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '#' | ':')).to_owned();
    let mut ahead = *cursor;
    ahead.skip_blanks();
    if !ahead.eat('(') {
        return;
    }
    *cursor = ahead;
    call(&name, cursor, found);
}

/// The first arguments as far as they are constant strings; the cursor stays before them.
fn arguments(cursor: Cursor<'_>) -> (Option<String>, Option<String>) {
    let mut ahead = cursor;
    let mut argument = || {
        ahead.skip_blanks();
        let text = match ahead.peek() {
            Some('"' | '\'') => string(&mut ahead),
            _ => None,
        };
        ahead.skip_blanks();
        let ended = matches!(ahead.peek(), Some(',' | ')'));
        ahead.eat(',');
        text.filter(|_| ended)
    };
    (argument(), argument())
}

fn call(name: &str, cursor: &Cursor<'_>, found: &mut Vec<Finding>) {
    let (first, second) = arguments(*cursor);
    let unknown = || format!("vim's {name}() gets something computed");
    match name {
        "system" | "systemlist" => found.push(match first {
            Some(command) => Finding::Shell(command),
            None => Finding::RunUnknown(unknown()),
        }),
        "execute" => match first {
            Some(command) => found.extend(super::read(&command)),
            None => found.push(Finding::RunUnknown(unknown())),
        },
        "getenv" => found.push(first.map_or(Finding::AllEnv, Finding::GetEnv)),
        "environ" => found.push(Finding::AllEnv),
        "setenv" => found.push(match first {
            Some(name) => Finding::SetEnv(name),
            None => Finding::RunUnknown(unknown()),
        }),
        "writefile" => found.push(match second.or_else(|| last_string(*cursor)) {
            Some(path) => Finding::Write(path),
            None => Finding::WriteUnknown(unknown()),
        }),
        "mkdir" => found.push(match first {
            Some(path) => Finding::Write(path),
            None => Finding::WriteUnknown(unknown()),
        }),
        "delete" => found.push(match first {
            Some(path) => Finding::Delete(path),
            None => Finding::WriteUnknown(unknown()),
        }),
        "rename" | "filecopy" => match (first, second) {
            (Some(from), Some(to)) => {
                found.extend([
                    Finding::Read(from.clone()),
                    Finding::Delete(from),
                    Finding::Write(to),
                ]);
            }
            _ => found.push(Finding::WriteUnknown(unknown())),
        },
        "readfile" | "readblob" | "readdir" | "readdirex" => found.push(match first {
            Some(path) => Finding::Read(path),
            None => Finding::ReadUnknown(unknown()),
        }),
        "glob" | "globpath" | "expand" => found.push(match first {
            Some(pattern) if pattern.contains(['`', '$']) => Finding::RunUnknown(unknown()),
            Some(pattern) if name == "expand" || !pattern.contains('/') => return drop(pattern),
            Some(pattern) => Finding::Read(pattern),
            None => Finding::RunUnknown(unknown()),
        }),
        _ if RUNNING.contains(&name) => {
            found.push(Finding::RunUnknown(format!("vim's {name}() may run anything")))
        }
        _ if name.starts_with(|c: char| c.is_uppercase()) || name.contains(['#', ':']) => {
            found.push(Finding::RunUnknown(format!("the function {name} is not known")));
        }
        _ => {}
    }
}

/// The last string on the rest of a call whose first argument is a list.
fn last_string(cursor: Cursor<'_>) -> Option<String> {
    let mut ahead = cursor;
    let mut last = None;
    for _ in 0..1000 {
        match ahead.peek()? {
            ')' => return last,
            '"' | '\'' => last = string(&mut ahead),
            '[' | ']' | ',' | ' ' => {
                ahead.bump();
            }
            _ => return None,
        }
    }
    None
}
