use super::*;

fn check(text: &str, expected: &[(&str, Fate)]) {
    let found = touched(text).unwrap();
    let found: Vec<(&str, Fate)> = found.iter().map(|own| (own.path, own.fate)).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn every_file_of_a_marked_patch_is_found() {
    check(
        "*** Begin Patch\n*** Add File: a.rs\n+fn a() {}\n*** Update File: src/b.rs\n\
         *** Move to: src/c.rs\n@@\n-old\n+new\n*** Delete File: ../d\n*** End Patch\n",
        &[
            ("a.rs", Fate::Written),
            ("src/b.rs", Fate::Changed),
            ("src/b.rs", Fate::Removed),
            ("src/c.rs", Fate::Written),
            ("../d", Fate::Removed),
        ],
    );
}

#[test]
fn a_heading_that_a_lenient_reader_would_take_is_taken() {
    check(
        "  *** Begin Patch\n   *** Update File: a\n@@\n *** Delete File: b\n*** End Patch",
        &[("a", Fate::Changed), ("b", Fate::Removed)],
    );
    // What is added is content, whatever it looks like.
    check(
        "*** Begin Patch\n*** Add File: a\n+*** Delete File: b\n*** End Patch",
        &[("a", Fate::Written)],
    );
}

#[test]
fn a_patch_that_cannot_be_read_is_an_error() {
    let nothing = "*** Begin Patch\n*** End Patch";
    assert!(touched(nothing).is_err());
    assert!(touched("*** Begin Patch\n*** Add File:  \n*** End Patch").is_err());
    assert!(touched("*** Begin Patch\n*** Exec File: a\n*** End Patch").is_err());
    assert!(touched("--- a/x\n+++ b/x\n@@ nonsense\n-a\n").is_err());
    assert!(touched("--- \"a/\\303\"\n+++ b/x\n").is_err());
    assert!(touched("no patch at all").is_err());
}

#[test]
fn names_of_unified_diffs_are_found_with_and_without_their_first_directory() {
    check(
        "--- a/x\t2020-01-01\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
        &[
            ("a/x", Fate::Changed),
            ("x", Fate::Changed),
            ("b/x", Fate::Changed),
            ("x", Fate::Changed),
        ],
    );
    check("--- /dev/null\n+++ /etc/x\n@@ -0,0 +1 @@\n+b\n", &[("/etc/x", Fate::Written)]);
    check("--- x\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n", &[("x", Fate::Removed)]);
    // A name without its other half may stand for anything.
    check("--- x\n", &[("x", Fate::Changed), ("x", Fate::Removed)]);
}

#[test]
fn what_is_removed_inside_a_hunk_is_no_name() {
    let text = "--- q.sql\n+++ q.sql\n@@ -1,2 +1,1 @@\n--- a comment\n select 1\n--- /etc/passwd\n+++ /etc/passwd\n";
    let names: Vec<&str> = touched(text).unwrap().iter().map(|own| own.path).collect();
    assert!(!names.contains(&"a comment"), "{names:?}");
    assert!(names.contains(&"/etc/passwd"), "{names:?}");
}

#[test]
fn both_ends_of_a_rename_are_found() {
    let text = "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n";
    check(text, &[("x", Fate::Removed), ("y", Fate::Written)]);
}

#[test]
fn a_diff_without_hunks_still_names_its_file() {
    let changed = [("a/x", Fate::Changed), ("x", Fate::Changed)];
    check("diff --git a/x b/x\nold mode 100644\nnew mode 100755\n", &changed);
    let removed = [("a/x", Fate::Changed), ("x", Fate::Changed), ("x", Fate::Removed)];
    check("diff --git a/x b/x\ndeleted file mode 100644\n", &removed);
    // With names that differ, and nothing that says more, it cannot be told.
    assert!(touched("diff --git a/x b/y\nold mode 100644\nnew mode 100755\n").is_err());
}

#[test]
fn looks_tell_a_patch() {
    assert!(is_patch("*** Begin Patch\n*** End Patch"));
    assert!(is_patch("text\n--- a\n+++ b\n"));
    assert!(is_patch("diff --git a/x b/x"));
    assert!(!is_patch("--- a title\ntext\n"));
    assert!(!is_patch("------- SEARCH\nx\n=======\ny\n+++++++ REPLACE"));
}

proptest::proptest! {
    #[test]
    fn no_text_stops_the_reader(text in "([-+ @*]{0,4}[a-zA-Z /:,0-9]{0,12}\n){0,12}") {
        let _ = is_patch(&text);
        let _ = touched(&text);
    }
}

#[test]
fn a_hunk_hides_no_name() {
    let behind = |hunk: &str| {
        format!("--- a/x\n+++ b/x\n{hunk}\n--- a/y\n+++ /etc/z\n@@ -1 +1 @@\n-a\n+b\n")
    };
    // Not closed: no hunk to some.
    assert!(touched(&behind("@@ -1 +1 @\0")).is_err());
    // Whoever does not count the lines of a hunk sees another file.
    let text = behind("@@ -1 +1 @@");
    let found = touched(&text).unwrap();
    assert!(found.iter().any(|own| own.path == "/etc/z"), "{found:?}");
    // A line of content that looks like a name is none by itself.
    let text = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n--- comment\n+other\n";
    assert!(touched(text).unwrap().iter().all(|own| own.path != "comment"));
}
