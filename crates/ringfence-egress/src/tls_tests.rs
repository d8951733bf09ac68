use proptest::prelude::*;

use super::*;

/// A hello with these extensions, in one record.
fn hello(extensions: &[u8]) -> Vec<u8> {
    let mut body = vec![3, 3];
    body.extend([7; 32]);
    body.extend([0, 0, 2, 0x13, 1, 1, 0]);
    body.extend(u16::try_from(extensions.len()).unwrap().to_be_bytes());
    body.extend(extensions);
    let mut bytes = vec![22, 3, 1];
    bytes.extend(u16::try_from(body.len() + 4).unwrap().to_be_bytes());
    bytes.extend([1, 0]);
    bytes.extend(u16::try_from(body.len()).unwrap().to_be_bytes());
    bytes.extend(body);
    bytes
}

const NAMED: &[u8] = &[0, 0, 0, 8, 0, 6, 0, 0, 3, b'a', b'.', b'b'];

#[test]
fn a_name_is_found_among_extensions() {
    let name = Hello::Name("a.b".to_owned());
    assert_eq!(read_hello(&hello(NAMED)), name);
    assert_eq!(read_hello(&hello(&[&[0xfe, 0x0d, 0, 1, 0][..], NAMED].concat())), name);
    assert_eq!(read_hello(&hello(&[])), Hello::Nameless);
    assert_eq!(read_hello(&hello(&[0, 23, 0, 0])), Hello::Nameless);
}

#[test]
fn every_beginning_asks_for_more() {
    let whole = hello(NAMED);
    for end in 1..whole.len() {
        assert_eq!(read_hello(&whole[..end]), Hello::More, "{end}");
    }
    // What follows the hello does not matter.
    let more = [&whole[..], &[20, 3, 3, 0, 1, 1]].concat();
    assert_eq!(read_hello(&more), Hello::Name("a.b".to_owned()));
}

#[test]
fn two_names_are_a_fault() {
    assert!(matches!(read_hello(&hello(&[NAMED, NAMED].concat())), Hello::Bad(_)));
    let list = [0, 0, 0, 12, 0, 10, 0, 0, 2, b'a', b'b', 0, 0, 2, b'c', b'd'];
    assert!(matches!(read_hello(&hello(&list)), Hello::Bad(_)));
}

#[test]
fn what_can_be_tls_is_told_by_its_first_bytes() {
    let odd = [22, 9, 9, 1, 0, 1];
    for yes in [&[22][..], &[22, 3], &[22, 3, 1], &[22, 3, 3, 9], &[22, 3, 9], &[21], &odd] {
        assert!(is_tls(yes), "{yes:?}");
    }
    for no in [&[][..], &[19], &[22, 16], &[22, 2, 0, 1, 9, 9], &[21, 2, 0, 1, 9], b"GET"] {
        assert!(!is_tls(no), "{no:?}");
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        read_hello(&bytes);
    }

    #[test]
    fn a_changed_hello_is_read(at in 0_usize..70, byte in any::<u8>()) {
        let mut bytes = hello(NAMED);
        if let Some(place) = bytes.get_mut(at) {
            *place = byte;
        }
        read_hello(&bytes);
    }
}
