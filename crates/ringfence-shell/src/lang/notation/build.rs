//! Definitions and settings of build systems, which name programs of a build.

use super::cc;
use super::shape::{Does, Found, Keys, does, pieces, place};
use crate::lang::Finding;

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
        return cc::flags(value);
    }
    match does(CMAKE, name) {
        Some(Does::Run) => command(value),
        Some(own) => own.with(name, value),
        // Rules of cmake's own are command lines.
        None if name.ends_with("_ARCHIVE_CREATE") || name.ends_with("_COMPILE_OBJECT") => {
            Does::Unknown.with(name, value)
        }
        None => pieces(value, &[';'], place),
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
            true => {
                cc::judge(value.split(['[', ']', ',', '\'', '"', ' ']).filter(|w| !w.is_empty()))
            }
            false => cc::judge(value.split([',', ' ']).filter(|word| !word.is_empty())),
        },
        _ => pieces(value, &[',', ':', '[', ']', '\''], place),
    }
}
