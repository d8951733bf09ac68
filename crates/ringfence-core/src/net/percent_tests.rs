use super::*;

#[test]
fn text_is_decoded_once() {
    assert_eq!(decode("a%2Fb%2e"), Some("a/b.".to_owned()));
    assert_eq!(decode("%252e"), Some("%2e".to_owned()));
    assert_eq!(decode("%c3%a9"), Some("é".to_owned()));
    assert_eq!(decode("plain"), Some("plain".to_owned()));
}

#[test]
fn invalid_percent_encoding_is_refused() {
    for text in ["%", "%4", "a%zz", "%%41", "%c3", "%c0%ae", "%+1"] {
        assert_eq!(decode(text), None, "{text}");
    }
}

#[test]
fn bytes_are_decoded_leniently() {
    assert_eq!(decode_bytes(b"100%/%2e%2e%2fx%"), b"100%/../x%");
    assert!(is_encoded(b"a%2e"));
    assert!(!is_encoded(b"100%/x%2"));
}
