use super::*;

#[test]
fn only_what_is_listed_lies_at_the_root() {
    let files =
        [("README.md", ""), ("Cargo.toml", ""), ("crates/a/notes.txt", ""), ("fuzz/x.rs", "")];
    assert_eq!(check(&Tree::of(&files)), []);

    let files = [("notes.txt", ""), ("scratch/a.rs", ""), ("scratch/b.rs", "")];
    let found: Vec<_> = check(&Tree::of(&files)).into_iter().map(|at| at.file).collect();
    assert_eq!(found, ["notes.txt", "scratch"]);
}
