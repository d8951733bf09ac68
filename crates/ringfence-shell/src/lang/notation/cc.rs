//! Flags of C compilers and of what they pass on to.

use super::shape::{Does, Found, Keys, does, file, is_path, pieces, place, read, unknown, write};
use crate::lang::words::split;

/// An input file, or `@FILE` with further options, which may name programs.
pub(super) fn argfile(word: &str) -> Found {
    match word.strip_prefix('@') {
        Some(name) => vec![read(name), unknown(&format!("the options in `{name}` are not seen"))],
        None => file(word),
    }
}

/// Files outside that a source takes in, in C and in the language of assemblers.
pub(super) fn source(text: &str) -> Found {
    const TAKES_IN: [&str; 4] = ["include", "incbin", "embed", "import"];
    let lines = text.lines().filter(|line| TAKES_IN.iter().any(|word| line.contains(word)));
    let names = lines.flat_map(|line| line.split(['"', '<', '>', '\'']));
    names.filter(|name| name.starts_with(['/', '~']) || name.starts_with("..")).map(read).collect()
}

/// Words of `CFLAGS` and kin.
pub(super) fn flags(text: &str) -> Found {
    match split(text) {
        Some(words) => judge(words.iter().map(String::as_str)),
        None => vec![unknown("the words of these flags are not plain")],
    }
}

/// What a compiler passes on to linker, assembler, preprocessor or itself, between commas.
pub(super) fn pass(text: &str) -> Found {
    judge(text.split(',').filter(|piece| !piece.is_empty()))
}

/// What stands behind `-W`: a warning's name, or `l,`, `a,` or `p,` with what is passed on.
pub(super) fn warning(text: &str) -> Found {
    match text.split_once(',') {
        Some(("l" | "a" | "p", rest)) => pass(rest),
        _ => Vec::new(),
    }
}

/// Where a compiler writes what it found out: `tree-all=FILE`, `FILE`, or a name of a dump alone.
pub(super) fn dump(text: &str) -> Found {
    let target = text.split_once('=').map_or(text, |(_, target)| target);
    match target {
        "" | "-" | "stdout" | "stderr" => Vec::new(),
        _ if target != text || is_path(target) => vec![write(target)],
        _ => Vec::new(),
    }
}

/// What is glued to `-f`.
pub(super) fn feature(text: &str) -> Found {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    match name {
        _ if name.ends_with("prefix-map") => Vec::new(),
        _ if name.starts_with("dump-") || name.starts_with("opt-info") => dump(text),
        "optimization-record-file" => Does::Write.with(name, value),
        _ => pieces(value, &[',', ':', '='], super::shape::place_written),
    }
}

/// What a flag does with its value, which is glued to it or the next word.
const FLAGS: &Keys = &[
    // Code is loaded, or another program takes the place of one of the compiler's own.
    ("-B", Does::Unknown),
    ("-wrapper", Does::Unknown),
    ("-specs", Does::Unknown),
    ("--specs", Does::Unknown),
    ("-fplugin", Does::Unknown),
    ("-fplugin-arg*", Does::Nothing),
    ("-fpass-plugin", Does::Unknown),
    ("-load", Does::Unknown),
    ("-load-pass-plugin", Does::Unknown),
    ("-plugin", Does::Unknown),
    ("--plugin", Does::Unknown),
    ("-ld-path", Does::Unknown),
    ("--ld-path", Does::Unknown),
    ("-no-canonical-prefixes", Does::Nothing),
    ("--config", Does::Unknown),
    ("--gcc-toolchain", Does::Unknown),
    ("-resource-dir", Does::Read),
    // Linker and preprocessor write here.
    ("-o", Does::Write),
    ("--output", Does::Write),
    ("-Map", Does::Write),
    ("--Map", Does::Write),
    ("--dependency-file", Does::Write),
    ("--out-implib", Does::Write),
    ("--cref-file", Does::Write),
    ("-MF", Does::Write),
    ("-MJ", Does::Write),
    ("-dumpdir", Does::PlaceWritten),
    ("-dumpbase", Does::PlaceWritten),
    ("-fprofile-generate", Does::PlaceWritten),
    ("-fprofile-dir", Does::PlaceWritten),
    ("-fprofile-instr-generate", Does::PlaceWritten),
    ("-fdump-*", Does::PlaceWritten),
    ("-fopt-info*", Does::PlaceWritten),
    ("-foptimization-record-file", Does::Write),
    ("-fcrash-diagnostics-dir", Does::WriteTree),
    ("-fmodules-cache-path", Does::WriteTree),
    ("-save-temps", Does::Nothing),
    // Directories of the machine on which the program will run.
    ("-rpath", Does::Nothing),
    ("--rpath", Does::Nothing),
    ("-R", Does::Nothing),
    ("-soname", Does::Nothing),
    ("-h", Does::Nothing),
    ("-dynamic-linker", Does::Nothing),
    ("--dynamic-linker", Does::Nothing),
    ("-install_name", Does::Nothing),
    ("-D", Does::Nothing),
    ("-ffile-prefix-map", Does::Nothing),
    ("-fdebug-prefix-map", Does::Nothing),
    ("-fmacro-prefix-map", Does::Nothing),
];

