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
