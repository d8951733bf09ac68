//! Images, ports and places of containers, and files that tools of clouds are given.

use super::shape::{Does, Found, Keys, host, key_value, pieces, place, place_written};
use super::shape::{read, unknown, write_tree};
use crate::lang::Finding;
use ringfence_core::net::is_url;

/// A command line for another machine: rules that object to a program meet it there, too.
pub(super) fn elsewhere(text: &str) -> Found {
    pieces(text, &[';', '|', '&', '\n', '(', ')', '`'], |line| {
        vec![match crate::lang::words::split(line) {
            Some(words) => Finding::Also(words),
            None => unknown("the words of the command are not plain"),
        }]
    })
}

/// `TARGET.KEY=VALUE` of a build; outputs are written.
pub(super) fn bake(text: &str) -> Found {
    let (key, value) = text.split_once('=').unwrap_or((text, ""));
    match key.ends_with("output") || key.ends_with("cache-to") {
        true => pieces(value, &[',', '='], place_written),
        false => pieces(value, &[',', '='], place),
    }
}

/// Kinds between commas, each with a group and a name perhaps; kubectl knows them in any case.
pub(super) fn kinds(text: &str) -> Found {
    let is_secret = |own: &str| {
        let kind = own.split(['/', '.']).next().unwrap_or(own);
        kind.eq_ignore_ascii_case("secret") || kind.eq_ignore_ascii_case("secrets")
    };
    text.split(',').any(is_secret).then(secrets).into_iter().collect()
}

/// A path of the cluster's own interface.
pub(super) fn raw(text: &str) -> Found {
    let parts = || text.split(['/', '?']);
    let plain = !text.contains(['%', '\\']);
    match plain && !parts().any(|part| part.eq_ignore_ascii_case("secrets")) {
        true => Vec::new(),
        false => vec![secrets()],
    }
}

fn secrets() -> Finding {
    Finding::Also(["kubectl", "get", "secrets"].map(str::to_owned).into())
}

/// How kubectl prints: `go-template-file=FILE` and its kin read one.
pub(super) fn kubectl_output(text: &str) -> Found {
    let file = text.split_once('=').filter(|(kind, _)| kind.ends_with("-file"));
    file.map(|(_, path)| read(path)).into_iter().collect()
}

/// An image, with the registry from which it comes, or a place on this machine.
pub(super) fn image(text: &str) -> Found {
    if let Some((transport, rest)) = text.split_once(':') {
        let local = rest.split(':').next().unwrap_or(rest);
        match transport {
            "docker" => return image(rest.trim_start_matches('/')),
            "dir" | "oci" | "oci-archive" | "docker-archive" => {
                return vec![read(local), write_tree(local)];
            }
            "containers-storage" | "docker-daemon" | "ostree" => return Vec::new(),
            _ => {}
        }
    }
    // The first part is a registry if it could be a host; otherwise the image is the usual one's.
    match text.split_once('/') {
        Some((first, _)) if first.contains(['.', ':']) || first == "localhost" => vec![host(first)],
        _ => Vec::new(),
    }
}

/// `[KEY=]FILE,…`; an address in its place is dialled.
pub(super) fn files(text: &str) -> Found {
    pieces(text, &[','], |piece| {
        let value = piece.split_once('=').map_or(piece, |(_, file)| file).trim();
        match is_url(value) {
            true => Does::Url.with("", value),
            false => Does::Read.with("", value.trim_matches(['"', '\''])),
        }
    })
}

/// `KEY=VALUE,…` of drivers and contexts: some keys are hosts, and a volume's device a directory.
pub(super) fn driver(text: &str) -> Found {
    const KEYS: &Keys = &[
        ("host", Does::Place),
        ("device", Does::WriteTree),
        ("ca", Does::Read),
        ("cert", Does::Read),
        ("key", Does::Read),
        ("addr", Does::Host),
        ("*-address", Does::Url),
        ("*-url", Does::Url),
        ("*-endpoint", Does::Url),
    ];
    pieces(text, &[','], |piece| {
        // `o=addr=HOST`
        let piece = piece.strip_prefix("o=").unwrap_or(piece);
        key_value(piece, KEYS, Does::Nothing)
    })
}
