use crate::ast::{Command, Word};

/// The arguments of a command, `?` for one that is not known.
fn words(line: &str) -> String {
    let script = crate::parse(line).unwrap();
    let Command::Simple(simple) = &script.items[0].list.first.stages[0].command else {
        panic!("{line}");
    };
    let text = |word: &Word| word.as_static().map_or("?".to_owned(), |text| text.into_owned());
    simple.words.iter().map(text).collect::<Vec<_>>().join(" ")
}

fn check(word: &str, wanted: &str) {
    assert_eq!(words(&format!("c {word}")), format!("c {wanted}").trim_end(), "{word}");
}

#[test]
fn alternatives_and_sequences() {
    check("{a,b}", "a b");
    check("x{a,b}y", "xay xby");
    check("{a,b}{c,d}", "ac ad bc bd");
    check("{a,b{c,d}e}", "a bce bde");
    check("{{a,b},c}", "a b c");
    check("{1..3}x", "1x 2x 3x");
    check("{a,1..3}", "a 1..3");
    check("{rm,-rf,/}", "rm -rf /");
}

#[test]
fn empty_alternatives_are_dropped_unless_quoted() {
    check("{,}", "");
    check("a{,b}", "a ab");
    check("{a,,b}", "a b");
    assert_eq!(words("c \"\"{,}"), "c  ");
}

#[test]
fn braces_that_do_not_expand_stand_for_themselves() {
    for word in
        ["{}", "{a}", "{a", "a}", "{a\\,b}", "\\{a,b}", "{a,b\\}", "{1..a}", "{..}", "'{a,b}'"]
    {
        check(word, &word.replace(['\\', '\''], ""));
    }
    check("{},y}", "{},y}");
    check("x{},y}", "x} xy");
    check("{a}b,c}", "a}b c");
    check("{a,{b}", "{a,{b}");
    check("{a..b{1,2}}", "a..b1 a..b2");
}

#[test]
fn quotes_hide_commas_and_braces() {
    check("{a,\"b,c\"}", "a b,c");
    check("{a,'}'}", "a }");
    check("{'a',b}", "a b");
    check("{a,$'\\x2c'}", "a ,");
}

#[test]
fn expansions_are_parts_of_words() {
    check("{a,$x}", "a ?");
    check("$x{a,b}", "? ?");
    check("{a,$(c1)}{b,c}", "ab ac ? ?");
    check("{1..$x}", "?");
}

#[test]
fn a_name_goes_on_into_what_braces_make() {
    let script = crate::parse("c $x{1,2} ${x}{1,2} \"$x\"{1,2} $1{2,3}").unwrap();
    let shown = format!("{script:?}");
    for (name, count) in [("x1", 1), ("x2", 1), ("x", 4), ("1", 2)] {
        let text = format!("name: {name:?}");
        assert_eq!(shown.matches(&text).count(), count, "{name}");
    }
}

#[test]
fn what_may_come_to_mean_something_else_is_unclear() {
    check("{a,$}HOME", "?");
    check("{$,a}{x}", "?");
    check("{a,b${x:-{}}", "?");
    check("{1..3\",\"}", "?");
    check("{a,$[1,2]}", "?");
    check("{A..z}", "?");
}

#[test]
fn large_expansions_are_unclear() {
    check("{1..5000}", "?");
    check("{1..100}{1..100}", "?");
    let nested = format!("{}{}", "{a,".repeat(50), "b}".repeat(50));
    check(&nested, "?");
}

#[test]
fn all_words_of_a_line_share_one_budget() {
    let line = format!("c {}", "{1..4000} ".repeat(400));
    let script = crate::parse(&line).unwrap();
    let Command::Simple(simple) = &script.items[0].list.first.stages[0].command else {
        panic!();
    };
    assert!(simple.words.len() < 100_000 && simple.words.last().unwrap().as_static().is_none());
}

#[test]
fn a_range_between_the_cases_is_read_by_itself_only() {
    for word in ["{Z..a}", "{Z..a..2}", "{a..Z}"] {
        check(word, "?");
    }
    for word in ["{Z..a}'$(b)'", "{Z..a}c`d`", "{b,{Z..a}}'$(c)'", "x{Z..a..1}", "{Z..a}{'$(b)',c}"]
    {
        assert!(crate::parse(&format!("c {word}")).is_err(), "{word}");
        assert!(crate::parse(&format!("for i in {word}; do c; done")).is_err(), "{word}");
    }
    check("{x,Z..a}", "x Z..a");
}
