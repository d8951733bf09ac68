use super::*;
use crate::ast::Command;

/// The parts of the first argument: patterns in angle brackets.
fn check(word: &str, wanted: &str) {
    let script = crate::parse(&format!("c {word}")).unwrap();
    let Command::Simple(simple) = &script.items[0].list.first.stages[0].command else { panic!() };
    let show = |part: &Part| match &part.kind {
        PartKind::Literal(text) => text.clone(),
        PartKind::Glob(text) => format!("<{text}>"),
        _ => "?".to_owned(),
    };
    let shown: String = simple.words[1].parts.iter().map(show).collect();
    assert_eq!(shown, wanted, "{word}");
}

#[test]
fn stars_marks_and_brackets() {
    check("*", "<*>");
    check("a*b?c", "a<*>b<?>c");
    check("[ab]*", "<[ab]><*>");
    check("a[!b]", "a<[!b]>");
}

#[test]
fn quotes_take_their_meaning() {
    check(r"\*", "*");
    check("'*'*", "*<*>");
    check("\"[\"a]", "[a]");
    check("[\"a\"]", "<[>a]");
    check("[$x]", "<[>?]");
}

#[test]
fn brackets_that_do_not_close_are_text() {
    check("[", "[");
    check("a]", "a]");
    check("]a[", "]a[");
    check("[a*", "[a<*>");
}
