use super::*;

fn check(text: &str, expected: &[(&str, PatchEffect)]) {
    let found = patched_files(text).unwrap();
    let found: Vec<(&str, PatchEffect)> = found.iter().map(|own| (own.path, own.effect)).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn every_file_of_a_marked_patch_is_found() {
    check(
        "*** Begin Patch\n*** Add File: a.rs\n+fn a() {}\n*** Update File: src/b.rs\n\
         *** Move to: src/c.rs\n@@\n-old\n+new\n*** Delete File: ../d\n*** End Patch\n",
        &[
            ("a.rs", PatchEffect::Written),
            ("src/b.rs", PatchEffect::Changed),
            ("src/b.rs", PatchEffect::Removed),
            ("src/c.rs", PatchEffect::Written),
            ("../d", PatchEffect::Removed),
        ],
    );
}

#[test]
fn headings_that_a_lenient_tool_accepts_are_accepted() {
    check(
        "  *** Begin Patch\n   *** Update File: a\n@@\n *** Delete File: b\n*** End Patch",
        &[("a", PatchEffect::Changed), ("b", PatchEffect::Removed)],
    );
    // Added lines are content, whatever they look like.
    check(
        "*** Begin Patch\n*** Add File: a\n+*** Delete File: b\n*** End Patch",
        &[("a", PatchEffect::Written)],
    );
}

#[test]
fn a_patch_that_cannot_be_read_is_an_error() {
    let nothing = "*** Begin Patch\n*** End Patch";
    assert!(patched_files(nothing).is_err());
    assert!(patched_files("*** Begin Patch\n*** Add File:  \n*** End Patch").is_err());
    assert!(patched_files("*** Begin Patch\n*** Exec File: a\n*** End Patch").is_err());
    assert!(patched_files("--- a/x\n+++ b/x\n@@ nonsense\n-a\n").is_err());
    assert!(patched_files("--- \"a/\\303\"\n+++ b/x\n").is_err());
    assert!(patched_files("no patch at all").is_err());
}

#[test]
fn names_of_unified_diffs_are_found_with_and_without_their_first_directory() {
    check(
        "--- a/x\t2020-01-01\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
        &[
            ("a/x", PatchEffect::Changed),
            ("x", PatchEffect::Changed),
            ("b/x", PatchEffect::Changed),
            ("x", PatchEffect::Changed),
        ],
    );
    check("--- /dev/null\n+++ /etc/x\n@@ -0,0 +1 @@\n+b\n", &[("/etc/x", PatchEffect::Written)]);
    check("--- x\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n", &[("x", PatchEffect::Removed)]);
    // An old name without a new one may be changed or removed.
    check("--- x\n", &[("x", PatchEffect::Changed), ("x", PatchEffect::Removed)]);
}

#[test]
fn a_removed_line_in_a_hunk_is_not_a_heading() {
    let text = "--- q.sql\n+++ q.sql\n@@ -1,2 +1,1 @@\n--- a comment\n select 1\n--- /etc/passwd\n+++ /etc/passwd\n";
    let names: Vec<&str> = patched_files(text).unwrap().iter().map(|own| own.path).collect();
    assert!(!names.contains(&"a comment"), "{names:?}");
    assert!(names.contains(&"/etc/passwd"), "{names:?}");
}

#[test]
fn both_ends_of_a_rename_are_found() {
    let text = "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n";
    check(text, &[("x", PatchEffect::Removed), ("y", PatchEffect::Written)]);
}

#[test]
fn a_diff_without_hunks_still_names_its_file() {
    let changed = [("a/x", PatchEffect::Changed), ("x", PatchEffect::Changed)];
    check("diff --git a/x b/x\nold mode 100644\nnew mode 100755\n", &changed);
    let removed =
        [("a/x", PatchEffect::Changed), ("x", PatchEffect::Changed), ("x", PatchEffect::Removed)];
    check("diff --git a/x b/x\ndeleted file mode 100644\n", &removed);
    // The names differ and no heading says more, so the files cannot be determined.
    assert!(patched_files("diff --git a/x b/y\nold mode 100644\nnew mode 100755\n").is_err());
}

#[test]
fn patches_are_recognized_by_their_form() {
    assert!(is_patch("*** Begin Patch\n*** End Patch"));
    assert!(is_patch("text\n--- a\n+++ b\n"));
    assert!(is_patch("diff --git a/x b/x"));
    assert!(!is_patch("--- a title\ntext\n"));
    assert!(!is_patch("------- SEARCH\nx\n=======\ny\n+++++++ REPLACE"));
}

proptest::proptest! {
    #[test]
    fn no_text_panics_the_parser(text in "([-+ @*]{0,4}[a-zA-Z /:,0-9]{0,12}\n){0,12}") {
        let _ = is_patch(&text);
        let _ = patched_files(&text);
    }
}

#[test]
fn a_hunk_hides_no_name() {
    let behind = |hunk: &str| {
        format!("--- a/x\n+++ b/x\n{hunk}\n--- a/y\n+++ /etc/z\n@@ -1 +1 @@\n-a\n+b\n")
    };
    // The hunk line is not closed, so some tools ignore it.
    assert!(patched_files(&behind("@@ -1 +1 @\0")).is_err());
    // A tool that does not count the lines of a hunk sees another file.
    let text = behind("@@ -1 +1 @@");
    let found = patched_files(&text).unwrap();
    assert!(found.iter().any(|own| own.path == "/etc/z"), "{found:?}");
    // A content line that looks like a heading is not one by itself.
    let text = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n--- comment\n+other\n";
    assert!(patched_files(text).unwrap().iter().all(|own| own.path != "comment"));
}
