use super::*;

#[test]
fn slips_of_the_finger_find_their_word() {
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
