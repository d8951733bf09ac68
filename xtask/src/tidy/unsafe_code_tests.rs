use super::*;

#[track_caller]
fn finds(files: &[(&str, &str)], expected: &[&str]) {
    let found: Vec<_> = check(&Tree::of(files)).iter().map(ToString::to_string).collect();
    assert_eq!(found, expected);
}

#[test]
fn the_keyword_is_found_outside_its_home() {
    finds(
        &[("crates/ringfence-core/src/lib.rs", "// unsafe\nfn f() {\n    unsafe { g() }\n}\n")],
        &["crates/ringfence-core/src/lib.rs:3: `unsafe` belongs in crates/ringfence-sandbox/"],
    );
    finds(&[("crates/ringfence-sandbox/src/lib.rs", "unsafe fn f() {}")], &[]);
}

#[test]
fn the_word_elsewhere_is_no_keyword() {
    finds(&[("xtask/src/a.rs", "#![forbid(unsafe_code)]\nconst A: &str = \"unsafe\";")], &[]);
}

#[test]
fn every_package_but_one_inherits_the_lints() {
    let inherits = "[lints]\nworkspace = true\n";
    finds(&[("crates/a/Cargo.toml", inherits), ("xtask/Cargo.toml", inherits)], &[]);
    finds(&[("crates/ringfence-sandbox/Cargo.toml", "")], &[]);
    for text in ["", "[lints.rust]\nmissing_docs = \"warn\"\n"] {
        finds(
            &[("crates/a/Cargo.toml", text)],
            &["crates/a/Cargo.toml: `[lints]` must say `workspace = true`, which forbids `unsafe`"],
        );
    }
}

#[test]
fn the_workspace_forbids_it() {
    finds(&[("Cargo.toml", "[workspace.lints.rust]\nunsafe_code = \"forbid\"\n")], &[]);
    finds(
        &[("Cargo.toml", "[workspace.lints.rust]\nunsafe_code = \"deny\"\n")],
        &["Cargo.toml: `[workspace.lints.rust]` must say `unsafe_code = \"forbid\"`"],
    );
}
