use super::*;

fn written() -> Vec<u8> {
    let mut to = ByteWriter::new();
    to.number(u64::MAX);
    to.flag(true);
    to.text("a\0b");
    to.maybe(Some("c"), |to, own| to.text(own));
    to.maybe(None::<&str>, |to, own| to.text(own));
    to.each([1, 2, 3], ByteWriter::number);
    to.finish()
}

type All<'b> = (u64, bool, &'b [u8], Option<&'b str>, Option<&'b str>, Vec<u64>);

fn read(bytes: &[u8]) -> Option<All<'_>> {
    let mut from = ByteReader::new(bytes);
    let all = (
        from.number()?,
        from.flag()?,
        from.bytes()?,
        from.maybe(ByteReader::text)?,
        from.maybe(ByteReader::text)?,
        from.each(ByteReader::number)?,
    );
    from.is_over().then_some(all)
}

#[test]
fn written_values_are_read_back() {
    let bytes = written();
    assert_eq!(read(&bytes), Some((u64::MAX, true, &b"a\0b"[..], Some("c"), None, vec![1, 2, 3])));
}

#[test]
fn truncated_or_extended_bytes_are_refused() {
    let bytes = written();
    for length in 0..bytes.len() {
        assert_eq!(read(&bytes[..length]), None, "{length} bytes");
    }
    assert_eq!(read(&[&bytes[..], b"x"].concat()), None);
}

#[test]
fn a_false_list_length_allocates_nothing() {
    let mut to = ByteWriter::new();
    to.number(u64::MAX);
    let bytes = to.finish();
    assert_eq!(ByteReader::new(&bytes).each(ByteReader::number), None);
    assert_eq!(ByteReader::new(&bytes).bytes(), None);
}

#[test]
fn a_flag_is_zero_or_one() {
    let mut to = ByteWriter::new();
    to.number(2);
    assert_eq!(ByteReader::new(&to.finish()).flag(), None);
}
