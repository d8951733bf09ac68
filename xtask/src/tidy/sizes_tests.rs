use super::super::finding::Weight;
use super::*;

fn weight(path: &str, lines: usize) -> Option<Weight> {
    let tree = Tree::of(&[(path, &"\n".repeat(lines))]);
    check(&tree).first().map(|finding| finding.weight)
}

#[test]
fn long_files_are_warned_of_and_longer_ones_refused() {
    assert_eq!(weight("a.rs", 400), None);
    assert_eq!(weight("a.rs", 401), Some(Weight::Warning));
    assert_eq!(weight("a.rs", 600), Some(Weight::Warning));
    assert_eq!(weight("a.rs", 601), Some(Weight::Fault));
    assert_eq!(weight("corpus.jsonl", 5_000), None);
}
