use proptest::prelude::*;

use super::*;
use crate::ast::{AndOr, AssignmentValue, Command, Item, ItemEnd, SimpleCommand};
use crate::parse::parse;

/// The words of a line, if it is plain.
fn words(line: &str) -> Option<Vec<String>> {
    let mut read = Plain::default();
    plain(line, &mut read)?;
    let known = |field: &Field| field.as_known().unwrap().to_owned();
    let sets = read.sets.iter().map(|set| format!("{}={}", set.name, known(&set.value)));
    Some(sets.chain(read.fields.iter().map(known)).collect())
}

#[test]
fn plain_words_are_read_as_a_shell_reads_them() {
    let check = |line: &str, expected: &[&str]| assert_eq!(words(line).unwrap(), expected);
    check("  cargo test  --all a=b ", &["cargo", "test", "--all", "a=b"]);
    check("git log -3 HEAD~2:src/lib.rs", &["git", "log", "-3", "HEAD~2:src/lib.rs"]);
    check("git commit -m 'it; is \"so\" $x'", &["git", "commit", "-m", "it; is \"so\" $x"]);
    check(r#"grep -rn "a b*" --include="*.py" ."#, &["grep", "-rn", "a b*", "--include=*.py", "."]);
    check("echo a'b'\"c\"d ''", &["echo", "abcd", ""]);
    check("A=1 B='x y' _c= make -s", &["A=1", "B=x y", "_c=", "make", "-s"]);
    check("git stash show stash@{0} {} }", &["git", "stash", "show", "stash@{0}", "{}", "}"]);
}

#[test]
fn whatever_a_shell_would_expand_or_part_is_not_plain() {
    for line in [
        "",
        " ",
        "a;b",
        "a|b",
        "a&b",
        "a>b",
        "a<b",
        "$x",
        "`x`",
        "'x'",
        "a \"$x\"",
        "a \"`x`\"",
        "a \"\\\"\"",
        "a\\b",
        "a*",
        "a b?",
        "a [a]",
        "a {a,b}",
        "a {a..b}",
        "{a}",
        "a {','}",
        "A=1",
        "A=~ b",
        "A=x:~ b",
        "1=a b",
        "a.b=1 c",
        "A+=1 b",
        "A=",
        "a ~/x",
        "a x=~/y",
        "a\nb",
        "a\tb",
        "(a)",
        "a #x",
        "!x",
        "a\u{a0}b",
        "a é",
        "a\rb",
        "a 'x",
        "a \"x",
        "a\0b",
        "a\x7fb",
    ] {
        assert_eq!(words(line), None, "{line:?}");
    }
    for line in ["if a", "time ls", "for x", "function f", "export A=b", "eval a", "let a=1"] {
        assert_eq!(words(line), None, "{line:?}");
    }
}

#[test]
fn long_lines_are_the_parsers() {
    let line = |count| format!("echo{}", " a".repeat(count));
    assert!(words(&line(500)).is_some());
    assert!(words(&line(600)).is_none());
}

/// The command that the parser makes of a line, which has to be that and nothing else.
fn parsed(line: &str) -> SimpleCommand {
    let script = parse(line).unwrap();
    let [Item { list: AndOr { first, rest, .. }, end: ItemEnd::Wait, .. }] = &*script.items else {
        panic!("{line:?} is no one command");
    };
    let ([stage], true, false) = (&*first.stages, rest.is_empty(), first.negated) else {
        panic!("{line:?} is no one command");
    };
    let Command::Simple(simple) = &stage.command else { panic!("{line:?} is no simple command") };
    assert!(simple.redirects.is_empty(), "{line:?}");
    simple.clone()
}

/// The parser reads the same words at the same places.
fn agrees(line: &str) -> bool {
    let mut read = Plain::default();
    let Some(span) = plain(line, &mut read) else { return false };
    let Plain { sets, fields } = read;
    let simple = parsed(line);
    assert_eq!(sets.len(), simple.assignments.len(), "{line:?}");
    for (set, own) in sets.iter().zip(&simple.assignments) {
        let AssignmentValue::Scalar(value) = &own.value else { panic!("{line:?}") };
        assert!(own.subscript.is_none() && !own.append, "{line:?}");
        assert_eq!((set.name, set.span), (&*own.name, own.span), "{line:?}");
        assert_eq!(set.value, Field::known(value.as_static().unwrap(), value.span), "{line:?}");
    }
    let own = simple.words.iter().map(|word| Field::known(word.as_static().unwrap(), word.span));
    assert_eq!(fields.to_vec(), own.collect::<Vec<_>>(), "{line:?}");
    assert_eq!(span, simple.span, "{line:?}");
    true
}

#[test]
fn every_byte_anywhere_is_read_as_the_parser_reads_it() {
    let bytes = (0..=0xff_u8).map(char::from);
    for byte in bytes {
        for around in [
            "a#", "#a", "b#a", "x #", "x #a", "x a#b", "x a=#", "x '#'", "x \"#\"", "x a#=b",
            "A=# b", "A#=1 b", "#A=1 b", "A=b# c", "x {#}", "x {a#b}",
        ] {
            agrees(&around.replace('#', &byte.to_string()));
        }
    }
}

const PIECES: [&str; 42] = [
    "git", "if", "time", "do", "export", "eval", "let", "local", "alias", "coproc", "in", "[[",
    "a", "b1", "-x", "--long", "=", "~", "~u", ":", "/", ".", " ", "  ", "'", "''", "\"", "\"\"",
    "!", "#", "$", "\\", "{", "}", ",", "A=", "..", "@", "+", "%", "^", "*",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn what_is_plain_is_what_the_parser_reads(
        pieces in proptest::collection::vec(proptest::sample::select(&PIECES[..]), 1..12)
    ) {
        agrees(&pieces.concat());
    }

    #[test]
    fn what_is_printed_is_read_as_the_parser_reads_it(line in "[a-z][ -~]{0,24}") {
        agrees(&line);
    }
}

#[test]
fn most_of_what_is_drawn_from_everyday_words_is_plain() {
    let lines =
        ["git status", "npm run build -- --watch", "sed -n '1,80p' src/main.rs", "ls -la ."];
    assert!(lines.iter().all(|line| agrees(line)));
}
