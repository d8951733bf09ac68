use proptest::prelude::*;

use super::*;

#[test]
fn requests_are_read_to_their_last_byte() {
    let name = [&[5, 1, 0, 3, 3][..], b"a.b", &[1, 0xbb, 99]].concat();
    assert_eq!(read_request(&name), Ok(Some((Wanted::Name(b"a.b".to_vec(), 443), 10))));
    let v4 = [5, 1, 0, 1, 10, 0, 0, 1, 0, 22];
    assert_eq!(read_request(&v4), Ok(Some((Wanted::Address([10, 0, 0, 1].into(), 22), 10))));
    for end in 0..10 {
        assert_eq!(read_request(&name[..end]), Ok(None), "{end}");
        assert_eq!(read_request(&v4[..end]), Ok(None), "{end}");
    }
}

#[test]
fn a_greeting_without_a_way_in_is_told() {
    assert_eq!(read_greeting(&[5, 2, 1, 0, 9]), Some((true, 4)));
    assert_eq!(read_greeting(&[5, 1, 2]), Some((false, 3)));
    assert_eq!(read_greeting(&[5, 0]), Some((false, 2)));
    assert_eq!(read_greeting(&[5, 2, 0]), None);
}

proptest! {
    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        if let Ok(Some((_, used))) = read_request(&bytes) {
            prop_assert!(used <= bytes.len());
        }
    }
}
