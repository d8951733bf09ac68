//! What a command prints of which not the text is known, but its signs.
//!
//! A version, a date or a hash is put into code of small languages every day. Where nothing in it can
//! be taken for code, the rest of the code says what is done.

use ringfence_core::AccessKind;
use ringfence_core::access::{Extent, FileOp};
use ringfence_core::host::FileEntry;
use ringfence_core::path::{AbsPath, Follow, resolve_literal};

use super::Walker;
use super::found::Found;
use super::git_remote::{read, repository};
use super::output::Said;
use super::prints::{Printed, is_input};
use crate::ast::{RedirectTarget, SimpleCommand};
use crate::field::{NUMBER, PLAIN, is_plain};

/// The longest text of a file that is taken for a version or the like.
const MAX_TEXT: usize = 256;
/// The longest text of a file whose words are looked at.
const MAX_LIST: usize = 1 << 16;
/// The most tags that are looked at.
const MOST_TAGS: usize = 4096;

/// A plain text, or nothing.
pub(super) fn plain() -> Printed {
    Printed::Marked(PLAIN.to_string())
}

impl Walker<'_> {
    /// What `$(< FILE)` becomes.
    #[cold]
    pub(super) fn printed_of_file(&self, only: &SimpleCommand) -> Option<Printed> {
        let [redirect] = only.redirects.as_slice() else { return None };
        let RedirectTarget::Word(word) = &redirect.target else { return None };
        let name =
            word.as_static().filter(|_| is_input(redirect) && only.assignments.is_empty())?;
        self.file_is_plain(&name).then(plain)
    }

    /// Whether a file has a plain text now, and nothing on the line may have changed it by then.
    #[cold]
    pub(super) fn file_is_plain(&self, name: &str) -> bool {
        let Some(path) = self.unchanged_file(name) else { return false };
        let read = self.world.host().read(&path, MAX_TEXT);
        let text = read.ok().and_then(|text| String::from_utf8(text).ok());
        text.is_some_and(|text| {
            text.trim_end_matches('\n').chars().all(is_plain) && !text.starts_with('-')
        })
    }

    /// Returns what is known of the words of a file: what is in it now, it may have then as well.
    #[cold]
    pub(super) fn said_by_file(&self, name: &str) -> Said {
        let Some(path) = self.unchanged_file(name) else { return Said::Unknown };
        let host = self.world.host();
        if host.entry(&path) == FileEntry::Missing {
            return Said::Absent;
        }
        let read = host.read(&path, MAX_LIST);
        let Some(text) = read.ok().and_then(|text| String::from_utf8(text).ok()) else {
            return Said::Unknown;
        };
        let is_name = |word: &str| {
            !word.starts_with(['-', '/', '~', '+'])
                && !word.contains(['\'', '"', '\\'])
                && !word.split('/').any(|part| part == "..")
        };
        match text.split_whitespace().all(is_name) {
            true => Said::Names(vec![Found { here: true, ..Found::default() }]),
            false => Said::Unknown,
        }
    }

    /// Returns the path of a file that nothing on the line may have changed.
    pub(super) fn unchanged_file(&self, name: &str) -> Option<AbsPath> {
        let [cwd] = &*self.state.cwd else { return None };
        let host = self.world.host();
        let path = resolve_literal(host, name, cwd, Follow::Final).ok()?;
        let may_change = |what: &AccessKind| match what {
            AccessKind::File(file) if file.op != FileOp::Read => match file.extent {
                Extent::One => file.path.real == path.real,
                _ => path.real.starts_with(&file.path.real),
            },
            AccessKind::Exec(exec) => self.may_make(exec),
            _ => false,
        };
        let changed = self.effects.accesses.iter().any(|access| may_change(&access.what));
        (!changed).then_some(path.real)
    }

    /// Whether git prints a hash or a version with these words, and nothing else.
    #[cold]
    pub(super) fn git_prints_plain(&self, args: &[&str]) -> bool {
        const FORMATS: [&str; 8] = ["%h", "%H", "%ct", "%at", "%cs", "%as", "%t", "%T"];
        let is_format = |word: &str| {
            let rest = word.strip_prefix("--format=");
            let rest = rest.or_else(|| word.strip_prefix("--pretty=format:"));
            rest.is_some_and(|format| FORMATS.contains(&format))
        };
        match args {
            ["rev-parse", "HEAD"] | ["rev-parse", "--short" | "--verify", "HEAD"] => true,
            ["rev-parse", short, "HEAD"] => short.starts_with("--short="),
            ["log", "-1" | "-n1", format] | ["log", format, "-1"] => is_format(format),
            ["merge-base", words @ ..] => words.iter().all(|word| !word.starts_with('-')),
            ["describe", words @ ..] => {
                words.iter().all(|word| describes(word)) && self.tags_are_plain()
            }
            _ => false,
        }
    }

    /// Whether every tag of the repositories around the line has a plain name, which they keep.
    fn tags_are_plain(&self) -> bool {
        const MAKE: [&str; 8] =
            ["tag", "update-ref", "fetch", "pull", "clone", "init", "symbolic-ref", "remote"];
        let host = self.world.host();
        let is_known = |name: &str| name.chars().all(is_plain) && !name.starts_with('-');
        let are_plain = |own: &AbsPath| {
            let packed = read(host, own, "packed-refs").unwrap_or_default();
            let mut packed = packed.lines().filter_map(|line| line.split_once(" refs/tags/"));
            let tags = own.join("refs/tags").ok();
            let tags = tags.and_then(|tags| host.list(&tags)).unwrap_or_default();
            packed.all(|(_, name)| is_known(name))
                && tags.len() <= MOST_TAGS
                && tags.iter().all(|name| is_known(name))
        };
        let around = |cwd: &AbsPath| {
            let mut directory = Some(cwd.clone());
            while let Some(here) = directory {
                let is_there =
                    here.join(".git").is_ok_and(|git| host.entry(&git) != FileEntry::Missing);
                if is_there {
                    return repository(host, &here).is_some_and(|own| are_plain(&own.common));
                }
                directory = here.parent();
            }
            // Where there is no repository git prints nothing.
            true
        };
        !self.state.cwd.is_empty()
            && self.git_is_plain()
            && !self.runs_git(&MAKE)
            && self.state.cwd.iter().all(around)
    }

    /// Whether pkg-config prints what the files of this machine's libraries say, and the line tells it
    /// of no others.
    #[cold]
    pub(super) fn flags_are_known(&self, args: &[&str]) -> bool {
        const OPTIONS: [&str; 9] = [
            "--cflags",
            "--libs",
            "--static",
            "--cflags-only-I",
            "--cflags-only-other",
            "--libs-only-l",
            "--libs-only-L",
            "--libs-only-other",
            "--silence-errors",
        ];
        let is_library = |word: &str| {
            !word.starts_with('-') && !word.ends_with(".pc") && word.chars().all(is_plain)
        };
        let is_known = |word: &&str| {
            OPTIONS.contains(word) || is_library(word) || matches!(*word, ">=" | "<=" | "=")
        };
        let tells = |name: &str| name.starts_with("PKG_CONFIG");
        args.iter().all(is_known)
            && !self.state.variables.has(tells)
            && !self.given.iter().any(|name| tells(name))
    }
}

