//! Addresses of socat: `TYPE:ARGUMENT[:ARGUMENT][,OPTION…]`.

use super::super::words::split;
use super::super::{Finding, unreadable};

/// Reads an address, or two with `!!` between them.
pub(in super::super) fn read(code: &str) -> Vec<Finding> {
    code.split("!!").flat_map(address).collect()
}

fn both(path: &str) -> Vec<Finding> {
    vec![Finding::Read(path.to_owned()), Finding::Write(path.to_owned())]
}

fn address(text: &str) -> Vec<Finding> {
    let (head, options) = text.split_once(',').unwrap_or((text, ""));
    let (kind, rest) = head.split_once(':').unwrap_or((head, ""));
    let kind = kind.to_ascii_uppercase();
    // socat takes quotes, brackets and backslashes off in its own way.
    let odd = text.contains(['"', '\'', '\\', '(', '{', '[']);
    let mut found = match kind.as_str() {
        "EXEC" | "SYSTEM" | "SHELL" if odd => {
            vec![Finding::RunUnknown("socat runs a command with quotes or escapes".to_owned())]
        }
        "SYSTEM" | "SHELL" => vec![Finding::Shell(rest.to_owned())],
        "EXEC" => match split(rest) {
            Some(words) => vec![Finding::Run(words)],
            None => vec![unreadable("the words of a command are not plain")],
        },
        "OPEN" | "FILE" | "GOPEN" | "PIPE" | "FIFO" if !rest.is_empty() => both(rest),
        "CREATE" | "CREAT" => vec![Finding::Write(rest.to_owned())],
        "-" | "STDIO" | "STDIN" | "STDOUT" | "STDERR" | "FD" | "PTY" | "PIPE" | "FIFO" | "ECHO"
        | "NULL" => Vec::new(),
        kind if kind.starts_with("UNIX") || kind.starts_with("ABSTRACT") || kind == "LOCAL" => {
            both(rest)
        }
        kind if !kind.is_empty() && kind.bytes().all(|b| b.is_ascii_digit()) => Vec::new(),
        kind => network(kind, rest, head),
    };
    for option in options.split(',') {
        let (name, value) = option.split_once('=').unwrap_or((option, ""));
        match name.to_ascii_lowercase().as_str() {
            "link" | "symbolic-link" | "lock" | "lockfile" | "waitlock" | "history"
            | "history-file" => {
                found.push(Finding::Write(value.to_owned()));
            }
            "cert" | "certificate" | "key" | "cafile" | "ca" | "capath" | "dhparam" | "dh" => {
                found.push(Finding::Read(value.to_owned()));
            }
            "netns" | "chroot" | "chroot-early" | "path" => {
                found.push(Finding::RunUnknown(
                    "socat works elsewhere or finds programs elsewhere".to_owned(),
                ));
            }
            _ => {}
        }
    }
    found
}

fn network(kind: &str, rest: &str, head: &str) -> Vec<Finding> {
    let base = [
        "TCP", "UDP", "SCTP", "OPENSSL", "SSL", "DTLS", "SOCKS", "PROXY", "DCCP", "UDPLITE",
        "VSOCK",
    ]
    .iter()
    .find(|base| kind.starts_with(**base));
    let listens = ["-LISTEN", "-L", "-RECV", "-RECVFROM", "-SERVER", "-DATAGRAM"]
        .iter()
        .any(|end| kind.ends_with(end));
    match base {
        Some(_) if listens => vec![Finding::Listen(rest.to_owned())],
        // The proxy itself comes first, then the host behind it.
        Some(&("SOCKS" | "PROXY")) => {
            let mut parts = rest.split(':');
            let server = parts.next().unwrap_or("");
            let target: Vec<&str> = parts.collect();
            vec![Finding::Host(server.to_owned()), Finding::Host(target.join(":"))]
        }
        Some(_) => vec![Finding::Host(rest.to_owned())],
        // A name without a type is a file.
        None if !head.contains(':') && head.contains('/') => both(head),
        None => vec![Finding::RunUnknown(format!("socat's address `{kind}` is not known"))],
    }
}
