//! Flags of C compilers and of what they pass on to, and definitions of build systems.

use super::shape::{Does, Found, Keys, does, file, is_path, place, read, run, unknown, write};
use crate::lang::Finding;
use crate::lang::words::split;

/// An input file, or `@FILE` with further options, which may name programs.
pub(super) fn argfile(word: &str) -> Found {
    match word.strip_prefix('@') {
        Some(name) => vec![read(name), unknown(&format!("the options in `{name}` are not seen"))],
        None => file(word),
    }
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

/// Where a compiler writes what it found out: `tree-all=FILE`, `FILE`, or a name of a dump alone.
pub(super) fn dump(text: &str) -> Found {
    let target = text.split_once('=').map_or(text, |(_, target)| target);
    match target {
        "" | "-" | "stdout" | "stderr" => Vec::new(),
        _ if target != text || is_path(target) => vec![write(target)],
        _ => Vec::new(),
    }
}

/// The letters of what is to be listed, and `=FILE`.
pub(super) fn listing(text: &str) -> Found {
    let target = text.split_once('=').map_or(text, |(_, target)| target);
    let letters = target == text && target.bytes().all(|byte| b"acdghilmns".contains(&byte));
    if letters || target.is_empty() { Vec::new() } else { vec![write(target)] }
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

fn judge<'t>(words: impl Iterator<Item = &'t str>) -> Found {
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

/// Variables of cmake whose values are programs, code or places.
const CMAKE: &Keys = &[
    ("CMAKE_TOOLCHAIN_FILE", Does::Read),
    ("CMAKE_INSTALL_PREFIX", Does::WriteTree),
    ("CMAKE_STAGING_PREFIX", Does::WriteTree),
    ("*_OUTPUT_DIRECTORY", Does::WriteTree),
    ("*_OUTPUT_PATH", Does::WriteTree),
    ("*_COMPILER_TARGET", Does::Nothing),
    ("*_COMPILER_ID", Does::Nothing),
    ("*_COMPILER", Does::Run),
    ("*_COMPILER_AR", Does::Run),
    ("*_LAUNCHER", Does::Run),
    ("*_LAUNCH_COMPILE", Does::Run),
    ("*_LAUNCH_LINK", Does::Run),
    ("*_LAUNCH_CUSTOM", Does::Run),
    ("*_LINKER_TYPE", Does::Nothing),
    ("*_LINKER", Does::Run),
    ("*_EXECUTABLE", Does::Run),
    ("*_PROGRAM", Does::Run),
    ("*_COMMAND", Does::Run),
    ("*_EMULATOR", Does::Run),
    ("*_CLANG_TIDY", Does::Run),
    ("*_CPPCHECK", Does::Run),
    ("*_CPPLINT", Does::Run),
    ("*_ICSTAT", Does::Run),
    ("*_INCLUDE_WHAT_YOU_USE", Does::Run),
    ("*_LINK_WHAT_YOU_USE_CHECK", Does::Run),
    ("CMAKE_AR", Does::Run),
    ("CMAKE_NM", Does::Run),
    ("CMAKE_RANLIB", Does::Run),
    ("CMAKE_STRIP", Does::Run),
    ("CMAKE_OBJCOPY", Does::Run),
    ("CMAKE_OBJDUMP", Does::Run),
];

/// Programs that a build starts anyway.
const TOOLCHAIN: [&str; 20] = [
    "cc", "c++", "gcc", "g++", "clang", "clang++", "gfortran", "ld", "lld", "ar", "nm", "ranlib",
    "strip", "objcopy", "objdump", "ninja", "make", "ccache", "sccache", "nvcc",
];

/// `NAME[:TYPE]=VALUE`; a value with semicolons is a list, and of a command its words.
pub(super) fn cmake(text: &str) -> Found {
    let (key, value) = text.split_once('=').unwrap_or((text, ""));
    let name = key.split(':').next().unwrap_or(key);
    if name.ends_with("_FLAGS") || name.contains("_FLAGS_") {
        return flags(value);
    }
    match does(CMAKE, name) {
        Some(Does::Run) => command(value),
        Some(own) => own.with(name, value),
        // Rules of cmake's own are command lines.
        None if name.ends_with("_ARCHIVE_CREATE") || name.ends_with("_COMPILE_OBJECT") => {
            Does::Unknown.with(name, value)
        }
        None => super::shape::pieces(value, &[';'], place),
    }
}

fn command(value: &str) -> Found {
    let words: Vec<String> = value.split(';').map(str::to_owned).collect();
    let first = words.first().map_or("", String::as_str);
    let bare = first.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    match words.len() {
        _ if first.is_empty() || matches!(first, "ON" | "OFF" | "TRUE" | "FALSE") => Vec::new(),
        1 if TOOLCHAIN.contains(&bare) => Vec::new(),
        _ => vec![Finding::Run(words)],
    }
}

/// Options of meson: `[SUBPROJECT:]NAME=VALUE`.
pub(super) fn meson(text: &str) -> Found {
    let (key, value) = text.split_once('=').unwrap_or((text, ""));
    let name = key.rsplit([':', '.']).next().unwrap_or(key);
    match name {
        "prefix" => Does::WriteTree.with(name, value),
        _ if name.ends_with("_args") => match value.trim_start().starts_with('[') {
            true => judge(value.split(['[', ']', ',', '\'', '"', ' ']).filter(|w| !w.is_empty())),
            false => judge(value.split([',', ' ']).filter(|word| !word.is_empty())),
        },
        _ => super::shape::pieces(value, &[',', ':', '[', ']', '\''], place),
    }
}

/// Settings of ccache. Files of its own are written, commands are run around the compiler.
const CCACHE: &Keys = &[
    ("prefix_command", Does::Shell),
    ("prefix_command_cpp", Does::Shell),
    ("compiler", Does::Run),
    ("path", Does::Unknown),
    ("cache_dir", Does::WriteTree),
    ("temporary_dir", Does::WriteTree),
    ("log_file", Does::Write),
    ("stats_log", Does::Write),
    ("debug_dir", Does::WriteTree),
    ("extra_files_to_hash", Does::Paths),
    ("base_dir", Does::Nothing),
    ("ignore_headers_in_manifest", Does::Nothing),
];

pub(super) fn ccache(text: &str) -> Found {
    let (key, value) = text.split_once('=').unwrap_or((text, ""));
    let (key, value) = (key.trim(), value.trim());
    match key {
        // Anything but these words is a command that tells compilers apart.
        "compiler_check" => match value {
            "" | "none" | "mtime" | "content" => Vec::new(),
            _ if value.starts_with("string:") => Vec::new(),
            _ => vec![super::shape::shell(value)],
        },
        "remote_storage" | "secondary_storage" => {
            super::shape::pieces(value, &[' ', '|'], super::shape::place_written)
        }
        _ => does(CCACHE, key).unwrap_or(Does::PlaceWritten).with(key, value),
    }
}

/// `[protoc-gen-NAME=]PROGRAM`
pub(super) fn protoc_plugin(text: &str) -> Found {
    vec![run(text.split_once('=').map_or(text, |(_, program)| program))]
}

/// `[PARAMETERS:]DIRECTORY`
pub(super) fn protoc_out(text: &str) -> Found {
    vec![super::shape::write_tree(text.split_once(':').map_or(text, |(_, place)| place))]
}
