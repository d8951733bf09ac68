//! Commands that print names of files below the directory in which they work.

use ringfence_core::path::NameEnd;

use super::carry::directories;
use super::found::{Found, all_of};

/// Returns what is known of the names that a command prints with these words.
pub(super) fn names_printed(name: &str, words: &[&str]) -> Option<Vec<Found>> {
    let (options, operands): (Vec<&str>, Vec<&str>) = split(words);
    let has = |any: &[&str]| options.iter().any(|own| any.contains(own));
    let only = |known: &[&str]| options.iter().all(|own| known.contains(own));
    match (name, words.first().copied()) {
        ("ls", _) => {
            let letters = |own: &&str| {
                own.strip_prefix('-').is_some_and(|letters| {
                    !letters.is_empty() && letters.chars().all(|one| "1AdtrSUXvB".contains(one))
                })
            };
            match (options.iter().all(letters), operands.is_empty()) {
                (false, _) => None,
                (true, true) => Some(vec![Found { here: true, flat: true, ..Found::default() }]),
                (true, false) => below(&operands),
            }
        }
        ("find", _) => {
            const OTHERWISE: [&str; 9] = [
                "-printf",
                "-ls",
                "-exec",
                "-execdir",
                "-ok",
                "-okdir",
                "-files0-from",
                "-fprintf",
                "-L",
            ];
            if words.iter().any(|word| OTHERWISE.contains(word)) {
                return None;
            }
            let below = directories(words.iter().map(|word| Some(*word)))?;
            Some(all_of(below, NameEnd::default()))
        }
        ("git", Some("ls-files")) => {
            const OTHERWISE: [&str; 8] =
                ["-s", "--stage", "-t", "-u", "-v", "-f", "--eol", "--debug"];
            let other = options.iter().any(|own| OTHERWISE.contains(own) || own.contains('='));
            (!other).then(here)
        }
        ("git", Some("diff" | "show" | "log")) => {
            const KNOWN: [&str; 12] = [
                "--name-only",
                "--cached",
                "--staged",
                "-z",
                "--relative",
                "--format=",
                "--pretty=",
                "--pretty=format:",
                "--diff-filter=d",
                "--diff-filter=AM",
                "--diff-filter=ACM",
                "--diff-filter=ACMR",
            ];
            let bare = words.first() == Some(&"diff")
                || options
                    .iter()
                    .any(|own| own.starts_with("--format=") || own.starts_with("--pretty="));
            // Its names are those of the repository: below its top, which may lie above.
            (has(&["--name-only"]) && only(&KNOWN) && bare).then(here)
        }
        ("git", Some("branch" | "for-each-ref")) => {
            const FORMATS: [&str; 2] = ["--format=%(refname:short)", "--format=%(refname)"];
            let formats = |own: &str| FORMATS.contains(&own);
            let plain = |own: &str| {
                formats(own)
                    || own.starts_with("--sort=")
                    || matches!(own, "-a" | "-r" | "--merged")
            };
            (options.iter().any(|own| formats(own)) && options.iter().all(|own| plain(own)))
                .then(here)
        }
        ("git", Some("tag" | "remote")) => only(&["-l", "--list"]).then(here),
        ("git", Some("ls-tree")) => {
            (has(&["--name-only"]) && only(&["--name-only", "-r", "-z"])).then(here)
        }
        ("git", Some("grep")) => lists_files(&options).then(here),
        ("rg" | "ag", _) => (lists_files(&options) || has(&["--files"]))
            .then(|| below(operands.get(1..).unwrap_or_default()))
            .flatten(),
        ("grep" | "egrep" | "fgrep", _) => {
            let recursive = options
                .iter()
                .any(|own| has_letter(own, 'r') || has_letter(own, 'R') || *own == "--recursive");
            let files = operands.get(1..).unwrap_or_default();
            (lists_files(&options) && (recursive || !files.is_empty()) && !has(&["-e", "-f"]))
                .then(|| below(files))
                .flatten()
        }
        ("fd" | "fdfind", _) => {
            const KNOWN: [&str; 12] = [
                "-e",
                "-t",
                "-H",
                "-I",
                "-d",
                "-g",
                "--type",
                "--extension",
                "-0",
                "-1",
                "--hidden",
                "--glob",
            ];
            only(&KNOWN).then(here)
        }
        ("go", Some("list")) => {
            let is_place =
                |own: &&str| own.starts_with("./") || **own == *"{{.Dir}}" || **own == *"list";
            (words.contains(&"{{.Dir}}") && only(&["-f"]) && operands.iter().all(is_place))
                .then(here)
        }
        ("seq", _) => Some(vec![Found { here: true, flat: true, ..Found::default() }])
            .filter(|_| words.iter().all(|word| is_count(word) || *word == "-w")),
        _ => None,
    }
}

