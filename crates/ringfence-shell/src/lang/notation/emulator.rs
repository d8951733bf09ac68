//! Drives, devices and networks of emulators, and what WebAssembly modules are given.

use super::shape::{Does, Found, Keys, does, pieces, read, shell, unknown, write};
use crate::lang::Finding;
use ringfence_core::net::is_url;

/// A connection of a virtual device: to a file, a socket, a host, or the terminal.
pub(super) fn chardev(text: &str) -> Found {
    const KEYS: &Keys = &[
        ("path", Does::Edit),
        ("logfile", Does::Write),
        ("input-path", Does::Read),
        ("host", Does::Host),
    ];
    let server = text.split(',').any(|piece| matches!(piece, "server" | "server=on"));
    let mut found = Vec::new();
    for piece in text.trim_start_matches("mon:").split(',') {
        found.extend(match (piece.split_once('='), piece.split_once(':')) {
            (Some(("port", port)), _) if server => vec![Finding::Listen(port.to_owned())],
            (Some((key, value)), _) => does(KEYS, key).unwrap_or(Does::Nothing).with(key, value),
            (None, Some(("unix" | "file" | "pipe", path))) => Does::Edit.with("", path),
            (None, Some(("tcp" | "telnet" | "websocket", place))) if server => {
                vec![Finding::Listen(place.to_owned())]
            }
            (None, Some(("tcp" | "telnet" | "websocket" | "udp", place))) => {
                vec![Finding::Host(place.split('@').next().unwrap_or(place).to_owned())]
            }
            _ if piece.starts_with('/') => Does::Edit.with("", piece),
            _ => Vec::new(),
        });
    }
    found
}

/// A device; some are parts of this machine.
pub(super) fn device(text: &str) -> Found {
    let host = text.starts_with("vfio") || text.starts_with("usb-host");
    if host || text.starts_with('{') {
        return vec![unknown("a device of this machine is given away")];
    }
    pieces(text, &[','], |piece| match piece.split_once('=') {
        Some(("romfile", path)) => Does::Read.with("", path),
        _ => Vec::new(),
    })
}

/// A drive or a shared directory.
pub(super) fn drive(text: &str) -> Found {
    if text.trim_start().starts_with(['{', '@']) || text.contains("json:") {
        return vec![unknown("what the drive is made of cannot be told")];
    }
    pieces(text, &[','], |piece| match piece.split_once('=') {
        Some((key, value))
            if matches!(key, "file" | "path" | "filename") || key.ends_with("filename") =>
        {
            match value {
                _ if is_url(value) => vec![Finding::Url(value.to_owned())],
                // `nbd:HOST:PORT`, `fat:rw:DIRECTORY` and kin.
                _ if value.contains(':') => vec![unknown("what the drive reaches cannot be told")],
                _ => Does::Edit.with("", value),
            }
        }
        Some((_, value)) if value.starts_with('/') => Does::Edit.with("", value),
        _ => Vec::new(),
    })
}

/// A network; its scripts are started, and ports are passed on.
pub(super) fn net(text: &str) -> Found {
    pieces(text, &[','], |piece| {
        let (key, value) = piece.split_once('=').unwrap_or((piece, ""));
        match key {
            "script" | "downscript" if value == "no" => Vec::new(),
            "script" | "downscript" | "helper" => Does::Run.with(key, value),
            "hostfwd" => {
                let outside = value.split('-').next().unwrap_or(value);
                vec![Finding::Listen(outside.to_owned())]
            }
            "guestfwd" => match value.split_once("-cmd:") {
                Some((_, line)) => vec![shell(line)],
                None => vec![unknown("what the port is passed on to cannot be told")],
            },
            "listen" | "mcast" => Does::Listen.with(key, value),
            "connect" | "udp" => Does::Host.with(key, value),
            "smb" => Does::WriteTree.with(key, value),
            "tftp" => Does::Read.with(key, value),
            "path" => Does::Edit.with(key, value),
            _ => Vec::new(),
        }
    })
}

/// `guest,FILE,…` writes a profile; other kinds have no file.
pub(super) fn profile(text: &str) -> Found {
    let mut parts = text.split(',');
    match (parts.next(), parts.next()) {
        (Some("guest"), Some(path)) => vec![write(path)],
        _ => Vec::new(),
    }
}

/// `[NAME=]FILE`
pub(super) fn preload(text: &str) -> Found {
    vec![read(text.split_once('=').map_or(text, |(_, path)| path))]
}

/// What a module may use of this machine.
pub(super) fn wasi(text: &str) -> Found {
    pieces(text, &[','], |piece| match piece.split_once('=').unwrap_or((piece, "y")) {
        (_, "n" | "no" | "false") => Vec::new(),
        ("inherit-network" | "http" | "tcp" | "udp" | "allow-ip-name-lookup", _) => {
            vec![unknown("the module may reach any host")]
        }
        ("inherit-env", _) => vec![Finding::AllEnv],
        ("tcplisten", place) => vec![Finding::Listen(place.to_owned())],
        _ => Vec::new(),
    })
}
