use super::*;

#[test]
fn columns_are_read_downwards() {
    assert_eq!(columns(&["a", "b", "c", "d", "e"], 9), ["a  c  e", "b  d"]);
    assert_eq!(columns(&["a", "b"], 1), ["a", "b"]);
    assert!(columns(&[], 80).is_empty());
}

#[test]
fn words_are_wrapped_between_them() {
    assert_eq!(wrapped(&["aa", "bb", "cc"], 6), ["aa  bb", "cc"]);
}
