use proptest::prelude::*;

use super::{BadStream, Event, Events};

fn read(bytes: &[u8]) -> Result<Vec<Event>, BadStream> {
    Events::new(64).feed(bytes)
}

fn says(data: &str) -> Event {
    Event { data: data.to_owned(), ..Event::default() }
}

#[test]
fn events_end_with_an_empty_line() {
    assert_eq!(
        read(b"data: a\n\ndata:b\r\n\r\ndata: c\r\rdata: d\n"),
        Ok(vec![says("a"), says("b"), says("c"),])
    );
    assert_eq!(read(b"\xef\xbb\xbfdata: a\ndata: b\n\n"), Ok(vec![says("a\nb")]));
    assert_eq!(read(b": only a comment\n\n"), Ok(vec![]));
}

#[test]
fn what_only_has_an_id_is_an_event_too() {
    let primes = Event { id: Some("7".to_owned()), retry: Some(50), ..Event::default() };
    assert_eq!(read(b"id: 7\nretry: 50\ndata:\n\n"), Ok(vec![primes]));
    assert_eq!(read(b"id: a\0b\ndata: x\n\n"), Ok(vec![says("x")]));
    assert_eq!(read(b"retry: soon\ndata: x\n\n"), Ok(vec![says("x")]));
}

#[test]
fn events_of_another_kind_are_told_apart() {
    let other = Event { is_other: true, ..says("x") };
    assert_eq!(
        read(b"event: ping\ndata: x\n\nevent: message\ndata: y\n\n"),
        Ok(vec![other, says("y"),])
    );
}

#[test]
fn what_cannot_be_kept_or_read_ends_the_stream() {
    assert_eq!(read(&[b'x'; 65]), Err(BadStream::TooLong));
    let many = b"data: 0123456789\n".repeat(7);
    assert_eq!(read(&many), Err(BadStream::TooLong));
    assert_eq!(read(b"data: \xff\n\n"), Err(BadStream::NoText));
}

proptest! {
    #[test]
    fn pieces_do_not_matter(bytes in "(data: ?[a-z]{0,3}|id: ?[0-9]|retry: ?[0-9]|event: x|:c|\r|\n|\r\n){0,20}", at in 0_usize..80) {
        let bytes = bytes.as_bytes();
        let (first, second) = bytes.split_at(at.min(bytes.len()));
        let mut events = Events::new(4096);
        let mut pieces = events.feed(first).unwrap();
        pieces.extend(events.feed(second).unwrap());
        prop_assert_eq!(pieces, Events::new(4096).feed(bytes).unwrap());
    }
}
