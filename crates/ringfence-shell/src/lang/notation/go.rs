//! Flags of go, which name linkers and programs that stand in for its own.

use super::cc;
use super::shape::{Does, Found, Keys, does, place_written, run, unknown, words};
use crate::lang::words::split;

/// The words of `GOFLAGS`.
pub(super) fn flags(text: &str) -> Found {
    const KEYS: &Keys = &[
        ("exec", Does::Shell),
        ("toolexec", Does::Shell),
        ("vettool", Does::Run),
        // Other files take the place of those that are seen.
        ("overlay", Does::Unknown),
        ("gccgoflags", Does::Unknown),
        ("modfile", Does::Edit),
        ("pgo", Does::Place),
        ("tags", Does::Nothing),
        ("run", Does::Nothing),
        ("C", Does::Unknown),
    ];
    words(text, |word| {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        match name.trim_start_matches('-') {
            "ldflags" | "gcflags" | "asmflags" => passed(value),
            "compiler" if value != "gc" => vec![unknown("another compiler is started")],
            name => does(KEYS, name).unwrap_or(Does::PlaceWritten).with(name, value),
        }
    })
}

/// Words that go passes on to its linker and compiler, behind an optional `PATTERN=`.
pub(super) fn passed(text: &str) -> Found {
    let text = match text.split_once('=') {
        Some((pattern, rest)) if !pattern.contains(['-', ' ']) => rest,
        _ => text,
    };
    let Some(words) = split(text) else {
        return vec![unknown("the words of these flags are not plain")];
    };
    let mut found = Vec::new();
    let mut words = words.iter().map(String::as_str);
    while let Some(word) = words.next() {
        if !word.starts_with('-') {
            // The value of a flag that is not known here, as `-o` has one.
            found.extend(place_written(word));
            continue;
        }
        let (name, glued) = word.split_once('=').unwrap_or((word, ""));
        let name = name.trim_start_matches('-');
        let takes = matches!(name, "X" | "extldflags" | "extld" | "extar" | "r" | "L" | "I");
        let value = if takes && glued.is_empty() { words.next().unwrap_or("") } else { glued };
        found.extend(match name {
            // A text that is put into the program, and a directory of the machine it will run on.
            "X" | "r" | "I" => Vec::new(),
            "extld" | "extar" => vec![run(value)],
            "extldflags" => cc::flags(value),
            _ => place_written(value),
        });
    }
    found
}
