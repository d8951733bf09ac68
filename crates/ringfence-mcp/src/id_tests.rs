use serde_json::json;

use super::*;

#[test]
fn one_number_is_one_id() {
    let one = Id::of(&json!(1)).unwrap();
    assert_eq!(Id::of(&json!(1.0)), Some(one.clone()));
    assert_eq!(one.as_json(), "1");
    assert_ne!(Id::of(&json!("1")), Some(one));
    assert_eq!(Id::of(&json!(0)), Id::of(&json!(0.0)));
}

#[test]
fn large_numbers_are_not_mixed_up() {
    let (one, other) = (json!(9_007_199_254_740_993_u64), json!(9_007_199_254_740_995_u64));
    assert_ne!(Id::of(&one), Id::of(&other));
}

#[test]
fn other_values_are_no_ids() {
    for value in [json!(null), json!(true), json!([1]), json!({})] {
        assert_eq!(Id::of(&value), None);
    }
}

#[test]
fn an_id_is_kept_as_it_is_written_only_where_no_other_spelling_means_it() {
    let read = |text: &str| Id::read(serde_json::from_str(text).unwrap());
    for text in ["1", "0", "12", "999999999999999", "9007199254740993", "-1", "1.0", "1e0", "1.5"] {
        assert_eq!(read(text), Id::of(&serde_json::from_str(text).unwrap()), "{text}");
    }
    for text in [r#""a""#, r#""\u0061""#, r#""a\"b""#, r#""é""#, r#""""#, "null", "true", "[1]"] {
        assert_eq!(read(text), Id::of(&serde_json::from_str(text).unwrap()), "{text}");
    }
    assert_eq!(read(r#""\u0061""#), read(r#""a""#));
    assert_eq!(read("-0"), read("0"));
    assert_eq!(read("-0.0"), read("0"));
}
