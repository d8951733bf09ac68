use super::*;

#[track_caller]
fn finds(text: &str, lines: &[usize]) {
    let found: Vec<_> = check(&Tree::of(&[("a.rs", text)])).iter().map(|at| at.line).collect();
    assert_eq!(found, lines, "{text}");
}

#[test]
fn placeholders_and_ignored_tests_are_found() {
    finds("fn f() {\n    todo!()\n}", &[2]);
    finds("fn f() { unimplemented![\"later\"] }", &[1]);
    finds("#[test]\n#[ignore]\nfn f() {}", &[2]);
    finds("#[test]\n#[ignore = \"slow\"]\nfn f() {}", &[2]);
}

#[test]
fn words_that_mean_something_else_pass() {
    finds("// todo!()\nlet todo = \"unimplemented!()\"; // #[ignore]", &[]);
    finds("fn todo() {}\nmod ignore;", &[]);
}
