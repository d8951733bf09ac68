use super::*;

#[track_caller]
fn check(text: &str, strip: usize, expected: Option<&[&str]>) {
    let names = names_in(text, strip);
    let names: Option<Vec<&str>> = names.as_ref().map(|own| own.iter().map(|x| &**x).collect());
    assert_eq!(names.as_deref(), expected, "{text}");
}

#[test]
fn every_name_of_a_header_counts() {
    let text = "--- a/src/A.java\t2026-01-01\n+++ b/src/B.java\n@@ -1 +1 @@\n-x\n+y\n";
    check(text, 1, Some(&["src/A.java", "src/B.java"]));
    check(text, 0, Some(&["a/src/A.java", "b/src/B.java"]));
    check(text, 2, Some(&["A.java", "B.java"]));
    check("diff --git a/x b/y\n--- /dev/null\n+++ b/y\n", 1, Some(&["x", "y"]));
    check("Index: src/z\n--- src/z\n+++ src/z\n", 0, Some(&["src/z"]));
}

#[test]
fn headers_are_found_where_patch_finds_them() {
    for before in ["  ", "\t", "X", "- ", "    X"] {
        let text = format!("{before}--- a/x\n{before}+++ b/.git/hooks/pre-commit\n");
        check(&text, 1, Some(&[".git/hooks/pre-commit", "x"]));
    }
    check("--- a/x\r\n+++ b/.git/config\r\n", 1, Some(&[".git/config", "x"]));
    check("*** a/x\n--- b/.git/config\n", 1, Some(&[".git/config", "x"]));
    check("--- a//x\n+++ b//y\n", 1, Some(&["x", "y"]));
}

#[test]
fn what_may_be_read_otherwise_is_not_read() {
    for text in [
        "",
        "no patch",
        "--- \"a/x\\040y\"\n+++ b/x\n",
        "diff --git a/x b/x\nrename from x\nrename to .git/config\n",
        "diff --git a/x b/x\nnew file mode 120000\n--- /dev/null\n+++ b/x\n",
        "diff --git a/x y b/x y\n",
        "1c1\n< a\n---\n> b\n",
        "--- a/x\n+++ b/x\n3,4d\n",
        "  2a\nevil\n.\n",
    ] {
        check(text, 1, None);
    }
}