/// Flags whose value is glued to one letter.
const GLUED: [&str; 8] = ["-I", "-L", "-B", "-T", "-F", "-o", "-D", "-R"];

pub(super) fn judge<'t>(words: impl Iterator<Item = &'t str>) -> Found {
    let mut found = Vec::new();
    let mut pending: Option<(&str, Does)> = None;
    for word in words {
        if let Some((flag, own)) = pending.take()
            && !word.starts_with('-')
        {
            found.extend(own.with(flag, word));
            continue;
        }
        let passed = ["-Wl,", "-Wa,", "-Wp,"].iter().find_map(|start| word.strip_prefix(start));
        if let Some(rest) = passed {
            // One level is enough: what is passed on does not pass on again.
            found.extend(rest.split(',').flat_map(|piece| flag(piece, &mut pending)));
        } else {
            found.extend(flag(word, &mut pending));
        }
    }
    if let Some((flag, Does::Unknown)) = pending {
        found.extend(Does::Unknown.with(flag, "?"));
    }
    found
}

/// One flag; what the next word will do is left in `pending`.
fn flag<'t>(word: &'t str, pending: &mut Option<(&'t str, Does)>) -> Found {
    if !word.starts_with('-') {
        return match (pending.take(), word.strip_prefix('@')) {
            (Some((flag, own)), _) => own.with(flag, word),
            (None, Some(_)) => argfile(word),
            (None, None) => place(word),
        };
    }
    let (name, value) = word.split_once('=').unwrap_or((word, ""));
    if name == "-fuse-ld" || name == "--use-ld" {
        return linker(value);
    }
    if (name.contains("plugin") && does(FLAGS, name).is_none()) || name.contains("-load") {
        return vec![unknown(&format!("`{word}` loads code"))];
    }
    // Preprocessors write the rules of a make file to the word behind it.
    if matches!(word, "-MD" | "-MMD") {
        *pending = Some((word, Does::Write));
        return Vec::new();
    }
    match does(FLAGS, name) {
        Some(own) if !value.is_empty() => return own.with(name, value),
        Some(own) => {
            *pending = Some((name, own));
            return Vec::new();
        }
        None => {}
    }
    let glued = |start: &str| word.strip_prefix(start).filter(|rest| !rest.is_empty());
    match GLUED.iter().find_map(|start| Some((*start, glued(start)?))) {
        Some((start, rest)) => does(FLAGS, start).unwrap_or(Does::Read).with(start, rest),
        None => place(value),
    }
}

fn linker(name: &str) -> Found {
    match name {
        "bfd" | "gold" | "lld" | "mold" | "ld" => Vec::new(),
        _ => vec![unknown(&format!("`{name}` is no linker that is known"))],
    }
}
