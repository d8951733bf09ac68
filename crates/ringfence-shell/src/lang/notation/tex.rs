//! Words of TeX: the name of a document, or TeX itself where a word begins with a backslash.

use super::shape::{Found, file, pieces, place, unknown};
use crate::lang::Finding;

/// Commands that run programs, run code of another language, or say what later text means.
const RUNS: [&str; 9] = [
    "write18",
    "directlua",
    "latelua",
    "luaexec",
    "luadirect",
    "ShellEscape",
    "catcode",
    "csname",
    "scantokens",
];

/// Commands that write files.
const WRITES: [&str; 3] = ["openout", "newwrite", "filecontents"];

/// A document, or code.
pub(super) fn operand(text: &str) -> Found {
    match text.contains(['\\', '|']) {
        true => read(text),
        false => file(text.trim_start_matches('&')),
    }
}

/// Code: what runs or writes is a doubt, and every path in it is read.
pub(super) fn read(text: &str) -> Found {
    const BETWEEN: [char; 9] = ['{', '}', '[', ']', '=', ' ', '\n', '"', ','];
    let names = |names: &[&'static str]| names.iter().copied().find(|name| text.contains(name));
    let mut found = pieces(text, &BETWEEN, place);
    if let Some(name) = names(&RUNS) {
        found.push(unknown(&format!("can't tell what `\\{name}` runs")));
    }
    // `\input{|"date"}` reads what a program says.
    if text.contains('|') || text.contains("^^") {
        found.push(unknown("TeX may read what a program says"));
    }
    if let Some(name) = names(&WRITES) {
        found.push(Finding::WriteUnknown(format!("can't tell what `\\{name}` writes")));
    }
    found
}
