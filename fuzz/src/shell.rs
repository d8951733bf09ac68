//! Command lines: from a text to its tree, and from the tree to its effects.

use std::fmt::Write;
use std::str;
use std::sync::OnceLock;

use ringfence_core::access::{AccessScope, FileOp, Program};
use ringfence_core::host::{Host, MemoryHost};
use ringfence_core::path::AbsPath;
use ringfence_core::program::Catalogue;
use ringfence_core::{Effect, Effects};
use ringfence_manifest::catalogue::{self, BuiltIn};
use ringfence_shell::argv::{self, Reading};
use ringfence_shell::effects::{self, Setting, World};
use ringfence_shell::{Field, Options, Span, commands, compound_redirects, parse, parse_with};

/// Any text is parsed or refused, and every place that is named lies in the text.
pub fn parser(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    for options in [Options::default(), Options { extglob: true }] {
        match parse_with(text, options) {
            Ok(script) => {
                let found = commands(&script);
                let words = found.iter().flat_map(|found| &found.command.words);
                words.for_each(|word| check_span(text, word.span));
                found.iter().for_each(|found| check_span(text, found.command.span));
                compound_redirects(&script)
                    .iter()
                    .for_each(|own| check_span(text, own.redirect.span));
            }
            Err(error) => {
                check_span(text, error.span());
                assert!(!error.to_string().is_empty());
            }
        }
    }
}

/// The words of plain lines: quoted as one word, any text comes back as it was.
pub fn lexer(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    if text.contains(['\0', '\u{1}', '\u{7f}']) {
        return;
    }
    let quoted = format!("a '{}' b", text.replace('\'', "'\\''"));
    let Ok(script) = parse(&quoted) else { panic!("a quoted word is refused: {quoted:?}") };
    let found = commands(&script);
    let words: Vec<_> = found.iter().flat_map(|found| &found.command.words).collect();
    let [_, word, _] = words.as_slice() else { panic!("{} words: {quoted:?}", words.len()) };
    assert_eq!(word.as_static().as_deref(), Some(text), "{quoted:?}");
}

/// What any line does is told in bounded work; a line that is not read carries a doubt.
pub fn effects(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let told = effects_of(text);
    check(&told, text);
    if parse(text).is_err() {
        assert!(told.doubts.iter().any(|doubt| doubt.effect == Effect::Deny), "no doubt: {text:?}");
    }
    let again = effects_of(text);
    assert_eq!(told.accesses.len(), again.accesses.len(), "told in two ways: {text:?}");
    assert_eq!(told.doubts, again.doubts, "told in two ways: {text:?}");
}

/// The first byte chooses a program, the lines are its words: every entry reads any words.
pub fn argv(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let mut lines = text.split('\n');
    let chosen = lines.next().unwrap_or_default();
    let words: Vec<Field> = lines.map(|word| Field::known(word, Span::default())).collect();
    let entries: Vec<&str> = match BuiltIn::shared().entry(chosen) {
        Some(_) => vec![chosen],
        None => some_names(chosen),
    };
    for name in entries {
        let Some(entry) = BuiltIn::shared().entry(name) else { panic!("`{name}` is gone") };
        let options = argv::options(BuiltIn::shared(), entry, &words);
        assert!(options.iter().all(|own| own.at < words.len()), "`{name}`: no such option");
        let reading = argv::read(BuiltIn::shared(), entry, &words);
        check_reading(&reading, words.len(), name);
        let line: Vec<String> = std::iter::once(name.to_owned())
            .chain(words.iter().filter_map(|word| word.as_known().map(str::to_owned)))
            .collect();
        if !name.contains(' ') {
            check(&effects::argv(&Bench, &line, setting()), name);
        }
    }
}

/// Eight programs that a text chooses.
fn some_names(text: &str) -> Vec<&'static str> {
    static NAMES: OnceLock<Vec<&'static str>> = OnceLock::new();
    let names = NAMES.get_or_init(|| catalogue::names().collect());
    let number =
        text.bytes().fold(0usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    names.iter().cycle().skip(number % names.len()).take(8).copied().collect()
}

fn check_reading(reading: &Reading<'_>, words: usize, name: &str) {
    assert!(reading.uses.iter().all(|own| own.at < words), "`{name}`: a word that is not there");
    assert!(reading.operands <= words, "`{name}`: more operands than words");
}

/// There are no more effects than the text can have, and every place lies in it.
fn check(told: &Effects, text: &str) {
    assert!(told.accesses.len() <= 200_000, "{} accesses", told.accesses.len());
    assert!(told.doubts.len() <= 200_000, "{} doubts", told.doubts.len());
    for (start, end) in told.accesses.iter().filter_map(|access| access.span) {
        assert!(start <= end, "{start} is behind {end}: {text:?}");
    }
    let mut written = String::new();
    let _ = write!(written, "{told:?}");
}

fn check_span(text: &str, span: Span) {
    assert!(text.get(span.start..span.end).is_some(), "{span:?} is no part of {text:?}");
}

fn effects_of(text: &str) -> Effects {
    effects::line(&Bench, text, None, setting())
}

fn setting() -> Setting {
    Setting {
        cwd: place("/home/u/proj"),
        scope: AccessScope::default(),
        variables: Vec::new(),
        effects: Effects::default(),
    }
}

fn place(path: &str) -> AbsPath {
    AbsPath::new(path).unwrap_or_else(|_| AbsPath::root())
}

/// The usual host in memory, and the catalogue that comes with ringfence.
struct Bench;

impl World for Bench {
    fn host(&self) -> &dyn Host {
        static HOST: OnceLock<MemoryHost> = OnceLock::new();
        HOST.get_or_init(|| {
            let mut host = MemoryHost::new();
            host.add_file(&place("/home/u/proj/run.sh"), "#!/bin/sh\necho \"$@\"\n. ./run.sh\n");
            host.add_file(&place("/home/u/proj/src/main.rs"), "fn main() {}\n");
            host.add_link(&place("/home/u/proj/link"), "/etc");
            host
        })
    }

    fn catalogue(&self) -> &dyn Catalogue {
        BuiltIn::shared()
    }

    fn home(&self) -> &AbsPath {
        static HOME: OnceLock<AbsPath> = OnceLock::new();
        HOME.get_or_init(|| place("/home/u"))
    }

    fn program(&self, invoked: &str, _: &AbsPath, _: bool) -> Program {
        Program { invoked: invoked.into(), file: None, known_as: Some(invoked.into()) }
    }

    fn is_closed(&self, directory: &AbsPath) -> bool {
        directory.as_str().starts_with("/opt")
    }

    fn is_out_of_reach(&self, file: &AbsPath) -> bool {
        file.as_str().starts_with("/opt/bin")
    }

    fn objects_to_variable(&self, name: &str) -> bool {
        name.starts_with("LD_")
    }

    fn named_variable(&self, _: &str) -> Option<String> {
        None
    }

    fn grants_everywhere(&self, _: FileOp, _: &AccessScope) -> bool {
        false
    }

    fn objects_to_program(&self, name: &str) -> bool {
        name == "sudo"
    }

    fn judges_connections(&self) -> bool {
        true
    }

    fn is_scoped_by_path(&self) -> bool {
        false
    }

    fn unanalysable(&self) -> Effect {
        Effect::Deny
    }

    fn unknown_operands(&self) -> Effect {
        Effect::Ask
    }
}
