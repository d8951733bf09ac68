use super::{NAMES, names_object};

/// An index of a pack with these objects, which are in order.
fn index(ids: &[[u8; 20]]) -> Vec<u8> {
    let mut bytes = b"\xfftOc\0\0\0\x02".to_vec();
    for first in 0..=255_u8 {
        let count = ids.iter().filter(|id| id[0] <= first).count();
        bytes.extend(u32::try_from(count).unwrap().to_be_bytes());
    }
    assert_eq!(bytes.len(), NAMES);
    bytes.extend(ids.concat());
    bytes
}

#[test]
fn finds_exactly_the_named_objects() {
    let ids = [[0; 20], [7; 20], [8; 20], [255; 20]];
    let index = index(&ids);
    for id in &ids {
        assert_eq!(names_object(&index, id), Some(true));
    }
    for byte in [1, 6, 9, 254] {
        assert_eq!(names_object(&index, &[byte; 20]), Some(false));
    }
}

#[test]
fn a_damaged_index_names_nothing() {
    let id = [9; 20];
    let whole = index(&[id]);
    for end in 0..whole.len() {
        assert_ne!(names_object(&whole[..end], &id), Some(true), "{end} bytes");
    }
    let mut old = whole;
    old[7] = 1;
    assert_eq!(names_object(&old, &id), None);
}
