use std::io::Write;
use std::process::{Command, Stdio};

use super::super::inert::form_of;
use super::*;

/// Returns the settings of a file with only inert lines; `None` for any other file.
fn accepted(text: &[u8]) -> Option<Vec<(String, String)>> {
    let config = Config::read(text)?;
    if !config.foreign(|setting| form_of(setting).is_some()).is_empty() {
        return None;
    }
    let name = |own: &Setting<'_>| match own.subsection {
        Some(subsection) => format!("{}.{subsection}.{}", own.section, own.key),
        None => format!("{}.{}", own.section, own.key),
    };
    Some(config.settings().map(|own| (name(own), own.value.to_owned())).collect())
}

/// Returns the settings that git reads from a text; `None` if git refuses it.
fn read_by_git(text: &[u8]) -> Option<Vec<(String, String)>> {
    let mut git = Command::new("git");
    git.args(["config", "--list", "-z", "--includes", "-f", "-"]).current_dir("/");
    let git = git.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut git = git.spawn().unwrap();
    git.stdin.take().unwrap().write_all(text).unwrap();
    let output = git.wait_with_output().unwrap();
    let text = output.status.success().then(|| String::from_utf8(output.stdout).unwrap())?;
    let entries = text.split_terminator('\0');
    // A key without a value has no line break in git's output.
    let pair = |entry: &str| match entry.split_once('\n') {
        Some((key, value)) => (key.to_owned(), value.to_owned()),
        None => (entry.to_owned(), "(no value)".to_owned()),
    };
    Some(entries.map(pair).collect())
}

#[test]
fn the_lines_that_git_writes_are_canonical() {
    let text = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\
        [user]\n\tname = José A. (B)\n[remote \"origin\"]\n\turl = https://example.com/x.git\n\
        \tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch \"a/b-#1\"]\n\tremote = origin\n\
        \tgh-merge-base = main\n# a comment\n\n[extensions]\nobjectFormat=sha256\n";
    let read = accepted(text.as_bytes()).unwrap();
    assert_eq!(Some(read), read_by_git(text.as_bytes()));
}

#[test]
fn unusual_spellings_are_foreign() {
    for text in [
        "[core] bare = true",
        "[core]bare = true",
        " [core]\nbare = true",
        "\u{feff}[core]\nbare = true",
        "[branch.x]\nmerge = a",
        "[branch  \"x\"]\nmerge = a",
        "[branch \"x\\\"\"]\nmerge = a",
        "[user]\nname",
        "[user]\nname = \"a\"",
        "[user]\nname = a \"b\" c",
        "[user]\nname = a\\tb",
        "[user]\nname = a\\\nemail = b",
        "[user]\nname = a # b",
        "[user]\nname = a ; b",
        "[user]\nname = a\tb",
        "[user]\nname = a\r\n",
        "[user]\r\nname = a\n",
        "[user]\nname = a\rb",
        "[user]\nname = a\0b",
        "[user]\n1name = a",
        "[user]\nna me = a",
        "name = a",
        "[submodule \"s\"]\nupdate = \"\" !x",
    ] {
        assert_eq!(accepted(text.as_bytes()), None, "{text:?}");
    }
}

#[test]
fn foreign_lines_stay_where_they_were() {
    let old = "[alias]\n\tx = \"!a b\"\n\ty = c\n[include]\n\tpath = z\n";
    let takes = |new: &str| {
        let (new, old) =
            (Config::read(new.as_bytes()).unwrap(), Config::read(old.as_bytes()).unwrap());
        let is_inert = |setting: &Setting<'_>| form_of(setting).is_some();
        new.adds_nothing_to(&old, is_inert, is_inert)
    };
    assert!(takes(old));
    assert!(takes(&format!("{old}[user]\n\tname = a\n")));
    assert!(takes("[alias]\n\ty = c\n"));
    assert!(!takes("[alias]\n\ty = c\n\tx = \"!a b\"\n"));
    assert!(!takes("[alias]\n\ty = c\n\ty = c\n"));
    assert!(!takes("[core]\n\tx = \"!a b\"\n"));
    assert!(!takes("[alias \"b\"]\n\ty = c\n"));
}

/// A pseudorandom generator.
struct Draw(u64);

impl Draw {
    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        all[(self.0 >> 16) as usize % all.len()]
    }

    fn one_in(&mut self, number: u64) -> bool {
        self.of(&[""]);
        (self.0 >> 20).is_multiple_of(number)
    }
}

