use super::*;

/// What is left of the source, blanks aside; length and lines must be as before.
#[track_caller]
fn check(source: &str, left: &str) {
    let code = code_only(source);
    assert_eq!(code.split_whitespace().collect::<Vec<_>>().join(" "), left);
    assert_eq!(code.chars().count(), source.chars().count());
    assert_eq!(code.lines().count(), source.lines().count());
}

#[test]
fn comments_are_blanked() {
    check("a // unsafe\nb", "a b");
    check("a /* x /* y */\nz */ b", "a b");
    check("/// `todo!()`\nfn f() {}", "fn f() {}");
    check("a /* never closed", "a");
}

#[test]
fn strings_are_blanked() {
    check(r#"f("unsafe \" {", 1)"#, "f( , 1)");
    check("f(r\"\\\", 1)", "f( , 1)");
    check(r###"f(br#"a " b"#, r##"c "# d"##)"###, "f( , )");
    check("\"a\nb\" c", "c");
    check("a \"never closed", "a");
    check("a r#\"never closed\"", "a");
}

#[test]
fn characters_are_blanked_and_lifetimes_stay() {
    check("a '\"' 'x' '\\'' '→' z", "a z");
    check("fn f<'a>(x: &'a str)", "fn f<'a>(x: &'a str)");
}

#[test]
fn an_r_at_the_end_of_a_word_starts_no_raw_string() {
    check("for\"x\" y", "for y");
    check("r#type = 1", "r#type = 1");
}

#[test]
fn words_know_their_lines_and_what_follows() {
    let found: Vec<_> =
        words("mod a {\n\n  todo!()\n}").map(|word| (word.text, word.line)).collect();
    assert_eq!(found, [("mod", 1), ("a", 1), ("todo", 3)]);
    assert_eq!(words("todo!()").next().map(|word| word.after), Some("!()"));
}
