use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let near =
        select(vec![0, 1, 0x1f, b' ', b'!', b'"', b'#', b'[', b'\\', b']', 0x7f, 0x80, 0xff]);
    vec(prop_oneof![near, any::<u8>(), Just(b'a'), Just(b'a'), Just(b'a')], 0..40)
}

proptest! {
    #[test]
    fn eight_at_a_time_is_one_by_one(bytes in bytes(), byte in any::<u8>()) {
        let position = |is: &dyn Fn(u8) -> bool| bytes.iter().position(|own| is(*own));
        prop_assert_eq!(find(&bytes, byte), position(&|own| own == byte));
        prop_assert_eq!(find(&bytes, b'\n'), position(&|own| own == b'\n'));
        let ends = |own: u8| matches!(own, b'"' | b'\\' | 0..=0x1f);
        prop_assert_eq!(find_end_of_text(&bytes), position(&ends));
        let is_odd = |own: u8| !matches!(own, b' '..=0x7f);
        prop_assert_eq!(is_printable(&bytes), position(&is_odd).is_none());
    }
}
