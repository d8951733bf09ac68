//! Words that a variable adds to the options of a program, and options of the shell itself.

use super::prompt;
use super::shape::{Found, is_path, place, read, shell, unknown, write};
use crate::lang::Finding;
use crate::lang::words::split;

/// Words that a program has in a variable, as if they stood behind its name.
pub(super) fn of(program: &'static str, text: &str) -> Found {
    vec![Finding::Options(program, text.to_owned())]
}

/// The words of `ERL_FLAGS` and kin: flags of the emulator begin with a plus, some of the others run
/// code.
pub(super) fn erl(text: &str) -> Found {
    const FLAGS: [&str; 12] = [
        "-kernel",
        "-stdlib",
        "-elixir",
        "-sname",
        "-name",
        "-setcookie",
        "-noshell",
        "-noinput",
        "-hidden",
        "-detached",
        "-heart",
        "-smp",
    ];
    super::shape::words(text, |word| match word.starts_with('-') {
        true if !FLAGS.contains(&word) => vec![unknown(&format!("erlang's `{word}` runs code"))],
        _ => place(word),
    })
}

/// Lines `NAME = VALUE` of nix; those that are not known may run programs.
pub(super) fn nix(text: &str) -> Found {
    const PLAIN: [&str; 8] = [
        "experimental-features",
        "extra-experimental-features",
        "cores",
        "max-jobs",
        "warn-dirty",
        "keep-going",
        "keep-outputs",
        "log-lines",
    ];
    const PLACES: [&str; 4] =
        ["substituters", "extra-substituters", "trusted-substituters", "flake-registry"];
    super::shape::pieces(text, &['\n'], |line| {
        let (name, value) = line.split_once('=').unwrap_or((line, ""));
        match name.trim() {
            name if PLAIN.contains(&name) => Vec::new(),
            name if PLACES.contains(&name) => super::shape::pieces(value, &[' '], place),
            name => vec![unknown(&format!("the setting `{name}` of nix may run programs"))],
        }
    })
}

/// The name of a toolchain, or a directory whose programs are started.
pub(super) fn toolchain(text: &str) -> Found {
    match is_path(text) {
        true => vec![read(text), unknown("which compiler lies there is not known")],
        false => Vec::new(),
    }
}

/// The words of `LESS` and `MORE`.
pub(super) fn less(text: &str) -> Found {
    let words = text.split([' ', '\t', '$']).filter(|word| !word.is_empty());
    let mut found = Vec::new();
    for word in words {
        match (word.strip_prefix("--"), word.strip_prefix('+')) {
            (_, Some(command)) => found.extend(prompt::less(command)),
            (Some(long), _) => found.extend(less_long(long)),
            _ => found.extend(less_letters(word.trim_start_matches('-'))),
        }
    }
    found
}

fn less_long(word: &str) -> Found {
    let (name, value) = word.split_once('=').unwrap_or((word, ""));
    // Names may be cut short, and letters be capital.
    let name = name.to_ascii_lowercase();
    let begins = |own: &str| name.len() > 2 && own.starts_with(&name);
    match () {
        () if begins("log-file") => vec![Finding::WriteUnknown("less writes a log".to_owned())],
        () if name.starts_with("lesskey") || begins("lesskey-content") || begins("cmd") => {
            vec![unknown("keys of less may be bound to commands")]
        }
        () => place(value),
    }
}

fn less_letters(letters: &str) -> Found {
    for (at, letter) in letters.char_indices() {
        let rest = letters.get(at.saturating_add(letter.len_utf8())..).unwrap_or("");
        match letter {
            'o' | 'O' if rest.is_empty() => {
                return vec![Finding::WriteUnknown("less writes a log".to_owned())];
            }
            'o' | 'O' => return vec![write(rest)],
            'k' => return vec![unknown("keys of less may be bound to commands")],
            'T' => return if rest.is_empty() { Vec::new() } else { vec![read(rest)] },
            // The rest is a pattern, a prompt, a colour or a number.
            'p' | 'P' | 't' | 'D' | 'x' | 'j' | 'y' | 'h' | 'b' | 'z' | '#' | '"' => break,
            _ => {}
        }
    }
    Vec::new()
}

/// The words of `MAKEFLAGS`: letters, options, and after them variables.
pub(super) fn make(text: &str) -> Found {
    let Some(words) = split(text) else {
        return vec![unknown("the words of these options are not plain")];
    };
    let mut found = Vec::new();
    for word in &words {
        found.extend(match word.strip_prefix("--") {
            Some("") => Vec::new(),
            Some(long) => make_long(long),
            None if word.contains('=') && !word.starts_with('-') => {
                vec![Finding::Code("make-variable", word.clone())]
            }
            None => make_letters(word.trim_start_matches('-')),
        });
    }
    found
}

