use super::*;

#[test]
fn a_misspelt_word_gets_the_nearest_suggestion() {
    let keys = ["allow", "ask", "deny", "danger", "default", "extends"];
    for (word, expected) in [
        ("alow", Some("allow")),
        ("dney", Some("deny")),
        ("defualt", Some("default")),
        ("allow", Some("allow")),
        ("permissions", None),
        ("", None),
    ] {
        assert_eq!(nearest(word, keys), expected, "{word}");
    }
}
