//! Tests of a set of patterns along a path.

use super::*;
use crate::pattern::PathPattern;

fn set(patterns: &[&str]) -> PathSet {
    let mut set = PathSet::new(PathRules::LINUX);
    for text in patterns {
        for alternative in PathPattern::parse(text).unwrap().alternatives() {
            set.add(&AbsPath::root(), &alternative.components);
        }
    }
    set
}

/// Checks whether the path matches, whether everything below matches, and whether nothing below can.
fn check(patterns: &[&str], path: &str, expected: (bool, bool, bool)) {
    let set = set(patterns);
    let at = set.at(&AbsPath::new(path).unwrap());
    let found = (set.matches(&at), set.takes_all(&at), at.is_over());
    assert_eq!(found, expected, "{patterns:?} at {path}");
}

#[test]
fn an_anchored_pattern_matches_only_along_its_path() {
    check(&["/a/b"], "/a", (false, false, false));
    check(&["/a/b"], "/a/b", (true, false, false));
    check(&["/a/b"], "/a/c", (false, false, true));
}

#[test]
fn a_tree_pattern_matches_its_directory_and_everything_below() {
    check(&["/a/**"], "/a", (true, true, false));
    check(&["/a/**"], "/a/x/y", (true, true, false));
}

#[test]
fn a_floating_pattern_can_always_match_below() {
    check(&["**/.env"], "/x/y/z", (false, false, false));
    check(&["**/.env"], "/x/.env", (true, false, false));
    check(&["**/.ssh/**"], "/x/.ssh", (true, true, false));
}

#[test]
fn names_are_folded_on_case_insensitive_hosts() {
    let mut set = PathSet::new(PathRules::MACOS);
    set.add(&AbsPath::new("/a/secret").unwrap(), &[]);
    assert!(set.matches(&set.at(&AbsPath::new("/A/Secret").unwrap())));
}
