use proptest::prelude::*;
use serde_json::json;

use super::super::arguments::find;
use super::*;
use crate::strict_json;

/// Whether a full reader finds nothing either.
fn finds_nothing(text: &str) -> bool {
    strict_json::read(text)
        .is_ok_and(|args| args.is_object() && find(&args, &[]).is_ok_and(|found| found.is_empty()))
}

#[test]
fn ordinary_arguments_name_nothing() {
    for args in [
        json!({}),
        json!({"message": "hello"}),
        json!({"message": "/etc/passwd", "content": "https://x.example/", "newText": "../x"}),
        json!({"a": 1, "b": -2.5, "flag": true, "none": null, "plain": "a/b"}),
        json!({"path": null, "numbers": [1, 2], "options": {"deep": [{"name": "x"}]}}),
        json!({"libraryName": "react", "über": "x"}),
    ] {
        let text = args.to_string();
        assert!(names_nothing(&text), "{text}");
        assert!(finds_nothing(&text), "{text}");
    }
}

#[test]
fn what_names_something_or_cannot_be_read_is_left_to_the_full_reader() {
    for text in [
        "",
        "null",
        "[]",
        "{",
        "{} {}",
        r#"{"path":"x"}"#,
        r#"{"path":1}"#,
        r#"{"where":"/etc/passwd"}"#,
        r#"{"where":"~/x"}"#,
        r#"{"where":"a/../b"}"#,
        r#"{"where":"https://x.example"}"#,
        r#"{"where":"--out=/x"}"#,
        r#"{"where":"\u002fetc/passwd"}"#,
        r#"{"p\u0061th":"x"}"#,
        r#"{"patch":"x"}"#,
        r#"{"diff":"diff --git a b"}"#,
        r#"{"glob":"*"}"#,
        r#"{"list":[{"file":"x"}]}"#,
        r#"{"a":1,"a":2}"#,
        r#"{"b":{"a":1,"a":2}}"#,
        r#"{"a":1e999}"#,
        r#"{"a":123456789012345678901234567890}"#,
    ] {
        assert!(!names_nothing(text), "{text}");
    }
}

proptest! {
    #[test]
    fn what_names_nothing_has_nothing_to_be_found(
        text in r#"\{("(path|message|where|to|diff|a_b|oldPath)":("[a-z/.~:\\-]{0,6}"|-?[0-9]{1,20}|1e9{1,3}|true|null|\[\]|\["/x"\]|\{"file":"x"\}),?){0,4}\}"#,
    ) {
        prop_assert!(!names_nothing(&text) || finds_nothing(&text), "{}", text);
    }

    #[test]
    fn names_are_taken_apart_alike(name in "[a-z0-9_]{0,12}|(old|new|link|to|src|target|glob|text)(_(path|name|file|uri|s|text))?") {
        // A name of one word is taken as it is; with anything else in it, it is taken apart.
        let by_words = super::super::tool_name::words(&name).join("_");
        prop_assert_eq!(
            format!("{:?}", Key::new(&name, &[])),
            format!("{:?}", Key::new(&by_words, &[])),
        );
        prop_assert_eq!(
            format!("{:?}", Key::new(&name, &[])),
            format!("{:?}", Key::new(&name.replace('_', "-"), &[])),
        );
    }
}
