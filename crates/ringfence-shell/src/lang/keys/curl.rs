//! Values of curl's options.

use super::super::{Finding, unreadable};

/// A field of a form: `NAME=TEXT`, `NAME=@FILE`, `NAME=<FILE`, with attributes after semicolons.
pub(in super::super) fn form(code: &str) -> Vec<Finding> {
    let Some((_, value)) = code.split_once('=') else {
        return vec![unreadable("a field of a form has no value")];
    };
    let mut found = Vec::new();
    if let Some(files) = value.strip_prefix(['@', '<']) {
        if files.contains('\\') {
            return vec![Finding::ReadUnknown("the name of a file has escapes".to_owned())];
        }
        files_of(files, &mut found);
    }
    for attribute in value.split(';').skip(1) {
        let attribute = attribute.trim().trim_start_matches("headers=");
        if let Some(file) = attribute.strip_prefix(['@', '<']) {
            read(file.trim_matches('"'), &mut found);
        }
    }
    found
}

/// Files parted by commas, each perhaps in quotes and with attributes of its own.
fn files_of(files: &str, found: &mut Vec<Finding>) {
    let mut rest = files;
    loop {
        let (file, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => rest
                .split_at_checked(rest.find([',', ';']).unwrap_or(rest.len()))
                .unwrap_or((rest, "")),
        };
        read(file, found);
        match after.split_once(',') {
            Some((_, next)) => rest = next,
            None => return,
        }
    }
}

fn read(file: &str, found: &mut Vec<Finding>) {
    // A dash is standard input.
    if file != "-" && !file.is_empty() {
        found.push(Finding::Read(file.to_owned()));
    }
}

/// `HOST:PORT:ADDRESS[,ADDRESS…]` or `HOST:PORT:HOST:PORT`: where to connect to instead.
pub(in super::super) fn connect(code: &str) -> Vec<Finding> {
    let parts = parts(code.strip_prefix('+').unwrap_or(code));
    match parts.as_slice() {
        [name, _] if name.starts_with('-') => Vec::new(),
        [_, port, addresses] => addresses
            .split(',')
            .map(|address| Finding::Host(format!("{}:{port}", address.trim_matches(['[', ']']))))
            .collect(),
        [host, port, other_host, other_port] => {
            let host = if other_host.is_empty() { host } else { other_host };
            let port = if other_port.is_empty() { port } else { other_port };
            match (host.is_empty(), port.is_empty()) {
                (true, _) => Vec::new(),
                (false, true) => vec![Finding::Host((*host).to_owned())],
                (false, false) => vec![Finding::Host(format!("{host}:{port}"))],
            }
        }
        _ => vec![unreadable("a host, a port and an address were expected")],
    }
}

/// Parts between colons that do not stand in brackets.
fn parts(text: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    text.split(|c: char| {
        match c {
            '[' => depth = depth.saturating_add(1),
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ':' && depth == 0
    })
    .collect()
}

/// A configuration: every line is an option, so all of it is one command line.
pub(in super::super) fn config(code: &str) -> Vec<Finding> {
    let mut words = vec!["curl".to_owned()];
    for line in code.lines() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let end = line
            .find(|c: char| c.is_ascii_whitespace() || c == '=' || c == ':')
            .unwrap_or(line.len());
        let (name, rest) = line.split_at_checked(end).unwrap_or((line, ""));
        words.push(if name.starts_with('-') { name.to_owned() } else { format!("--{name}") });
        let value =
            rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '=' || c == ':');
        if value.is_empty() {
            continue;
        }
        match value.strip_prefix('"').map(|quoted| quoted.split_once('"')) {
            Some(Some((text, _))) if !text.contains('\\') => words.push(text.to_owned()),
            Some(_) => return vec![unreadable("a value of curl's configuration has escapes")],
            None => words.extend(value.split_whitespace().next().map(str::to_owned)),
        }
    }
    if words.len() > 1 { vec![Finding::Run(words)] } else { Vec::new() }
}
