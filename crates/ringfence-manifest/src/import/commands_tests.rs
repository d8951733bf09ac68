use ringfence_core::Effect;

use super::{Ending, Inexact, Words, of_choices, of_prefix, of_text};

fn check(text: &str, effect: Effect, expected: &[&str]) {
    let words = of_text(text, effect, Ending::Exact);
    let expected = expected.iter().map(|text| (*text).to_owned()).collect();
    assert_eq!(words, Ok(Words { patterns: expected, inexact: None }), "{text}");
}

#[test]
fn a_text_without_a_star_is_exact() {
    check("npm run build", Effect::Allow, &["cmd:npm:run:build"]);
    check("npm run build", Effect::Deny, &["cmd:npm:run:build:"]);
    check("make", Effect::Allow, &["cmd:make:"]);
    check("echo a:b", Effect::Allow, &["cmd:echo:a\\:b"]);
}

#[test]
fn a_star_behind_a_blank_is_optional() {
    check("git push *", Effect::Allow, &["cmd:git:push:*"]);
    check("*", Effect::Deny, &["cmd:*"]);
}

#[test]
fn a_star_at_a_word_goes_on_over_blanks() {
    check("ls*", Effect::Allow, &["cmd:ls*:*"]);
    check("npm run test* --ci", Effect::Allow, &["cmd:npm:run:test*:*:--ci:"]);
    check("git *main", Effect::Allow, &["cmd:git:*:*main:"]);
}

#[test]
fn a_star_between_blanks_takes_a_word_at_least() {
    check("git * main", Effect::Allow, &["cmd:git:?*:*:main:"]);
    check("* --version", Effect::Allow, &["cmd:?*:*:--version:"]);
}

#[test]
fn a_star_inside_a_word_is_read_both_ways() {
    check("a*b c", Effect::Allow, &["cmd:a*b:c", "cmd:a*:*:*b:c:"]);
}

#[test]
fn too_many_stars_make_a_grant_less_and_an_objection_more() {
    let many = |effect| of_text("a*b*c*d*e", effect, Ending::Exact).unwrap();
    assert_eq!(many(Effect::Allow).inexact, Some(Inexact::Less));
    assert_eq!(many(Effect::Allow).patterns, ["cmd:a*b*c*d*e:"]);
    assert_eq!(many(Effect::Deny).inexact, Some(Inexact::More));
}

#[test]
fn what_is_more_than_one_command_is_no_rule() {
    for text in ["a | b", "a && b", "echo $(x)", "", "   ", "say 'a", "say 'a b'"] {
        assert!(of_text(text, Effect::Allow, Ending::Exact).is_err(), "{text}");
    }
}

#[test]
fn prefixes_have_no_wildcards() {
    assert_eq!(of_prefix("git push").unwrap(), "cmd:git:push:*");
    assert_eq!(of_prefix("ls *.rs").unwrap(), "cmd:ls:\\*.rs:*");
    assert_eq!(of_choices(&[vec!["git"], vec!["a", "b,c"]]).unwrap(), "cmd:git:{a,b\\,c}:*");
    assert_eq!(of_choices(&[vec!["git"], vec!["a b"]]).unwrap(), "cmd:'git' 'a b' *");
}
