//! How many words of a command say what it does.

use super::Level;
use crate::programs::{self, Group, Runs};

/// The levels between the program and the exact words, and which to recommend.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Grain {
    /// Numbers of words after the program, increasing.
    pub(super) steps: Vec<usize>,
    pub(super) recommended: Level,
}

/// How many words after the program name what is done; the longest beginning that fits counts.
const SUBCOMMANDS: [(&str, usize); 75] = [
    ("apt", 1),
    ("apt-get", 1),
    ("aws", 2),
    ("az", 2),
    ("brew", 1),
    ("bun", 1),
    ("bun run", 2),
    ("bundle", 1),
    ("bundle exec", 2),
    ("cargo", 1),
    ("cargo nextest", 2),
    ("cargo xtask", 2),
    ("composer", 1),
    ("conda", 1),
    ("dnf", 1),
    ("docker", 1),
    ("docker compose", 2),
    ("docker container", 2),
    ("docker image", 2),
    ("docker network", 2),
    ("docker volume", 2),
    ("dotnet", 1),
    ("flutter", 1),
    ("gcloud", 3),
    ("gh", 2),
    ("git", 1),
    ("git bisect", 2),
    ("git remote", 2),
    ("git stash", 2),
    ("git submodule", 2),
    ("git worktree", 2),
    ("glab", 2),
    ("go", 1),
    ("go mod", 2),
    ("go tool", 2),
    ("go work", 2),
    ("gradle", 1),
    ("helm", 1),
    ("hg", 1),
    ("jj", 1),
    ("just", 1),
    ("kubectl", 1),
    ("kubectl config", 2),
    ("kubectl rollout", 2),
    ("make", 1),
    ("mix", 1),
    ("mvn", 1),
    ("npm", 1),
    ("npm exec", 2),
    ("npm run", 2),
    ("nx", 1),
    ("pdm", 1),
    ("pdm run", 2),
    ("pip", 1),
    ("pip3", 1),
    ("pnpm", 1),
    ("pnpm exec", 2),
    ("pnpm run", 2),
    ("podman", 1),
    ("poetry", 1),
    ("poetry run", 2),
    ("rails", 1),
    ("rake", 1),
    ("rustup", 1),
    ("svn", 1),
    ("systemctl", 1),
    ("terraform", 1),
    ("tofu", 1),
    ("turbo", 1),
    ("uv", 1),
    ("uv pip", 2),
    ("uv run", 2),
    ("xtask", 1),
    ("yarn", 1),
    ("yarn run", 2),
];

/// Programs whose words are all operands: any arguments are as good as the next.
const OPERANDS: [&str; 56] = [
    "ag",
    "awk",
    "base64",
    "basename",
    "bat",
    "cat",
    "cd",
    "cmp",
    "column",
    "comm",
    "cp",
    "cut",
    "date",
    "df",
    "diff",
    "dirname",
    "du",
    "echo",
    "egrep",
    "fd",
    "fgrep",
    "file",
    "find",
    "fmt",
    "grep",
    "head",
    "hexdump",
    "jq",
    "less",
    "ls",
    "md5sum",
    "mkdir",
    "nl",
    "od",
    "paste",
    "printf",
    "pwd",
    "readlink",
    "realpath",
    "rev",
    "rg",
    "sed",
    "seq",
    "sha256sum",
    "sleep",
    "sort",
    "stat",
    "strings",
    "tac",
    "tail",
    "touch",
    "tr",
    "tree",
    "uniq",
    "wc",
    "yq",
];

/// Programs whose every use is worth a look.
const CAREFUL: [&str; 15] = [
    "chgrp", "chmod", "chown", "dd", "kill", "killall", "mkfs", "mv", "pkill", "rm", "rmdir",
    "shred", "ssh", "truncate", "unlink",
];

/// How many words of an unknown program are taken for subcommands.
const UNKNOWN: usize = 2;

pub(super) fn grain(words: &[&str]) -> Grain {
    let Some((program, arguments)) = words.split_first() else {
        return Grain { steps: Vec::new(), recommended: Level::Exact };
    };
    let name = program.rsplit('/').next().unwrap_or(program);
    if let Some(group) = programs::group_of(name) {
        return of_broad(group, arguments);
    }
    let plain = arguments.iter().take_while(|word| is_plain(word)).count();
    if let Some(count) = subcommands(name, arguments) {
        let steps: Vec<usize> = (1..=count.min(plain)).collect();
        let recommended = steps.last().map_or(Level::Exact, |count| Level::Words(*count));
        return Grain { steps, recommended };
    }
    if OPERANDS.contains(&name) {
        return Grain { steps: Vec::new(), recommended: Level::Program };
    }
    let steps: Vec<usize> = (1..=plain.min(UNKNOWN)).collect();
    let recommended = match steps.first() {
        _ if CAREFUL.contains(&name) => Level::Exact,
        Some(count) => Level::Words(*count),
        None => Level::Program,
    };
    Grain { steps, recommended }
}

/// What a program that can run anything is told to run: a module, a script, a package.
fn of_broad(group: &Group, arguments: &[&str]) -> Grain {
    let named = match (group.runs, arguments) {
        (Runs::Code, ["-m", _, ..]) => Some(2),
        (Runs::Code | Runs::Shell | Runs::Packages, [first, ..]) if !is_option(first) => Some(1),
        _ => None,
    };
    // An option such as `-c` stands for whatever follows, and so does a word that is code.
    let named = named.filter(|_| !arguments.first().is_some_and(|word| group.takes_code(word)));
    Grain {
        steps: named.into_iter().collect(),
        recommended: named.map_or(Level::Exact, Level::Words),
    }
}

/// How many of the arguments name what is done, where the program has subcommands.
fn subcommands(name: &str, arguments: &[&str]) -> Option<usize> {
    let first = arguments.first().map(|word| format!("{name} {word}"));
    let of = |words: &str| SUBCOMMANDS.iter().find(|(own, _)| *own == words);
    let found = first.and_then(|words| of(&words)).or_else(|| of(name));
    found.map(|(_, count)| *count)
}

fn is_option(word: &str) -> bool {
    word.starts_with('-')
}

/// Whether a word looks like the name of a subcommand, task or target.
fn is_plain(word: &str) -> bool {
    let starts = word.starts_with(|c: char| c.is_ascii_alphabetic());
    starts && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':'))
}
