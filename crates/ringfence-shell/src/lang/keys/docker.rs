//! Volumes and mounts of docker and its kin.

use super::super::{Finding, unreadable};

/// Whether it may be the name of a volume; everything else is a path of this machine.
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.-".contains(&b))
}

fn shared(path: &str, read_only: bool) -> Vec<Finding> {
    let mut found = vec![Finding::Read(path.to_owned())];
    if !read_only {
        found.push(Finding::Write(path.to_owned()));
    }
    found
}

/// `[HOST:]CONTAINER[:OPTIONS]`.
pub(in super::super) fn volume(code: &str) -> Vec<Finding> {
    let mut parts = code.split(':');
    let host = parts.next().unwrap_or("");
    if parts.next().is_none() || is_name(host) {
        return Vec::new();
    }
    let options = parts.next().unwrap_or("");
    shared(host, options.split(',').any(|option| option == "ro" || option == "readonly"))
}

/// `type=bind,src=PATH,dst=PATH[,readonly]`.
pub(in super::super) fn mount(code: &str) -> Vec<Finding> {
    if code.contains('"') {
        return vec![unreadable("a mount has quotes")];
    }
    let mut kind = "volume".to_owned();
    let mut sources = Vec::new();
    let mut read_only = false;
    for field in code.split(',') {
        let (key, value) = field.split_once('=').unwrap_or((field, "true"));
        match key.trim().to_ascii_lowercase().as_str() {
            "type" => kind = value.to_ascii_lowercase(),
            "src" | "source" => sources.push(value),
            // A volume made of a directory of this machine.
            "volume-opt" | "o" => sources.extend(value.strip_prefix("device=")),
            "readonly" | "ro" => {
                read_only = matches!(value.to_ascii_lowercase().as_str(), "true" | "1")
            }
            _ => {}
        }
    }
    let paths = sources
        .into_iter()
        .filter(|source| kind != "tmpfs" && (kind == "bind" || !is_name(source)));
    paths.flat_map(|source| shared(source, read_only)).collect()
}
