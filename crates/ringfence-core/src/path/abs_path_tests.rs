use proptest::prelude::*;

use super::*;

fn path(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

#[test]
fn a_path_has_one_form() {
    for (text, expected) in [
        ("/", "/"),
        ("//", "/"),
        ("/.", "/"),
        ("/..", "/"),
        ("/../../a", "/a"),
        ("/a/", "/a"),
        ("//a///b//", "/a/b"),
        ("/a/./b/.", "/a/b"),
        ("/a/../b", "/b"),
        ("/a/b/../../..", "/"),
        ("/a..b/...", "/a..b/..."),
        ("/a b/\u{e9}\n", "/a b/\u{e9}\n"),
    ] {
        assert_eq!(path(text).as_str(), expected, "{text}");
    }
}

#[test]
fn texts_that_are_no_absolute_path_are_refused() {
    for (text, fault) in [
        ("", PathFault::Empty),
        ("a/b", PathFault::Relative),
        ("./a", PathFault::Relative),
        ("~/a", PathFault::Relative),
        ("/a\0b", PathFault::Nul),
    ] {
        assert_eq!(AbsPath::new(text).unwrap_err().fault(), &fault, "{text:?}");
    }
}

#[test]
fn over_long_paths_are_refused() {
    let name = "a".repeat(255);
    assert!(AbsPath::new(&format!("/{name}")).is_ok());
    let error = AbsPath::new(&format!("/{name}a")).unwrap_err();
    assert_eq!(error.fault(), &PathFault::LongName);
    let deep = "/a".repeat(2047);
    assert!(AbsPath::new(&deep).is_ok());
    assert_eq!(AbsPath::new(&format!("{deep}/b")).unwrap_err().fault(), &PathFault::Long);
    // The kernel limits the text as written, even if its normal form is shorter.
    assert_eq!(AbsPath::new(&"/..".repeat(1366)).unwrap_err().fault(), &PathFault::Long);
    assert_eq!(path(&deep).join("b").unwrap_err().fault(), &PathFault::Long);
}

#[test]
fn parent_file_name_and_components_of_a_path() {
    let file = path("/home/u/x.rs");
    assert_eq!(file.components().collect::<Vec<_>>(), ["home", "u", "x.rs"]);
    assert_eq!(file.file_name(), "x.rs");
    assert_eq!(file.parent(), Some(path("/home/u")));
    assert_eq!(path("/a").parent(), Some(AbsPath::root()));
    let root = AbsPath::root();
    assert!(root.is_root());
    assert_eq!((root.file_name(), root.parent(), root.components().count()), ("", None, 0));
}

#[test]
fn starts_with_compares_components() {
    assert!(path("/home/u").starts_with(&path("/home/u")));
    assert!(path("/home/u/x").starts_with(&path("/home/u")));
    assert!(!path("/home/user").starts_with(&path("/home/u")));
    assert!(!path("/home").starts_with(&path("/home/u")));
    assert!(path("/a").starts_with(&AbsPath::root()));
}

#[test]
fn joining_is_lexical() {
    let base = path("/home/u");
    assert_eq!(base.join("a/../b").unwrap(), path("/home/u/b"));
    assert_eq!(base.join("../../..").unwrap(), AbsPath::root());
    assert_eq!(base.join("/etc").unwrap(), path("/etc"));
    assert_eq!(base.join("").unwrap_err().fault(), &PathFault::Empty);
    assert_eq!(base.child("x").unwrap(), path("/home/u/x"));
    for name in ["", ".", "..", "a/b", "/a"] {
        assert_eq!(base.child(name).unwrap_err().fault(), &PathFault::NotAName, "{name}");
    }
    assert_eq!(base.child("a\0").unwrap_err().fault(), &PathFault::Nul);
}

#[test]
fn error_messages_name_the_path_and_the_reason() {
    let message = |text: &str| AbsPath::new(text).unwrap_err().to_string();
    assert_eq!(message(""), "the path is empty");
    assert_eq!(message("a"), "the path `a` is not absolute");
    assert_eq!(message("/a\0"), "the path `/a\\0` has a NUL character");
    let long = format!("/{}", "a".repeat(300));
    assert!(message(&long).ends_with("a…` has a name longer than 255 bytes"));
}

proptest! {
    #[test]
    fn normalising_twice_equals_once(text in "/[a-c./]{0,30}") {
        let once = path(&text);
        prop_assert_eq!(&path(once.as_str()), &once);
        prop_assert!(once.components().all(|name| !matches!(name, "" | "." | "..")));
        let backwards: Vec<&str> = once.components().rev().collect();
        let forwards: Vec<&str> = once.components().collect();
        prop_assert!(forwards.iter().rev().eq(&backwards));
        let rebuilt = once.components().try_fold(AbsPath::root(), |dir, name| dir.child(name));
        prop_assert_eq!(rebuilt, Ok(once));
    }
}
