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
fn both_ways_of_reading_read_alike() {
    for text in [
        r#"{"a": 1, "b" : {"c": [] } }"#,
        r#"{"isError":false,"content":[{"type":"text","text":"x\n"}]}"#,
        "{}",
    ] {
        let fields = |object: Object<'_>| format!("{:?}", object.fields);
        let plain = Object::read_plain(text).unwrap();
        assert_eq!(fields(plain), fields(Object::read_any(text).unwrap()), "{text}");
    }
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