fn make_long(word: &str) -> Found {
    const FLAGS: [&str; 19] = [
        "no-print-directory",
        "print-directory",
        "silent",
        "quiet",
        "keep-going",
        "jobs",
        "jobserver-auth",
        "jobserver-fds",
        "jobserver-style",
        "output-sync",
        "load-average",
        "max-load",
        "dry-run",
        "always-make",
        "trace",
        "no-builtin-rules",
        "no-builtin-variables",
        "warn-undefined-variables",
        "debug",
    ];
    let (name, value) = word.split_once('=').unwrap_or((word, ""));
    match name {
        "eval" => vec![Finding::Code("make", value.to_owned())],
        "include-dir" => vec![read(value)],
        _ if FLAGS.contains(&name) => Vec::new(),
        _ => vec![unknown(&format!("what make's `--{name}` does is not known"))],
    }
}

fn make_letters(word: &str) -> Found {
    if let Some(directory) = word.strip_prefix('I') {
        return vec![read(directory)];
    }
    let known = word.bytes().all(|b| b"bBdeiknpqrRsStvwjlO.".contains(&b) || b.is_ascii_digit());
    if known { Vec::new() } else { vec![unknown(&format!("make's `-{word}` names other rules"))] }
}

/// The words of `TAR_OPTIONS`.
pub(super) fn tar(text: &str) -> Found {
    const RUNS: [&str; 6] = [
        "to-command",
        "use-compress-program",
        "rsh-command",
        "info-script",
        "new-volume-script",
        "rmt-command",
    ];
    const FLAGS: [&str; 26] = [
        "exclude",
        "exclude-vcs",
        "exclude-vcs-ignores",
        "exclude-backups",
        "exclude-caches",
        "anchored",
        "numeric-owner",
        "owner",
        "group",
        "mode",
        "mtime",
        "sort",
        "format",
        "warning",
        "xattrs",
        "acls",
        "selinux",
        "wildcards",
        "strip-components",
        "verbose",
        "totals",
        "checkpoint",
        "one-file-system",
        "gzip",
        "sparse",
        "preserve-permissions",
    ];
    super::shape::words(text, |word| {
        let Some(long) = word.strip_prefix("--") else {
            let plain =
                word.starts_with('-') && word.bytes().skip(1).all(|b| b"vzjJSp".contains(&b));
            return if plain {
                Vec::new()
            } else {
                vec![unknown("these letters may run programs")]
            };
        };
        let (name, value) = long.split_once('=').unwrap_or((long, ""));
        // Names may be cut short.
        match RUNS.iter().any(|own| own.starts_with(name)) {
            true if !value.is_empty() => vec![shell(value)],
            _ if name == "checkpoint-action" => {
                vec![Finding::Code("tar-checkpoint", value.to_owned())]
            }
            _ if FLAGS.contains(&name) || name.starts_with("no-") => Vec::new(),
            _ => vec![unknown(&format!("what tar's `--{name}` does is not known"))],
        }
    })
}

/// Options of `set -o` that leave the meaning of words as it is.
pub(super) fn set(name: &str) -> Found {
    const SAFE: [&str; 21] = [
        "errexit",
        "nounset",
        "pipefail",
        "xtrace",
        "verbose",
        "noglob",
        "noclobber",
        "errtrace",
        "functrace",
        "hashall",
        "monitor",
        "notify",
        "onecmd",
        "noexec",
        "ignoreeof",
        "nolog",
        "interactive-comments",
        "emacs",
        "vi",
        "history",
        "err_exit",
    ];
    safe(name, &SAFE)
}

/// Options of `shopt` that leave the meaning of words as it is: none that changes which files a
/// pattern names, where `cd` leads, or which names are commands.
pub(super) fn shopt(name: &str) -> Found {
    const SAFE: [&str; 21] = [
        "nullglob",
        "failglob",
        "nocasematch",
        "checkwinsize",
        "checkhash",
        "checkjobs",
        "histappend",
        "histreedit",
        "histverify",
        "cmdhist",
        "lithist",
        "execfail",
        "gnu_errfmt",
        "huponexit",
        "inherit_errexit",
        "interactive_comments",
        "mailwarn",
        "no_empty_cmd_completion",
        "progcomp",
        "shift_verbose",
        "globskipdots",
    ];
    safe(name, &SAFE)
}

/// The same for what the shell of the line is told: which names its patterns take in is followed.
pub(super) fn shopt_here(name: &str) -> Found {
    if matches!(name, "globstar" | "dotglob") { Vec::new() } else { shopt(name) }
}

fn safe(name: &str, known: &[&str]) -> Found {
    match known.contains(&name) {
        true => Vec::new(),
        false => vec![unknown(&format!("`{name}` may change what words mean"))],
    }
}

/// Options of a program of tests, each word by itself. Others than Rust's own may know more of them,
/// so that a value counts as a place.
pub(super) fn libtest(word: &str) -> Found {
    match word.split_once('=') {
        Some(("--logfile", path)) => vec![write(path)],
        _ if word == "--logfile" => vec![unknown("what follows `--logfile` is written")],
        Some((name, value)) if name.starts_with("--") => place(value),
        _ if word.starts_with('-') => Vec::new(),
        _ => place(word),
    }
}