/// Whether a word behind `git describe` leaves it at a tag's name, a count and a hash.
fn describes(word: &str) -> bool {
    const OPTIONS: [&str; 5] = ["--tags", "--always", "--dirty", "--long", "--exact-match"];
    let is_count = |word: &str| {
        let count = word.strip_prefix("--abbrev=");
        count.is_some_and(|count| count.bytes().all(|byte| byte.is_ascii_digit()))
    };
    word == "HEAD" || OPTIONS.contains(&word) || is_count(word)
}

/// What `date` prints by a format of numbers.
pub(super) fn dated(args: &[&str]) -> Option<String> {
    let format = match args {
        [format] | ["-u" | "--utc", format] | ["-d", _, format] | ["-u", "-d", _, format] => {
            format.strip_prefix('+')?
        }
        _ => return None,
    };
    let mut text = String::new();
    let mut signs = format.chars();
    while let Some(sign) = signs.next() {
        match sign {
            '%' => text.push_str(&match signs.next()? {
                'Y' | 'm' | 'd' | 'H' | 'M' | 'S' | 's' | 'j' | 'y' | 'N' | 'u' | 'V' | 'G' => {
                    NUMBER.to_string()
                }
                'F' => [NUMBER; 3].map(String::from).join("-"),
                'T' => [NUMBER; 3].map(String::from).join(":"),
                'R' => [NUMBER; 2].map(String::from).join(":"),
                _ => return None,
            }),
            sign if is_plain(sign) || sign == ':' => text.push(sign),
            _ => return None,
        }
    }
    // What begins with a sign may be an option.
    text.starts_with(|first: char| first == NUMBER || first.is_ascii_alphanumeric()).then_some(text)
}

#[cfg(test)]
#[path = "printed_tests.rs"]
mod tests;
