use super::*;

#[test]
fn bounds_are_read_as_they_were_written() {
    let own = Bounds::own();
    assert_eq!(own.limits.len(), RESOURCES);
    let mut to = ByteWriter::new();
    own.pack(&mut to);
    assert_eq!(Bounds::unpack(&mut ByteReader::new(&to.finish())), Some(own));
}

#[test]
fn what_is_not_less_changes_nothing() {
    let before = Bounds::own();
    let all = Bounds { limits: vec![(u64::MAX, u64::MAX); RESOURCES], priority: 40 };
    all.take_on().unwrap();
    assert_eq!(Bounds::own(), before);
}
