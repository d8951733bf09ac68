//! Hosts and what is sent to them: ssh, HTTP clients, name servers, and the tools of forges.

use super::shape::{Does, Found, host, is_path, pieces, place, read, shell, unknown};
use crate::lang::{Finding, place as git_place};
use ringfence_core::net::is_url;

/// Hosts between commas.
pub(super) fn ssh_jump(text: &str) -> Found {
    if text.eq_ignore_ascii_case("none") {
        return Vec::new();
    }
    pieces(text, &[','], |hop| vec![host(hop.trim_start_matches("ssh://"))])
}

/// `[ADDRESS:]PORT:HOST:PORT`, where either end may be a socket. One side listens, the other
/// dials; which is which depends on the option, so both ends count.
pub(super) fn ssh_forward(text: &str) -> Found {
    let parts = colons(text);
    let socket = |path: &str| Does::Edit.with("", path);
    match parts.as_slice() {
        [port] | [_, port] if !text.contains('/') && is_port(port) => vec![
            Finding::Listen((*port).to_owned()),
            unknown("through this tunnel any host can be reached"),
        ],
        [port, to] if to.contains('/') => {
            let mut found = listening(port);
            found.extend(socket(to));
            found
        }
        [address, port, to] if to.contains('/') => {
            let mut found = listening(&format!("{address}:{port}"));
            found.extend(socket(to));
            found
        }
        [port, to, behind] | [_, port, to, behind] => {
            let mut found = listening(port);
            found.push(Finding::Host(format!("{to}:{behind}")));
            found
        }
        _ => vec![unknown("can't tell what the tunnel joins")],
    }
}

fn listening(place: &str) -> Found {
    match place.contains('/') {
        true => Does::Write.with("", place),
        false => vec![Finding::Listen(place.to_owned())],
    }
}

fn is_port(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The parts between colons; those in brackets are one.
fn colons(text: &str) -> Vec<&str> {
    let mut deep = false;
    text.split(|c: char| {
        match c {
            '[' => deep = true,
            ']' => deep = false,
            _ => {}
        }
        c == ':' && !deep
    })
    .collect()
}

/// Text, `=TEXT`, `NAME=TEXT`; or `@FILE`, `NAME@FILE`, which is sent.
pub(super) fn curl_urlencode(text: &str) -> Found {
    match text.find(['=', '@']).and_then(|at| text.split_at_checked(at)) {
        Some((_, rest)) => rest.strip_prefix('@').map(read).into_iter().collect(),
        None => Vec::new(),
    }
}

/// What curl prints in the end, or `@FILE` with it; it may go on into other files.
pub(super) fn curl_format(text: &str) -> Found {
    if let Some(path) = text.strip_prefix('@') {
        return if path == "-" { Vec::new() } else { vec![Finding::Read(path.to_owned())] };
    }
    let outputs = text.split("%output{").skip(1);
    let paths = outputs.map(|rest| rest.split('}').next().unwrap_or(rest).trim_start_matches('>'));
    paths.map(|path| Finding::Write(path.to_owned())).collect()
}

/// A method, an address, or an item of a request, of which those with `@` are files.
pub(super) fn httpie(word: &str) -> Found {
    if word.is_empty() || word.bytes().all(|byte| byte.is_ascii_uppercase()) {
        return Vec::new();
    }
    let dialled = |text: &str| vec![Finding::Url(text.to_owned())];
    if is_url(word) {
        return dialled(word);
    }
    // `:3000/x` is this machine.
    if word.starts_with(":/") || word.starts_with("://") {
        return dialled(&format!("http://localhost{}", word.trim_start_matches([':'])));
    }
    if let Some(rest) = word.strip_prefix(':') {
        return dialled(&format!("http://localhost:{rest}"));
    }
    let sign = word.find([':', '=', '@']);
    let slash = word.find(['/', '?']).unwrap_or(word.len());
    let Some(at) = sign.filter(|at| *at < slash) else { return dialled(word) };
    let (_, rest) = word.split_at_checked(at).unwrap_or((word, ""));
    let port = rest.strip_prefix(':').map(|rest| rest.split('/').next().unwrap_or(rest));
    if port.is_some_and(is_port) {
        return dialled(word);
    }
    let value = rest.trim_start_matches([':', '=']);
    match value.strip_prefix('@') {
        Some(file) => vec![read(file.split(";type=").next().unwrap_or(file))],
        None => Vec::new(),
    }
}

/// `PROTOCOL:ADDRESS`
pub(super) fn httpie_proxy(text: &str) -> Found {
    let rest = text.split_once(':').map_or(text, |(_, rest)| rest);
    let address = if is_url(rest) { rest } else { text };
    vec![Finding::Url(address.to_owned())]
}

/// A name, or a file that is kept up to date.
pub(super) fn httpie_session(text: &str) -> Found {
    if is_path(text) { Does::Edit.with("", text) } else { Vec::new() }
}

/// What is looked up and where; a name tells its owner that it was looked up.
pub(super) fn dig(word: &str) -> Found {
    const TYPES: [&str; 32] = [
        "a", "aaaa", "any", "axfr", "ixfr", "caa", "cname", "dname", "dnskey", "ds", "hinfo",
        "https", "loc", "mx", "naptr", "ns", "nsec", "nsec3", "ptr", "rrsig", "soa", "spf", "srv",
        "sshfp", "svcb", "tlsa", "txt", "uri", "in", "ch", "hs", "cds",
    ];
    match word {
        "." => Vec::new(),
        _ if TYPES.iter().any(|own| own.eq_ignore_ascii_case(word)) => Vec::new(),
        _ if word.starts_with('+') => word.split_once('=').map_or(Vec::new(), |(key, value)| {
            if key.contains("tls") { place(value) } else { Vec::new() }
        }),
        _ => vec![host(word.trim_start_matches('@').trim_end_matches('.'))],
    }
}

/// What a revision holds under a path is read as the file would be: `HEAD:src/a`, `:0:src/a`.
pub(super) fn git_object(text: &str) -> Found {
    let Some((_, path)) = text.split_once(':').filter(|_| !text.starts_with(":/")) else {
        return vec![Finding::Operand(text.to_owned())];
    };
    let of_stage = ["0:", "1:", "2:", "3:"].iter().find_map(|stage| path.strip_prefix(stage));
    let path = of_stage.filter(|_| text.starts_with(':')).unwrap_or(path);
    if path.is_empty() { Vec::new() } else { vec![Finding::Read(path.to_owned())] }
}

/// An endpoint of the forge, or a whole address.
pub(super) fn gh_api(text: &str) -> Found {
    if is_url(text) { vec![Finding::Url(text.to_owned())] } else { Vec::new() }
}

/// `OWNER/NAME` on the forge, `HOST/OWNER/NAME`, an address, or a directory.
pub(super) fn gh_repo(text: &str) -> Found {
    match text.split('/').count() {
        _ if text.contains(':') => git_place::git(text, git_place::Use::Read),
        _ if text.starts_with(['/', '.', '~']) => vec![read(text)],
        3 => text.split('/').next().map(host).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// A mail server, or a program that sends mail.
pub(super) fn git_smtp(text: &str) -> Found {
    vec![if text.starts_with(['/', '~']) { shell(text) } else { host(text) }]
}
