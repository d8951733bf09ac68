//! Words of rustc, cargo and rustfmt.

use super::cc;
use super::shape::{Does, Found, Keys, does, is_path, pieces, read, unknown, write, write_tree};
use crate::lang::Finding;

/// A toolchain: a name, or a directory with programs of its own.
pub(super) fn toolchain(text: &str) -> Found {
    match text.contains('/') {
        true => vec![unknown("the toolchain is taken from another place")],
        false => Vec::new(),
    }
}

/// A name of a target, or a file that describes one.
pub(super) fn target(text: &str) -> Found {
    if is_path(text) || text.ends_with(".json") { vec![read(text)] } else { Vec::new() }
}

/// `KIND[=FILE],…`
pub(super) fn emit(text: &str) -> Found {
    pieces(text, &[','], |piece| {
        piece.split_once('=').map(|(_, file)| write(file)).into_iter().collect()
    })
}

/// `[OPTIONS:]NAME[=FILE]`
pub(super) fn externs(text: &str) -> Found {
    let Some((_, file)) = text.split_once('=') else { return Vec::new() };
    // A library of macros is loaded into the compiler.
    let loaded = [".so", ".dylib", ".dll"].iter().any(|end| file.ends_with(end));
    let code = || unknown(&format!("the compiler may load `{file}`"));
    std::iter::once(read(file)).chain(loaded.then(code)).collect()
}

/// `[KIND=]DIRECTORY`
pub(super) fn path(text: &str) -> Found {
    vec![read(text.split_once('=').map_or(text, |(_, path)| path))]
}

/// Settings of `-C` and `-Z` that do more than choose how code is made.
const SETTINGS: &Keys = &[
    ("linker-flavor", Does::Nothing),
    ("linker-features", Does::Nothing),
    ("linker", Does::Run),
    ("codegen-backend", Does::Unknown),
    ("llvm-plugins", Does::Unknown),
    ("passes", Does::Nothing),
    ("ar", Does::Run),
    ("dlltool", Does::Run),
    ("incremental", Does::WriteTree),
    ("profile-generate", Does::PlaceWritten),
    ("profile-use", Does::Read),
    ("profile-sample-use", Does::Read),
    ("self-profile", Does::PlaceWritten),
    ("dump-mir-dir", Does::WriteTree),
    ("dump-dep-graph", Does::Nothing),
    ("metrics-dir", Does::WriteTree),
    ("remark-dir", Does::WriteTree),
    ("split-dwarf-out-dir", Does::WriteTree),
    ("temps-dir", Does::WriteTree),
];

fn setting(text: &str) -> Found {
    let (key, value) = text.split_once('=').unwrap_or((text, ""));
    match key.replace('_', "-").as_str() {
        "link-arg" | "link-args" | "pre-link-arg" | "pre-link-args" | "post-link-args"
        | "llvm-args" => cc::flags(value),
        "linker" if value == "rust-lld" => Vec::new(),
        key => does(SETTINGS, key).unwrap_or(Does::PlaceWritten).with(key, value),
    }
}

/// One word of rustc's options. The words before and after it are not seen, so that a bare word
/// counts as whatever value it could be.
pub(super) fn option(word: &str) -> Found {
    const SETTING: [&str; 3] = ["--codegen=", "-C", "-Z"];
    if let Some(rest) = SETTING.iter().find_map(|start| word.strip_prefix(start)) {
        return setting(rest);
    }
    if let Some((name, value)) = word.split_once('=').filter(|_| word.starts_with("--")) {
        return match name {
            "--emit" | "--print" => emit(value),
            "--extern" => externs(value),
            "--out-dir" => vec![write_tree(value)],
            "--sysroot" => vec![unknown("a compiler's own libraries are taken from there")],
            "--target" => target(value),
            "--config" => vec![Finding::Code("cargo-config", value.to_owned())],
            "--runtool" | "--test-runtool" | "--test-builder" | "--test-builder-wrapper" => {
                vec![unknown(&format!("`{name}` starts a program"))]
            }
            "--cfg" | "--check-cfg" | "--remap-path-prefix" => Vec::new(),
            _ => super::shape::place_written(value),
        };
    }
    match word {
        // Of rustdoc, which is given flags in the same way.
        "--runtool" | "--test-runtool" | "--test-builder" | "--test-builder-wrapper" => {
            vec![unknown(&format!("what follows `{word}` is started"))]
        }
        "--config" | "--sysroot" => vec![unknown(&format!("what follows `{word}` loads code"))],
        "-o" | "--out-dir" => {
            vec![Finding::WriteUnknown(format!("the file behind `{word}` is not seen"))]
        }
        _ if word.starts_with('@') => cc::argfile(word),
        _ if word.starts_with("-L") && word.len() > 2 => path(word.trim_start_matches("-L")),
        _ if word.starts_with("-o") && word.len() > 2 => vec![write(word.trim_start_matches("-o"))],
        _ if word.starts_with('-') => Vec::new(),
        _ if word.contains('=') => bare_setting(word),
        _ => super::shape::place_written(word),
    }
}

/// `KEY=VALUE` behind a word that is not seen: a setting, a library, or a condition.
fn bare_setting(word: &str) -> Found {
    let (_, value) = word.split_once('=').unwrap_or((word, ""));
    // Conditions have their values in quotes.
    if value.starts_with('"') { Vec::new() } else { setting(word) }
}

/// Words between blanks, or between the separator of `CARGO_ENCODED_RUSTFLAGS`.
pub(super) fn flags(text: &str) -> Found {
    pieces(text, &[' ', '\t', '\n', '\u{1f}'], option)
}
