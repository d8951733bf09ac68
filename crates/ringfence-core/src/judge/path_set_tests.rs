//! What a set of patterns says along a path.

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

/// Whether the path matches, all below it does, and nothing below it can any more.
fn check(patterns: &[&str], path: &str, expected: (bool, bool, bool)) {
    let set = set(patterns);
    let at = set.at(&AbsPath::new(path).unwrap());
    let found = (set.matches(&at), set.takes_all(&at), at.is_over());
    assert_eq!(found, expected, "{patterns:?} at {path}");
}

#[test]
fn an_anchored_pattern_lives_only_on_its_way() {
    check(&["/a/b"], "/a", (false, false, false));
    check(&["/a/b"], "/a/b", (true, false, false));
    check(&["/a/b"], "/a/c", (false, false, true));
}

#[test]
fn a_tree_takes_its_own_directory_and_all_below() {
    check(&["/a/**"], "/a", (true, true, false));
    check(&["/a/**"], "/a/x/y", (true, true, false));
}

#[test]
fn a_floating_pattern_is_never_over() {
    check(&["**/.env"], "/x/y/z", (false, false, false));
    check(&["**/.env"], "/x/.env", (true, false, false));
    check(&["**/.ssh/**"], "/x/.ssh", (true, true, false));
}

#[test]
fn names_are_folded_where_the_host_folds_them() {
    let mut set = PathSet::new(PathRules::MACOS);
    set.add(&AbsPath::new("/a/secret").unwrap(), &[]);
    assert!(set.matches(&set.at(&AbsPath::new("/A/Secret").unwrap())));
}
