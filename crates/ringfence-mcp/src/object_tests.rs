use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

#[test]
fn a_key_stands_once_whatever_its_case() {
    for text in [
        r#"{"name":1,"name":2}"#,
        r#"{"name":1,"Name":2}"#,
        r#"{"params":1,"param\u017f":2}"#,
        r#"{"k":1,"\u212a":2}"#,
        r#"{"n\u0061me":1,"name":2}"#,
    ] {
        assert!(Object::read(text).unwrap_err().contains("stands twice"), "{text}");
    }
    assert!(Object::read(r#"{"name":1,"names":2}"#).is_ok());
}

#[test]
fn another_spelling_of_a_key_is_seen() {
    let object = Object::read(r#"{"Method":"tools/call","id":1}"#).unwrap();
    assert_eq!(object.lookalike(&["method", "id"]), Some("Method"));
    assert_eq!(object.lookalike(&["id"]), None);
}

#[test]
fn another_spelling_of_a_key_with_capitals_is_seen() {
    for text in
        [r#"{"inputrequests":{}}"#, r#"{"InputRequests":{}}"#, r#"{"inputReque\u017fts":{}}"#]
    {
        let object = Object::read(text).unwrap();
        assert!(object.lookalike(&["inputRequests"]).is_some(), "{text}");
    }
    let object = Object::read(r#"{"inputRequests":{},"isError":true}"#).unwrap();
    assert_eq!(object.lookalike(&["inputRequests"]), None);
}

#[test]
fn what_is_not_changed_stays_as_it_was_written() {
    let object = Object::read(r#"{"a": [1.0,  1e3], "b":"\u0041","c":{"x": 1 }}"#).unwrap();
    assert_eq!(object.with("b", "[]"), r#"{"a":[1.0,  1e3],"b":[],"c":{"x": 1 }}"#);
}

#[test]
fn keys_are_bounded() {
    let fields: Vec<String> = (0..300).map(|n| format!("\"k{n}\":0")).collect();
    assert!(Object::read(&format!("{{{}}}", fields.join(","))).is_err());
}

#[test]
fn what_is_no_object_is_refused() {
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
    ] {
        assert!(Object::read(text).is_err(), "{text}");
    }
}

#[test]
fn fields_are_what_stands_in_the_text() {
    let text = r#" { "a" : [1, {"b":[]}, "x\"\u00e9"] ,"c":-0.5e+3, "d":{ } ,"é":null}  "#;
    let expected =
        [("a", r#"[1, {"b":[]}, "x\"\u00e9"]"#), ("c", "-0.5e+3"), ("d", "{ }"), ("é", "null")];
    let object = Object::read(text).unwrap();
    let fields: Vec<_> = object.fields.iter().map(|(key, raw)| (&**key, raw.get())).collect();
    assert_eq!(fields, expected);
    assert!(Object::read("{}").unwrap().fields.is_empty());
}

/// Compares an object with what a general reader has of the same text.
fn agrees(text: &str) {
    let Ok(own) = Object::read(text) else { return };
    let full: BTreeMap<String, Box<RawValue>> = serde_json::from_str(text).unwrap();
    let own: BTreeMap<&str, &str> = own.fields.iter().map(|(k, v)| (&**k, v.get())).collect();
    let full: BTreeMap<&str, &str> = full.iter().map(|(k, v)| (&**k, v.get())).collect();
    assert_eq!(own, full, "{text}");
}

proptest! {
    #[test]
    fn nothing_is_accepted_that_a_general_reader_refuses(
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
