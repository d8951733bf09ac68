//! Inputs and filters of ffmpeg, and what ImageMagick draws and writes.

use super::shape::{Found, pieces, place, read, shell, unknown, write};
use crate::lang::Finding;
use ringfence_core::net::is_url;

/// A chain of filters: some read files, some load plugins.
pub(super) fn filter(text: &str) -> Found {
    // A backslash hides signs from the chain, not from the filter.
    let text = text.replace('\\', "");
    let mut names = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    if names.any(|name| matches!(name, "frei0r" | "frei0r_src" | "ladspa" | "lv2" | "zmq" | "azmq"))
    {
        return vec![unknown("a filter loads a plugin or listens")];
    }
    if text.contains("//") {
        return vec![unknown("a filter may reach an address")];
    }
    let mut found = pieces(&text, &['=', ':', ',', ';', '\'', '[', ']', '|'], place);
    // `movie=NAME` reads whatever it names.
    for part in text.split([',', ';', ']']) {
        if let Some((name, rest)) = part.split_once('=')
            && matches!(name.trim(), "movie" | "amovie" | "subtitles" | "ass" | "lut3d")
        {
            let file = rest.trim_start_matches("filename=").trim_matches('\'');
            found.push(read(file.split([':', '[']).next().unwrap_or(file)));
        }
    }
    found
}

/// A file, an address, a list of files, or a source that is made up.
pub(super) fn input(text: &str) -> Found {
    match text.split_once(':') {
        _ if is_url(text) => vec![Finding::Url(text.to_owned())],
        _ if text.is_empty() || text == "-" => Vec::new(),
        Some(("pipe" | "fd" | "data", _)) => Vec::new(),
        Some(("file", path)) => vec![read(path)],
        Some(("concat", list)) => pieces(list, &['|'], |path| vec![read(path)]),
        Some((scheme, _)) if !scheme.contains('/') && scheme.contains(',') => {
            vec![unknown("can't tell which input this is")]
        }
        Some(("crypto" | "async" | "cache" | "concatf" | "hls" | "tls" | "shared" | "ipfs", _)) => {
            vec![unknown("can't tell which input this is")]
        }
        _ if text.contains('=') && !text.contains('/') => filter(text),
        // A source that reads a file, or a file that is called so.
        _ if text.split('/').next().is_some_and(|first| first.contains('=')) => {
            std::iter::once(read(text)).chain(filter(text)).collect()
        }
        _ => vec![read(text)],
    }
}

/// `KEY=VALUE` between colons: `file` is written.
pub(super) fn report(text: &str) -> Found {
    let file = text.split(':').find_map(|own| own.trim().strip_prefix("file="));
    match text.contains(['\\', '\'']) {
        true => vec![Finding::WriteUnknown("where the report is written".to_owned())],
        false => file.map(write).into_iter().collect(),
    }
}

/// `[FORMAT:]FILE`, or a command that is given the image.
pub(super) fn output(text: &str) -> Found {
    if let Some(line) = text.strip_prefix('|') {
        return vec![shell(line)];
    }
    if is_url(text) {
        return vec![Finding::Url(text.to_owned())];
    }
    let coded = text.split_once(':').filter(|(coder, _)| {
        coder.len() > 1 && coder.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    });
    let (coder, path) = coded.unwrap_or(("", text));
    match coder.to_ascii_lowercase().as_str() {
        "info" | "null" | "histogram" | "fd" => Vec::new(),
        "show" | "win" | "x" | "print" | "scan" | "msl" | "mvg" | "ephemeral" | "mpri" | "http"
        | "https" | "ftp" | "launch" | "browse" | "edit" => {
            vec![unknown(&format!("the format `{coder}` runs or deletes"))]
        }
        _ if path.is_empty() || path == "-" => Vec::new(),
        _ => vec![write(path)],
    }
}

/// Where the result goes; `tee` has several places, each with its options in brackets.
pub(super) fn places(text: &str) -> Found {
    let without_options = |place: &str| match place.strip_prefix('[') {
        Some(rest) => rest.split_once(']').map_or("", |(_, name)| name).to_owned(),
        None => place.to_owned(),
    };
    let place = |name: String| match is_url(&name) {
        true => Finding::Url(name),
        false => Finding::WriteTree(name),
    };
    let places =
        text.split('|').map(without_options).filter(|name| !name.is_empty() && name != "-");
    places.map(place).collect()
}
