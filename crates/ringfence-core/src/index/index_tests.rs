use super::glob_trie::GlobTrie;
use super::*;
use crate::pattern::Glob;

fn matches(trie: &TokenTrie, path: &str) -> Vec<(RuleNumber, MatchKind)> {
    let mut found = Vec::new();
    trie.each_match(path.split('/').filter(|name| !name.is_empty()), |entry, hit| {
        found.push((entry, hit));
    });
    found.sort_by_key(|(entry, _)| *entry);
    found
}

fn trie(patterns: &[&str]) -> TokenTrie {
    let mut trie = TokenTrie::default();
    for (entry, pattern) in patterns.iter().enumerate() {
        let globs: Vec<Glob> = pattern.split('/').map(|part| Glob::parse(part).unwrap()).collect();
        let steps = pattern.split('/').zip(&globs).map(|(part, glob)| match part {
            "**" => Step::Deep,
            part if part.contains(['*', '?']) => Step::Glob(glob),
            part => Step::Literal(part),
        });
        trie.insert(steps, u32::try_from(entry).unwrap());
    }
    trie
}

#[test]
fn deep_wildcards_match_any_depth_and_the_directory_itself() {
    let trie = trie(&["a/**", "**/x", "a/*/c", "**"]);
    assert_eq!(matches(&trie, "a"), [(0, MatchKind::Itself), (3, MatchKind::Full)]);
    assert_eq!(matches(&trie, "a/b"), [(0, MatchKind::Full), (3, MatchKind::Full)]);
    assert_eq!(
        matches(&trie, "a/b/c"),
        [(0, MatchKind::Full), (2, MatchKind::Full), (3, MatchKind::Full)]
    );
    assert_eq!(matches(&trie, "x"), [(1, MatchKind::Full), (3, MatchKind::Full)]);
    assert_eq!(matches(&trie, "q/x"), [(1, MatchKind::Full), (3, MatchKind::Full)]);
}

#[test]
fn a_tree_access_matches_patterns_below_it_without_earlier_wildcards() {
    let trie = trie(&["a/**", "a/b/secret", "a/*.pem", "**/.env", "a/b/**/key", "z/**"]);
    let mut whole = Vec::new();
    let mut part = Vec::new();
    trie.each_covering(&WalkedPrefix::default(), &[InputToken::Word("a")], &mut |entry| {
        whole.push(entry)
    });
    trie.each_below(&WalkedPrefix::default(), &[InputToken::Word("a")], &mut |entry| {
        part.push(entry)
    });
    part.sort_unstable();
    assert_eq!((whole, part), (vec![0], vec![0, 1, 2]));
}

#[test]
fn c122_matching_is_bounded_by_stars_times_text() {
    let mut trie = GlobTrie::default();
    trie.insert(&Glob::parse(&"*a".repeat(30)).unwrap(), 7);
    let mut found = Vec::new();
    trie.each_match(&"a".repeat(10_000), |value| found.push(value));
    assert_eq!(found, [7]);
    trie.each_match(&"b".repeat(10_000), |value| found.push(value));
    assert_eq!(found, [7]);
}

#[test]
fn globs_with_a_common_prefix_stay_distinct() {
    let mut trie = GlobTrie::default();
    for (value, glob) in ["AWS_*", "AWS_SECRET*", "*", "AWS_KEY", "?WS_KEY"].iter().enumerate() {
        trie.insert(&Glob::parse(glob).unwrap(), u32::try_from(value).unwrap());
    }
    let mut found = Vec::new();
    trie.each_match("AWS_KEY", |value| found.push(value));
    found.sort_unstable();
    assert_eq!(found, [0, 2, 3, 4]);
}
