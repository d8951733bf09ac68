use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::value::RawValue;

use super::*;

/// The fields as this reader has them.
fn scanned(text: &str) -> Option<Vec<(&str, &str)>> {
    let mut all = Vec::new();
    fields(text, |key, value| {
        all.push((key, value));
        Some(())
    })?;
    Some(all)
}

/// What is accepted here must be what a full reader has.
fn agrees(text: &str) {
    let Some(own) = scanned(text) else { return };
    let full: BTreeMap<String, Box<RawValue>> = serde_json::from_str(text).unwrap();
    // Of a key that stands twice the full reader has the last.
    let own: BTreeMap<&str, &str> = own.into_iter().collect();
    let full: BTreeMap<&str, &str> = full.iter().map(|(k, v)| (&**k, v.get())).collect();
    assert_eq!(own, full, "{text}");
}

#[test]
fn ordinary_objects_are_walked_through() {
    let text = r#" { "a" : [1, {"b":[]}, "x\"\u00e9"] ,"c":-0.5e+3, "d":{ } ,"é":null}  "#;
    let expected =
        vec![("a", r#"[1, {"b":[]}, "x\"\u00e9"]"#), ("c", "-0.5e+3"), ("d", "{ }"), ("é", "null")];
    assert_eq!(scanned(text), Some(expected));
    assert_eq!(scanned("{}"), Some(Vec::new()));
    agrees(text);
}

#[test]
fn what_is_no_object_is_left_to_others() {
    for text in [
        "",
        "{",
        "[]",
        "{} x",
        "{,}",
        r#"{"a"}"#,
        r#"{"a":}"#,
        r#"{"a":1,}"#,
        r#"{"a":1 "b":2}"#,
        r#"{"a":01}"#,
        r#"{"a":1.}"#,
        r#"{"a":.5}"#,
        r#"{"a":+1}"#,
        r#"{"a":-}"#,
        r#"{"a":1e}"#,
        r#"{"a":tru}"#,
        r#"{"a":truex}"#,
        r#"{"a":NaN}"#,
        r#"{"a":[1,]}"#,
        r#"{"a":[,1]}"#,
        r#"{"a":[1}}"#,
        r#"{"a":{"b":1]}"#,
        r#"{"a":{"b"}}"#,
        r#"{"a":{1:2}}"#,
        r#"{"a":"\x"}"#,
        r#"{"a":"\u12g4"}"#,
        r#"{"a":"\u12"}"#,
        "{\"a\":\"\n\"}",
        "{\"a\":\u{b}1}",
        "\u{feff}{}",
        // A full reader takes it; it may be a key that stands elsewhere in other letters.
        r#"{"\u0061":1}"#,
    ] {
        assert_eq!(scanned(text), None, "{text}");
    }
}

#[test]
fn depth_is_bounded() {
    let nested = |depth: usize| format!("{{\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
    assert!(scanned(&nested(DEEPEST as usize)).is_some());
    assert!(scanned(&nested(DEEPEST as usize + 1)).is_none());
    agrees(&nested(DEEPEST as usize));
}

proptest! {
    #[test]
    fn nothing_is_accepted_that_a_full_reader_refuses(
        text in r#"\{("[ab\\u0]{0,2}"[: ]{0,2}|[\[\]{},: ]|[-+.eE019]{1,3}|true|null|é|\\n|\\)*\}"#,
    ) {
        agrees(&text);
    }

    #[test]
    fn whatever_is_put_into_an_object_is_read_alike(
        text in r#"\{"a": ?(\[|\{"b":)?("[^"\\]{0,4}"|-?[0-9]{1,3}(\.[0-9])?(e-?[0-9])?|\[\]|\{\})[\]}]?(,"c":[a-z0-9"]{1,4})?\}"#,
    ) {
        agrees(&text);
    }
}
