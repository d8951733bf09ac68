use super::*;

const CHECKLIST: &str = "\
# Checklist (see c999_nothing)
| no. | feature |
|---|---|
| c001 | grants |
| c002 | defaults |
| c010 | env |
";

#[test]
fn tests_and_case_folders_cover_rows() {
    let tree = Tree::of(&[
        ("crates/a/tests/suite/grants.rs", "#[test]\nfn c001_manifest_is_the_only_grant() {}"),
        ("crates/a/src/b.rs", "// fn c002_in_a_comment()\nfn c0100_is_no_row() {}"),
        ("tests/cases/env/c010_unset_is_absent/policy.toml", ""),
    ]);
    let (coverage, findings) = compare(CHECKLIST, &used(&tree));
    assert_eq!(coverage, "checklist: 2 of 3 rows have a test");
    assert_eq!(findings, []);
}

#[test]
fn a_number_that_the_checklist_lacks_is_said() {
    let tree = Tree::of(&[("a.rs", "\n\nfn c777_no_such_row() {}")]);
    let (_, findings) = compare(CHECKLIST, &used(&tree));
    assert_eq!(findings, [Finding::warning("a.rs", 3, "the checklist has no row c777")]);
}