/// Returns what is known of the names that `fd` hands to a command.
pub(super) fn names_of_fd(words: &[&str]) -> Option<Vec<Found>> {
    const ELSEWHERE: [&str; 4] = ["--base-directory", "--search-path", "-a", "--absolute-path"];
    let leads = |word: &&str| {
        word.starts_with('/')
            || word.starts_with('~')
            || word.split('/').any(|part| part == "..")
            || ELSEWHERE.iter().any(|own| word.starts_with(own))
    };
    (!words.iter().any(leads)).then(here)
}

/// Returns whether a command prints some of the lines that it reads, as they are.
pub(super) fn keeps_names(name: &str, words: &[&str]) -> bool {
    let letters = |known: &str| {
        words.iter().filter(|word| word.starts_with('-')).all(|word| {
            word.strip_prefix('-').is_some_and(|own| {
                own.chars().all(|one| known.contains(one) || one.is_ascii_digit())
            })
        })
    };
    let operands = words.iter().filter(|word| !word.starts_with('-')).count();
    match name {
        "grep" | "egrep" | "fgrep" => letters("EFPvixwaz") && operands == 1,
        "head" | "tail" => letters("nqz") && words.iter().all(|word| is_count(word)),
        "sort" => letters("rnuVzfb") && operands == 0,
        "uniq" => letters("duiz") && operands == 0,
        "shuf" => letters("zn") && words.iter().all(|word| is_count(word)),
        "cat" => words.is_empty(),
        // Names are taken apart at other signs, and nothing is changed in them.
        "tr" => matches!(words, ["\\n", "\\0" | " "] | ["\\0", "\\n" | " "] | [" ", "\\n"]),
        _ => false,
    }
}

fn is_count(word: &str) -> bool {
    let count = word.trim_start_matches(['-', '+', 'n']);
    count.bytes().all(|byte| byte.is_ascii_digit())
}

fn split<'t>(words: &[&'t str]) -> (Vec<&'t str>, Vec<&'t str>) {
    let ended = words.iter().position(|word| *word == "--").unwrap_or(words.len());
    let (before, after) = words.split_at_checked(ended).unwrap_or((words, &[]));
    let (options, mut operands): (Vec<&str>, Vec<&str>) =
        before.iter().copied().partition(|word| word.len() > 1 && word.starts_with('-'));
    operands.extend(after.iter().copied().skip(1));
    (options, operands)
}

fn has_letter(option: &str, letter: char) -> bool {
    !option.starts_with("--") && option.contains(letter)
}

/// Whether a search prints the names of files, and nothing else.
fn lists_files(options: &[&str]) -> bool {
    const OTHERWISE: [&str; 6] = ["-c", "--count", "-h", "-H", "--replace", "--json"];
    let lists = |own: &&str| {
        has_letter(own, 'l')
            || has_letter(own, 'L')
            || matches!(*own, "--files-with-matches" | "--files-without-match" | "--name-only")
    };
    options.iter().any(lists) && !options.iter().any(|own| OTHERWISE.contains(own))
}

fn here() -> Vec<Found> {
    vec![Found { here: true, ..Found::default() }]
}

/// Names below these places, as they are written; `None` where one lies elsewhere.
fn below(places: &[&str]) -> Option<Vec<Found>> {
    if places.is_empty() {
        return Some(here());
    }
    let mut all = here();
    for place in places {
        let climbs = place.split('/').any(|part| part == "..");
        if place.starts_with('/') && !climbs {
            let (directory, _) = place.rsplit_once('/')?;
            all.push(Found { below: format!("{directory}/"), ..Found::default() });
        } else if climbs || place.starts_with('~') {
            return None;
        }
    }
    Some(all)
}
