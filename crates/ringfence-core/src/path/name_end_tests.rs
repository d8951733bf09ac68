use proptest::prelude::*;

use super::NameEnd;

#[test]
fn a_pattern_fixes_the_end_of_the_names_it_matches() {
    for (pattern, name, may) in [
        ("*.pyc", "a.pyc", true),
        ("*.pyc", ".git", false),
        ("*.pyc", "pyc", false),
        ("*.py[co]", "a.pyo", true),
        ("*.py[co]", "a.py", false),
        ("*.py?", "a.pyß", true),
        ("config", "config", true),
        ("config", "hooks", false),
        ("*/build/*.o", "x.o", true),
        ("*/build/*.o", "x.c", false),
        ("*.O", "x.o", true),
        ("*.ok", "x.o\u{212a}", true),
        ("a-name-that-is-longer-than-what-is-kept", "than-what-is-kept", true),
        // Nothing is known about the end of these names.
        ("*", ".git", true),
        (".g*", ".git", true),
        ("*\\.git", ".git", true),
        ("*.[!a]", "x.b", true),
        ("*[]]", "x", true),
        ("", ".git", true),
        ("*é", ".git", true),
    ] {
        assert_eq!(NameEnd::of_pattern(pattern).may_be(name), may, "{pattern} {name}");
    }
}

proptest! {
    /// Every name that a pattern matches is accepted by the end of that pattern.
    #[test]
    fn a_matching_name_always_may_have_the_end(pattern in "[a.*?]{0,6}(\\[[a-c]{1,2}\\])?[b.*?]{0,6}", names in
        prop::collection::vec("[abc.é]{0,12}", 1..20))
    {
        let end = NameEnd::of_pattern(&pattern);
        for name in &names {
            if matches(&pattern, name) {
                prop_assert!(end.may_be(name), "{pattern} {name}");
            }
        }
    }

    #[test]
    fn malformed_patterns_do_not_panic(pattern in "[\\[\\]*?/a\\\\-é ]{0,20}", name in ".{0,10}") {
        let end = NameEnd::of_pattern(&pattern);
        prop_assert!(!end.is_empty() || end.may_be(&name));
    }
}

/// Matches by simple recursion, as a reference.
fn matches(pattern: &str, name: &str) -> bool {
    let mut chars = pattern.chars();
    let rest = |chars: std::str::Chars<'_>| chars.as_str().to_owned();
    match chars.next() {
        None => name.is_empty(),
        Some('*') => {
            let pattern = rest(chars);
            name.char_indices()
                .map(|(at, _)| at)
                .chain([name.len()])
                .any(|at| matches(&pattern, &name[at..]))
        }
        Some('[') => {
            let own = rest(chars);
            let (set, behind) = own.split_once(']').unwrap();
            let mut name = name.chars();
            name.next().is_some_and(|first| set.contains(first)) && matches(behind, name.as_str())
        }
        Some(own) => {
            let mut name = name.chars();
            name.next().is_some_and(|first| own == '?' || own == first)
                && matches(&rest(chars), name.as_str())
        }
    }
}
