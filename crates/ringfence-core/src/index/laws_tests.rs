//! Property tests: the trie against a matcher that tries every pattern separately.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::pattern::Glob;

/// A token that is too long for a slot.
const LONG: &str = "a-name-that-is-longer-than-an-edge-holds";

/// More shapes than a node compares one by one.
const SHAPES: [&str; 12] =
    ["*", "a*", "*a", "a*b", "?", "a?", "*.*", "[ab]", "ab*", "*ab", "?*", "*é"];

fn pattern() -> impl Strategy<Value = Vec<&'static str>> {
    let literal = select(vec!["a", "b", "ab", "aé", "", LONG, "a.b"]);
    vec(prop_oneof![4 => literal, 4 => select(SHAPES.to_vec()), 2 => Just("**")], 0..5)
}

fn tokens() -> impl Strategy<Value = Vec<&'static str>> {
    vec(select(vec!["a", "b", "ab", "aé", "", LONG, "a.b", "ba", "aab"]), 0..5)
}

fn is_shape(part: &str) -> bool {
    part.contains(['*', '?', '['])
}

fn takes(pattern: &[&str], tokens: &[&str]) -> bool {
    match (pattern, tokens) {
        ([], tokens) => tokens.is_empty(),
        (["**", after @ ..], tokens) => (0..=tokens.len()).any(|n| takes(after, &tokens[n..])),
        ([part, after @ ..], [token, rest @ ..]) => {
            let same = match is_shape(part) {
                true => Glob::parse(part).unwrap().matches(token),
                false => part == token,
            };
            same && takes(after, rest)
        }
        _ => false,
    }
}

fn found(trie: &TokenTrie, tokens: &[&str]) -> Vec<RuleNumber> {
    let mut found = Vec::new();
    trie.each_match(tokens.iter().copied(), |entry, _| found.push(entry));
    found.sort_unstable();
    found.dedup();
    found
}

proptest! {
    #[test]
    fn a_trie_matches_like_each_pattern_alone(
        patterns in vec(pattern(), 0..24),
        tokens in tokens(),
    ) {
        let mut trie = TokenTrie::default();
        for (pattern, entry) in patterns.iter().zip(0..) {
            let globs: Vec<Glob> = pattern.iter().map(|part| Glob::parse(part).unwrap()).collect();
            let steps = pattern.iter().zip(&globs).map(|(part, glob)| match *part {
                "**" => Step::Deep,
                part if is_shape(part) => Step::Glob(glob),
                part => Step::Literal(part),
            });
            trie.insert(steps, entry);
        }
        let matching = patterns.iter().zip(0..).filter(|(pattern, _)| takes(pattern, &tokens));
        let expected: Vec<RuleNumber> = matching.map(|(_, entry)| entry).collect();
        prop_assert_eq!(found(&trie, &tokens), expected);
    }
}

#[test]
fn edges_that_differ_in_node_or_token_stay_distinct() {
    let mut trie = TokenTrie::default();
    let names: Vec<String> = (0..3_000).map(|n| format!("name{n}")).collect();
    for (entry, name) in (0..).zip(&names) {
        trie.insert([Step::Literal(name), Step::Literal("same")], entry);
        trie.insert([Step::Literal("first"), Step::Literal(name)], entry + 10_000);
    }
    for (entry, name) in (0..).zip(&names) {
        assert_eq!(found(&trie, &[name, "same"]), [entry]);
        assert_eq!(found(&trie, &["first", name]), [entry + 10_000]);
        assert_eq!(found(&trie, &[name, "other"]), [0; 0]);
    }
    let mut below = Vec::new();
    trie.each_below(&WalkedPrefix::default(), &[InputToken::Word("first")], &mut |entry| {
        below.push(entry)
    });
    below.sort_unstable();
    assert_eq!(below, (10_000..13_000).collect::<Vec<RuleNumber>>());
}

#[test]
fn a_set_of_tokens_and_a_single_token_match_side_by_side() {
    let mut trie = TokenTrie::default();
    let either = || Step::OneOf(vec!["-f".to_owned(), "--force".to_owned()]);
    trie.insert([either(), Step::Literal("x")], 1);
    trie.insert([Step::Literal("-f"), Step::Literal("x")], 2);
    trie.insert([either(), Step::Literal("y")], 3);
    assert_eq!(found(&trie, &["-f", "x"]), [1, 2]);
    assert_eq!(found(&trie, &["--force", "x"]), [1]);
    assert_eq!(found(&trie, &["-f", "y"]), [3]);
}

#[test]
fn patterns_ending_at_one_node_are_each_reported_once() {
    let mut trie = TokenTrie::default();
    for entry in [7, 7, 8, 8, 9, 7] {
        trie.insert([Step::Literal("a"), Step::Deep], entry);
    }
    let mut found = Vec::new();
    trie.each_match(["a", "b"], |entry, hit| found.push((entry, hit)));
    found.sort_by_key(|(entry, _)| *entry);
    assert_eq!(found, [7, 8, 9].map(|entry| (entry, MatchKind::Full)));
}
