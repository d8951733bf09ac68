//! Commands of programs that copy files to and from other machines, one a line.

use super::shape::{Found, read, shell, write};
use crate::lang::Finding;
use crate::lang::words::split;

/// What `ftp` and `sftp` read from their standard input.
pub(super) fn transfer(text: &str) -> Found {
    let mut found = Vec::new();
    let mut local = String::new();
    for line in text.lines().map(|line| line.trim().trim_start_matches(['-', '@'])) {
        match line.strip_prefix('!') {
            Some(command) => found.push(shell(command)),
            None => one(&split(line).unwrap_or_default(), &mut local, &mut found),
        }
    }
    found
}

fn one(words: &[String], local: &mut String, found: &mut Found) {
    let Some((first, rest)) = words.split_first() else { return };
    let mut names = rest.iter().map(String::as_str).filter(|word| !word.starts_with('-'));
    let here = |path: &str| match path.starts_with(['/', '~']) || local.is_empty() {
        true => path.to_owned(),
        false => format!("{local}/{path}"),
    };
    // What begins with a bar is a command, to `ftp`.
    found.extend(rest.iter().filter_map(|word| word.strip_prefix('|')).map(shell));
    match first.as_str() {
        "put" | "reput" | "send" | "append" => {
            found.extend(names.next().map(|name| read(&here(name))));
        }
        "mput" => found.extend(names.map(|name| read(&here(name)))),
        "get" | "reget" | "recv" | "newer" => {
            let source = names.next().unwrap_or_default();
            let own = source.rsplit('/').next().unwrap_or(source);
            found.push(write(&here(names.next().unwrap_or(own))));
        }
        "mget" => found.push(Finding::WriteTree(here("."))),
        "lcd" => *local = here(names.next().unwrap_or("~")),
        "lmkdir" => found.extend(names.next().map(|name| write(&here(name)))),
        "lls" => found.extend(names.map(|name| read(&here(name)))),
        _ => {}
    }
}

/// `:METHOD:[USER@]HOST[:PORT]/PATH` of CVS, or a directory. Settings of a method name programs.
pub(super) fn cvs_root(text: &str) -> Vec<Finding> {
    let Some((method, rest)) = text.strip_prefix(':').and_then(|rest| rest.split_once(':')) else {
        return super::place(text);
    };
    if method.contains(';') {
        return vec![Finding::RunUnknown("a method of CVS may run a program".to_owned())];
    }
    if matches!(method, "local" | "fork") {
        return vec![Finding::Read(rest.to_owned())];
    }
    let host = rest.split('/').next().unwrap_or(rest);
    let host = host.rsplit('@').next().unwrap_or(host).trim_end_matches(':');
    vec![Finding::Host(host.to_owned())]
}
