//! Shapes that many notations share: a path or an address, pieces between separators, and keys
//! with values.

use ringfence_core::net::is_url;

use super::super::Finding;
use super::super::words;

pub(super) type Found = Vec<Finding>;

pub(super) fn read(path: &str) -> Finding {
    Finding::Read(path.to_owned())
}

pub(super) fn write(path: &str) -> Finding {
    Finding::Write(path.to_owned())
}

pub(super) fn write_tree(path: &str) -> Finding {
    Finding::WriteTree(path.to_owned())
}

pub(super) fn run(program: &str) -> Finding {
    Finding::Run(vec![program.to_owned()])
}

pub(super) fn shell(line: &str) -> Finding {
    Finding::Shell(line.to_owned())
}

pub(super) fn host(name: &str) -> Finding {
    Finding::Host(name.to_owned())
}

pub(super) fn unknown(reason: &str) -> Finding {
    Finding::RunUnknown(reason.to_owned())
}

/// Whether a word can only be meant as a path: names without any of this are taken for names.
pub(super) fn is_path(text: &str) -> bool {
    text.contains('/') || text.starts_with(['.', '~'])
}

/// A URL is dialled, a path is read, and any other word is a name.
pub(super) fn place(text: &str) -> Found {
    place_as(text, read)
}

/// A URL is dialled, a path is written, and any other word is a name.
pub(super) fn place_written(text: &str) -> Found {
    place_as(text, write)
}

fn place_as(text: &str, path: fn(&str) -> Finding) -> Found {
    let text = text.trim();
    // `git+https://…`: the part before the plus says how, not where.
    let bare = text.split_once('+').map_or(text, |(_, rest)| rest);
    match text {
        _ if is_url(text) && !is_url(bare) => vec![Finding::Url(text.to_owned())],
        _ if is_url(bare) => vec![Finding::Url(bare.to_owned())],
        _ if is_path(text) => vec![path(text)],
        _ => Vec::new(),
    }
}

/// The value is a file whatever it looks like.
pub(super) fn file(text: &str) -> Found {
    if text.is_empty() { Vec::new() } else { vec![read(text)] }
}

/// Pieces between separators, each read by itself.
pub(super) fn pieces(text: &str, separators: &[char], each: fn(&str) -> Found) -> Found {
    text.split(separators).map(str::trim).filter(|piece| !piece.is_empty()).flat_map(each).collect()
}

/// Values of `KEY=VALUE` pieces and quoted strings wherever they stand: addresses are dialled and
/// paths are read. For inline objects (JSON, TOML) whose keys do not matter.
pub(super) fn strings(text: &str) -> Found {
    const BETWEEN: [char; 12] = ['"', '\'', ',', '=', '{', '}', '[', ']', '(', ')', ' ', '\n'];
    pieces(text, &BETWEEN, place)
}

/// `NAME=FILE`, where only the file matters; a name alone is nothing.
pub(super) fn after_equals(text: &str, each: fn(&str) -> Found) -> Found {
    text.split_once('=').map(|(_, value)| each(value)).unwrap_or_default()
}

/// The words of a line, each read by itself.
pub(super) fn words(line: &str, each: fn(&str) -> Found) -> Found {
    match words::split(line) {
        Some(words) => words.iter().flat_map(|word| each(word)).collect(),
        None => vec![unknown("the words of these options are not plain")],
    }
}

/// What the value of a key does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Does {
    Nothing,
    /// A command line.
    Shell,
    /// A program without arguments.
    Run,
    /// Code is run that the value does not show.
    Unknown,
    Read,
    Write,
    /// A directory with all below it is written.
    WriteTree,
    /// A file is read and written.
    Edit,
    /// An address, or a host with a port.
    Url,
    Host,
    Listen,
    /// An address is dialled, a path is read, and a name is nothing.
    Place,
    /// The same, but a path is written.
    PlaceWritten,
    /// Paths between colons or semicolons.
    Paths,
    /// Code of another language.
    Code(&'static str),
}

impl Does {
    pub(super) fn with(self, key: &str, value: &str) -> Found {
        let text = || value.to_owned();
        if value.is_empty() {
            return Vec::new();
        }
        match self {
            Does::Nothing => Vec::new(),
            Does::Shell => vec![Finding::Shell(text())],
            Does::Run => vec![run(value)],
            Does::Unknown => vec![unknown(&format!("`{key}` runs code that it does not show"))],
            Does::Read => vec![Finding::Read(text())],
            Does::Write => vec![Finding::Write(text())],
            Does::WriteTree => vec![Finding::WriteTree(text())],
            Does::Edit => vec![Finding::Read(text()), Finding::Write(text())],
            Does::Url => vec![Finding::Url(text())],
            Does::Host => vec![Finding::Host(text())],
            Does::Listen => vec![Finding::Listen(text())],
            Does::Place => place(value),
            Does::PlaceWritten => place_written(value),
            Does::Paths => pieces(value, &[':', ';'], file),
            Does::Code(language) => vec![Finding::Code(language, text())],
        }
    }
}

/// Keys with what their values do. A key is whole, or begins or ends with `*`.
pub(super) type Keys = [(&'static str, Does)];

/// What a key's value does; the first line that fits counts.
pub(super) fn does(keys: &Keys, key: &str) -> Option<Does> {
    let key = key.trim();
    let fits = |pattern: &str| match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(end), _) => key.ends_with(end),
        (_, Some(start)) => key.starts_with(start),
        _ => key == pattern,
    };
    keys.iter().find(|(pattern, _)| fits(pattern)).map(|(_, does)| *does)
}

/// `KEY=VALUE` by a table; a key that is not in it does `otherwise`.
pub(super) fn key_value(text: &str, keys: &Keys, otherwise: Does) -> Found {
    let (key, value) = text.split_once('=').unwrap_or((text, ""));
    let key = key.trim().trim_end_matches('+').trim_end();
    does(keys, key).unwrap_or(otherwise).with(key, value.trim())
}

/// A directory in a list of them; a pattern's place is where its marks begin.
pub(super) fn listed(piece: &str) -> Found {
    let certain = piece.split(['?', '*']).next().unwrap_or(piece);
    match certain.len() == piece.len() {
        true => file(piece),
        false => file(certain.rsplit_once('/').map_or("", |(directory, _)| directory)),
    }
}

/// `KEY=FILE,…`, each of which is written; a value may also be a number or a switch.
pub(super) fn written(text: &str) -> Found {
    const SWITCHES: [&str; 8] = ["true", "false", "True", "False", "yes", "no", "on", "off"];
    pieces(text, &[','], |piece| {
        let value = piece.split_once('=').map_or("", |(_, value)| value.trim());
        match value {
            _ if value.bytes().all(|byte| byte.is_ascii_digit()) => Vec::new(),
            _ if SWITCHES.contains(&value) => Vec::new(),
            // Such a setting adds options, and an option may load code.
            _ if value.starts_with('-') => Does::Unknown.with(piece, value),
            _ => Does::Write.with(piece, value),
        }
    })
}