const HEADERS: &[&str] = &[
    "[core]",
    "[user]",
    "[remote \"origin\"]",
    "[branch \"main\"]",
    "[submodule \"s\"]",
    "[gc]",
    "[color \"diff\"]",
];
const ODD_HEADERS: &[&str] = &[
    "[CORE]",
    "[Branch \"Main\"]",
    "[branch.main]",
    "[core] ",
    "[core]#x",
    "[core] bare = true",
    "[ core]",
    "[core ]",
    "[remote \"o\\\"x\"]",
    "[remote \"o\\x\"]",
    "[remote \"o]\"]",
    "[remote \"o\" ]",
    "[remote\t\"o\"]",
    "[remote \"\"]",
    "\t[core]",
    "\u{feff}[core]",
    "[include]",
    "[includeIf \"gitdir:/\"]",
    "[submodule \"s\"]update=!x",
    "[core",
    "core]",
    "[]",
    "[remote \"a;b#c\"]",
    "[remote \"é\"]",
    "[core]\r",
    "[core.]",
    "[.core]",
    "[co_re]",
    "[remote \"o\"\"p\"]",
    "[alias]",
];
const KEYS: &[&str] = &[
    "bare", "name", "email", "url", "fetch", "merge", "remote", "update", "auto", "path",
    "filemode",
];
const ODD_KEYS: &[&str] = &[
    "Bare",
    "fsmonitor",
    "hooksPath",
    "na me",
    "1x",
    "x_y",
    "",
    "name ",
    "\tname",
    "name\u{b}",
    "name\r",
    "é",
    "update",
    "helper",
    "[core]name",
    "name;",
    "name#",
    "-x",
    "x-",
    "\u{a0}name",
    "\u{85}name",
];
const EQUALS: &[&str] = &[" = ", "=", "= ", " =", "\t=\t", "  =  "];
const ODD_EQUALS: &[&str] = &["", " ", "==", " \r= ", "\u{b}=", " = =", "\\\n = "];
const VALUES: &[&str] = &[
    "true",
    "A B",
    "a@b.c",
    "https://x/y.git",
    "+refs/heads/*:refs/x/*",
    "",
    "é",
    "0",
    "a  b",
    "a:b",
    "x=y",
    "checkout",
];
const ODD_VALUES: &[&str] = &[
    "\"a\"",
    "\"\" !x",
    "!x",
    "\"a;b\"",
    "a;b",
    "a#b",
    "a\\nb",
    "a\\tb",
    "a\\b",
    "a\\\\",
    "a\\\"",
    "a\\x",
    "a\tb",
    "\ta",
    "a\t",
    "\"a",
    "a\"",
    "a\\\n b",
    "a\\\r\n b",
    "a\rb",
    "a\r",
    "a\u{b}b",
    "\u{b}a",
    "a\u{c}",
    "\u{a0}a\u{a0}",
    "\u{85}a",
    "a\0b",
    "\"a\\\nb\"",
    "a \\",
    "\u{2028}a",
    "\u{1b}a",
];
const ENDS: &[&str] = &["\n"];
const ODD_ENDS: &[&str] = &[
    "\r\n",
    "\r",
    "",
    " \n",
    "\t\n",
    "\\\n",
    "\n\n",
    "\u{85}",
    "\u{2028}",
    "\n\u{feff}",
    "\n;\\\n",
    "\n# x\\\n",
    "\n#\r",
];

/// Draws a file in which one of `odd` lines has an unusual spelling.
fn draw(draw: &mut Draw) -> String {
    let rarely = [3, 10, 40][draw.of(&["a", "bb", "ccc"]).len() - 1];
    let mut text = String::new();
    for _ in 0..=draw.of(&["", "a", "bb", "ccc"]).len() {
        let mut take = |usual: &[&'static str], odd: &[&'static str]| {
            let from = if draw.one_in(rarely) { odd } else { usual };
            text.push_str(draw.of(from));
        };
        take(HEADERS, ODD_HEADERS);
        take(ENDS, ODD_ENDS);
        for _ in 0..2 {
            take(&["\t", ""], &[" ", "\u{b}", "\u{feff}", "\r", "\u{a0}", "\"\""]);
            take(KEYS, ODD_KEYS);
            take(EQUALS, ODD_EQUALS);
            take(VALUES, ODD_VALUES);
            take(ENDS, ODD_ENDS);
        }
    }
    text
}

/// Git reads whatever the strict parser accepts in the same way.
#[test]
fn git_parses_accepted_config_in_the_same_way() {
    let count: usize =
        std::env::var("RINGFENCE_DRAWN").ok().and_then(|own| own.parse().ok()).unwrap_or(6_000);
    let mut numbers = Draw(0x9e37_79b9_7f4a_7c15);
    let mut compared = 0;
    for _ in 0..count {
        let text = draw(&mut numbers);
        let config = Config::read(text.as_bytes());
        // The keys do not matter here: every canonical line is compared.
        let Some(config) = config.filter(|own| own.foreign(|_| true).is_empty()) else { continue };
        drop(config);
        compared += 1;
        let ours = Config::read(text.as_bytes()).unwrap();
        let name = |own: &Setting<'_>| match own.subsection {
            Some(subsection) => format!("{}.{subsection}.{}", own.section, own.key),
            None => format!("{}.{}", own.section, own.key),
        };
        let ours: Vec<_> = ours.settings().map(|own| (name(own), own.value.to_owned())).collect();
        assert_eq!(Some(ours), read_by_git(text.as_bytes()), "{text:?}");
    }
    assert!(compared > count / 20, "{compared} of {count} files were accepted");
}
