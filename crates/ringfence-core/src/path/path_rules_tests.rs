use super::*;

fn fold(rules: PathRules, text: &str) -> String {
    rules.fold(&AbsPath::new(text).unwrap()).to_string()
}

#[test]
fn case_matters_on_linux_only() {
    assert_eq!(fold(PathRules::LINUX, "/Home/U/.ENV"), "/Home/U/.ENV");
    assert_eq!(fold(PathRules::MACOS, "/Home/U/.ENV"), "/home/u/.env");
    assert_eq!(fold(PathRules::WINDOWS, "/C:/.GIT"), "/c:/.git");
    assert_eq!(fold(PathRules::MACOS, "/"), "/");
}

#[test]
fn letters_with_several_lower_case_forms_are_equal() {
    for text in ["/ſecret", "/Secret", "/SECRET"] {
        assert_eq!(fold(PathRules::MACOS, text), "/secret", "{text}");
    }
    assert_eq!(fold(PathRules::MACOS, "/\u{212a}ey"), "/key");
    assert_eq!(fold(PathRules::MACOS, "/ΣΊΣΥΦΟΣ"), fold(PathRules::MACOS, "/σίσυφος"));
    assert_eq!(fold(PathRules::MACOS, "/straße"), fold(PathRules::MACOS, "/STRASSE"));
}

#[test]
fn ignored_characters_hide_nothing() {
    assert_eq!(fold(PathRules::MACOS, "/.g\u{200c}it/Con\u{feff}fig"), "/.git/config");
    // The result must still be a name.
    assert_eq!(fold(PathRules::MACOS, "/a/.\u{200c}./b"), "/a/.\u{200c}./b");
    assert_eq!(fold(PathRules::MACOS, "/a/\u{200d}"), "/a/\u{200d}");
}

#[test]
fn folding_twice_equals_once() {
    for text in ["/ſ\u{200c}ß/İ", "/ǅ/ﬀ", "/ŉ/ΐ", "/.\u{200c}."] {
        let once = fold(PathRules::MACOS, text);
        assert_eq!(fold(PathRules::MACOS, &once), once, "{text}");
    }
}

#[test]
fn absolute_paths_are_parsed_in_the_hosts_notation() {
    let read = |rules: PathRules, text| rules.absolute(text).map(|path| path.to_string());
    assert_eq!(read(PathRules::LINUX, "/a\\b/").as_deref(), Ok("/a\\b"));
    assert_eq!(read(PathRules::WINDOWS, "C:\\Users\\u.\\").as_deref(), Ok("/C:/Users/u"));
    assert!(read(PathRules::WINDOWS, "a\\b").is_err());
}
