use super::*;

#[track_caller]
fn finds(text: &str, lines: &[usize]) {
    let found: Vec<_> = check(&Tree::of(&[("a.rs", text)])).iter().map(|at| at.line).collect();
    assert_eq!(found, lines, "{text}");
}

#[test]
fn modules_of_tests_with_a_body_are_found() {
    finds("fn f() {}\n#[cfg(test)]\nmod tests {\n}", &[3]);
    finds("mod test\n{\n}", &[1]);
    finds("mod property_tests { }", &[1]);
}

#[test]
fn sibling_files_and_other_modules_pass() {
    finds("#[cfg(test)]\n#[path = \"a_tests.rs\"]\nmod tests;", &[]);
    finds("mod contests { }\n// mod tests {", &[]);
}
