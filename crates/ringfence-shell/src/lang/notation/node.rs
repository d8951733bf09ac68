//! Modules, options and settings of node and its package managers.

use super::shape::{Does, Found, Keys, does, place, read, strings, unknown};
use crate::lang::Finding;
use crate::lang::words::split;

/// A module that is loaded: a path, an address, or a package of the project, which is part of it.
pub(super) fn module(text: &str) -> Found {
    match text {
        _ if text.starts_with("data:") => vec![unknown("the address holds code")],
        _ if text.starts_with("file:") => vec![Finding::Url(text.to_owned())],
        _ if text.starts_with("http:") || text.starts_with("https:") => {
            vec![Finding::Url(text.to_owned()), unknown("code from the network is run")]
        }
        // `@scope/name` and `name/part` lie among the packages of the project.
        _ if text.starts_with(['/', '.', '~']) || text.contains("..") => vec![read(text)],
        _ => Vec::new(),
    }
}

const OPTIONS: &Keys = &[
    ("--require", Does::Code("node-module")),
    ("-r", Does::Code("node-module")),
    ("--import", Does::Code("node-module")),
    ("--loader", Does::Code("node-module")),
    ("--experimental-loader", Does::Code("node-module")),
    ("--eval", Does::Code("node")),
    ("-e", Does::Code("node")),
    ("--print", Does::Code("node")),
    ("-p", Does::Code("node")),
    ("--openssl-config", Does::Unknown),
    ("--experimental-config-file", Does::Unknown),
    ("--env-file", Does::Read),
    ("--env-file-if-exists", Does::Read),
    ("--icu-data-dir", Does::Read),
    ("--snapshot-blob", Does::Unknown),
    ("--build-snapshot", Does::Unknown),
    ("--conditions", Does::Nothing),
    ("-C", Does::Nothing),
    ("--title", Does::Nothing),
    ("--dns-result-order", Does::Nothing),
];

/// The words of `NODE_OPTIONS` and kin.
pub(super) fn options(text: &str) -> Found {
    let Some(words) = split(text) else {
        return vec![unknown("the words of these options are not plain")];
    };
    let mut found = Vec::new();
    let mut words = words.iter().map(String::as_str);
    while let Some(word) = words.next() {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        if name.starts_with("--inspect") && !name.starts_with("--inspect-publish") {
            let place = if value.is_empty() { "9229" } else { value };
            found.push(Finding::Listen(place.to_owned()));
            continue;
        }
        found.extend(match does(OPTIONS, name) {
            Some(own) if value.is_empty() => own.with(name, words.next().unwrap_or("")),
            Some(own) => own.with(name, value),
            // Profiles, reports and warnings are written.
            None if word.starts_with('-') => Does::PlaceWritten.with(name, value),
            None => place(word),
        });
    }
    found
}

/// A field of package.json; scripts are command lines, which run later as part of the project.
pub(super) fn npm_pkg(text: &str) -> Found {
    let (key, value) = text.split_once('=').unwrap_or((text, ""));
    if !key.starts_with("scripts") {
        return Vec::new();
    }
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let words = value.split(|c| !is_word(c)).filter(|word| !word.is_empty());
    words.map(|word| Finding::MayRun(word.to_owned())).collect()
}

/// `NAME[=OPTIONS]` of a plugin; what is in braces is code.
pub(super) fn plugin(text: &str) -> Found {
    match text.contains(['(', '`']) || text.contains("=>") {
        true => vec![unknown("the plugin is code that stands in the line")],
        false => module(text.split_once('=').map_or(text, |(name, _)| name)),
    }
}

/// `npm create NAME` fetches the package `create-NAME` and runs it.
pub(super) fn npm_create(text: &str) -> Found {
    if text.contains(':') || text.starts_with(['.', '/']) {
        return place(text);
    }
    let (scope, name) = match text.strip_prefix('@').map(|own| own.split_once('/')) {
        Some(Some((scope, name))) => (Some(scope), name),
        Some(None) => (Some(text), ""),
        None => (None, text),
    };
    let name = name.split('@').next().unwrap_or(name);
    // `USER/REPOSITORY` is a place elsewhere.
    let name = name.rsplit('/').next().unwrap_or(name);
    let program = match (scope, name) {
        (Some(_), "") => "create".to_owned(),
        (_, name) => format!("create-{name}"),
    };
    vec![Finding::Run(vec![program])]
}

/// A file, or an object in the line.
pub(super) fn config(text: &str) -> Found {
    if text.trim_start().starts_with('{') { strings(text) } else { vec![read(text)] }
}

/// `KEY=VALUE,…`, or an object: folders of results are written, other files are loaded.
pub(super) fn cypress(text: &str) -> Found {
    if text.trim_start().starts_with('{') {
        return strings(text);
    }
    super::shape::pieces(text, &[','], |piece| match piece.split_once('=') {
        Some((key, value)) if key.ends_with("Folder") => Does::WriteTree.with(key, value),
        Some((_, value)) => place(value),
        None => place(piece),
    })
}
