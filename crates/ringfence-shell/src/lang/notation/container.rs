//! Images, ports and places of containers, and files that tools of clouds are given.

use super::shape::{Does, Found, Keys, host, is_path, key_value, pieces, place, place_written};
use super::shape::{read, write_tree};
use crate::lang::Finding;
use ringfence_core::net::is_url;

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

/// `[ADDRESS:]PORT:PORT`; a port of the container alone is given one that happens to be free.
pub(super) fn publish(text: &str) -> Found {
    if text.contains('=') {
        return pieces(text, &[','], |piece| match piece.split_once('=') {
            Some(("published", port)) => vec![Finding::Listen(port.to_owned())],
            _ => Vec::new(),
        });
    }
    let ports = text.rsplit_once(':').map(|(outside, _)| outside);
    ports.map(|port| Finding::Listen(port.to_owned())).into_iter().collect()
}

/// Where a build comes from and goes to: `KEY=VALUE,…`, or a place alone.
pub(super) fn output(text: &str) -> Found {
    if !text.contains('=') {
        let image = text.contains(':') && !is_path(text);
        let nothing = text.is_empty() || text == "-";
        return if image || nothing { image_or_nothing(text) } else { vec![write_tree(text)] };
    }
    pieces(text, &[','], |piece| match piece.split_once('=').unwrap_or(("", piece)) {
        ("type" | "mode" | "compression" | "push" | "name", _) => Vec::new(),
        ("dest", value) => vec![write_tree(value)],
        ("src", value) => vec![read(value)],
        ("ref", value) => image(value),
        (_, value) => match value.strip_prefix("docker-image://") {
            Some(own) => image(own),
            None => place(value),
        },
    })
}

fn image_or_nothing(text: &str) -> Found {
    if text.contains('/') { image(text) } else { Vec::new() }
}

/// Text, or the address of a file with it, also within the short form of a list.
pub(super) fn aws(text: &str) -> Found {
    if text.starts_with("http://") || text.starts_with("https://") {
        return vec![Finding::Url(text.to_owned())];
    }
    let parts = text.match_indices("://").filter_map(|(at, _)| {
        let is_file =
            text.get(..at).is_some_and(|own| own.ends_with("file") || own.ends_with("fileb"));
        let path = text.get(at.saturating_add(3)..).filter(|_| is_file)?;
        Some(read(path.split([',', '}']).next().unwrap_or(path)))
    });
    parts.collect()
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

/// `KEY=@FILE` or `@FILE` is sent.
pub(super) fn vault(text: &str) -> Found {
    let value = text.split_once('=').map_or(text, |(_, value)| value);
    value.strip_prefix('@').map(read).into_iter().collect()
}

/// A file of settings, or `KEY=VALUE`.
pub(super) fn terraform_backend(text: &str) -> Found {
    match text.split_once('=') {
        Some((_, value)) => place_written(value),
        None => Does::Read.with("", text),
    }
}

/// `SECTION:NAME=VALUE`
pub(super) fn boto(text: &str) -> Found {
    const KEYS: &Keys = &[
        ("proxy", Does::Host),
        ("*host", Does::Host),
        ("*_dir", Does::WriteTree),
        ("*_file", Does::Read),
        ("*_path", Does::Read),
    ];
    key_value(text.split_once(':').map_or(text, |(_, setting)| setting), KEYS, Does::PlaceWritten)
}
