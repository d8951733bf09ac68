use super::*;
use crate::index::Seen;

fn check(text: &str, expected: &[&str]) {
    assert_eq!(&*names(&CommandPattern::unread(text)), expected, "{text}");
    // Whatever a plain reading tells is what a full one tells.
    let pattern = CommandPattern::parse(text).unwrap();
    let of = |own: &Token| match own {
        Token::Literal(name) => Some(name.to_string()),
        _ => None,
    };
    let read: Option<Vec<String>> =
        pattern.alternatives().iter().map(|own| own.tokens.first().and_then(of)).collect();
    if !expected.is_empty() {
        assert_eq!(read.unwrap(), expected, "{text}");
    }
}

#[test]
fn programs_are_told_by_the_text_where_it_is_plain() {
    check("git:push:*", &["git"]);
    check("git", &["git"]);
    check("make:", &["make"]);
    check("{cargo,rustc}:*", &["cargo", "rustc"]);
    check("g++:*", &["g++"]);
}

#[test]
fn what_is_not_plain_is_left_to_a_full_reading() {
    for text in [
        "*",
        "git*:push",
        "git push",
        "{git:push,npm:publish}",
        "ca{t,lc}:x",
        "/bin/sh:*",
        "{*,a}:b",
    ] {
        check(text, &[]);
    }
}

#[test]
fn a_pattern_is_met_under_each_of_its_names_and_no_other() {
    let mut index = ByName::default();
    let how = (Sort::Danger, Side::Object);
    for (entry, text) in ["{rm,shred}:-f", "*:--force", "git:push:*"].into_iter().enumerate() {
        index.insert(&CommandPattern::unread(text), how, entry as EntryId);
    }
    let found = |program: &str, words: &[&str]| {
        let mut found = Vec::new();
        index.begin(program, &mut |trie, begun| {
            let words: Vec<Seen<'_>> = words.iter().map(|word| Seen::Word(word)).collect();
            trie.each_match_on(begun, &words, &mut |entry| found.push(entry));
        });
        found.sort_unstable();
        found.dedup();
        found
    };
    assert_eq!(found("rm", &["-f"]), [0]);
    assert_eq!(found("shred", &["-f"]), [0]);
    assert_eq!(found("git", &["push", "--force"]), [1, 2]);
    assert_eq!(found("gi", &["push"]), [0; 0]);
}
