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
fn what_is_not_changed_stays_as_it_was_written() {
    let object = Object::read(r#"{"a": [1.0,  1e3], "b":"\u0041","c":{"x": 1 }}"#).unwrap();
    assert_eq!(object.with("b", "[]"), r#"{"a":[1.0,  1e3],"b":[],"c":{"x": 1 }}"#);
}

#[test]
fn keys_are_bounded() {
    let fields: Vec<String> = (0..300).map(|n| format!("\"k{n}\":0")).collect();
    assert!(Object::read(&format!("{{{}}}", fields.join(","))).is_err());
}
