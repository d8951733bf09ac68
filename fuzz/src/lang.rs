//! The little languages that stand inside options of programs.

use std::str;

use ringfence_shell::lang::{Finding, languages, read};

/// awk programs.
pub fn lang_awk(data: &[u8]) {
    each(data, &["awk"]);
}

/// sed scripts, those of ed, and jq filters.
pub fn lang_sed(data: &[u8]) {
    each(data, &["sed", "ed", "jq"]);
}

/// SQL with the commands of the shells around it.
pub fn lang_sql(data: &[u8]) {
    each(data, &["sqlite", "psql", "mysql", "duckdb"]);
}

/// Commands of editors and debuggers.
pub fn lang_vim(data: &[u8]) {
    each(data, &["vim", "gdb", "elisp"]);
}

/// Inline code of general interpreters.
pub fn lang_code(data: &[u8]) {
    each(data, &["python", "node", "perl", "ruby", "php", "lua", "tcl", "r", "julia"]);
}

/// Settings, addresses and variables: every language that has no target of its own.
pub fn lang_keys(data: &[u8]) {
    let others: Vec<&str> = languages().filter(|name| !OWN.contains(name)).collect();
    each(data, &others);
}

const OWN: [&str; 20] = [
    "awk", "sed", "ed", "jq", "sqlite", "psql", "mysql", "duckdb", "vim", "gdb", "elisp", "python",
    "node", "perl", "ruby", "php", "lua", "tcl", "r", "julia",
];

/// Reads the text in each language: the same text is read the same way twice, and code that is
/// found in it can be read in its own language.
fn each(data: &[u8], names: &[&str]) {
    let Ok(text) = str::from_utf8(data) else { return };
    for name in names {
        let found = read(name, text);
        assert!(found.is_some(), "`{name}` is not known");
        assert_eq!(found, read(name, text), "`{name}` is read in two ways");
        for finding in found.unwrap_or_default() {
            if let Finding::Code(inner, code) = finding {
                assert!(read(inner, &code).is_some(), "`{inner}` is not known");
            }
        }
    }
}
