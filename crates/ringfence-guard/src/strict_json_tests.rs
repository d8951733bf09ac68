use serde_json::json;

use super::*;

#[test]
fn values_are_read_as_they_are_written() {
    let text = r#"{"a": [1, -2, 3.5, true, null, "x"], "b": {"c": {}}}"#;
    assert_eq!(read(text), Ok(json!({"a": [1, -2, 3.5, true, null, "x"], "b": {"c": {}}})));
}

#[test]
fn a_duplicate_key_is_refused_at_any_depth() {
    for text in [r#"{"a": 1, "a": 2}"#, r#"[{"x": {"a": 1, "b": 2, "a": 3}}]"#] {
        assert!(read(text).is_err_and(|error| error.contains("`a`")), "{text}");
    }
    for text in ["", "{", "1 2", "nope"] {
        assert!(read(text).is_err(), "{text}");
    }
}
