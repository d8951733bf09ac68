use proptest::prelude::*;

use super::*;

/// How many bytes the body takes, given in pieces of this size; `None` for a fault.
fn taken(mut body: Body, bytes: &[u8], piece: usize) -> Option<(usize, bool)> {
    let mut used = 0;
    while used < bytes.len() && !body.is_done() {
        let end = bytes.len().min(used + piece);
        used += body.accept(&bytes[used..end]).ok()?;
    }
    Some((used, body.is_done()))
}

#[test]
fn lengths_end_where_they_say() {
    assert_eq!(taken(Body::Length(3), b"abcdef", 2), Some((3, true)));
    assert_eq!(taken(Body::Length(9), b"abcdef", 9), Some((6, false)));
    assert!(Body::EMPTY.is_done());
}

#[test]
fn chunks_end_where_they_say_in_whatever_pieces_they_come() {
    let bytes = b"5\r\nhello\r\nA\r\n0123456789\r\n0\r\n\r\nGET";
    for piece in 1..bytes.len() {
        let own = taken(Body::chunks(ChunkCare::Bare), bytes, piece);
        assert_eq!(own, Some((bytes.len() - 3, true)), "{piece}");
    }
}

#[test]
fn extensions_and_trailers_are_for_responses() {
    let extended = b"5;a=\"b\"\r\nhello\r\n0 \r\nX: 1\r\nY: 2\r\n\r\n";
    assert_eq!(taken(Body::chunks(ChunkCare::Kind), extended, 7), Some((extended.len(), true)));
    assert_eq!(taken(Body::chunks(ChunkCare::Bare), extended, 7), None);
    let endless = [&b"0\r\n"[..], &b"x".repeat(20_000)].concat();
    assert_eq!(taken(Body::chunks(ChunkCare::Kind), &endless, 100), None);
}

#[test]
fn chunks_that_cannot_be_read_are_a_fault() {
    for bad in [
        "",
        "\r\n",
        "g\r\n",
        "5\n",
        "5\r\nhello0\r\n",
        "5\r\nhello\n",
        "1000000000000000\r\n",
        "-5\r\n",
    ] {
        let bytes = [bad.as_bytes(), b"!!!!!!!!!!!!"].concat();
        assert_eq!(taken(Body::chunks(ChunkCare::Bare), &bytes, 3), None, "{bad:?}");
    }
}

proptest! {
    #[test]
    fn pieces_do_not_matter(bytes in "[0-3a\r\n;x]{0,60}", piece in 1_usize..9) {
        for care in [ChunkCare::Bare, ChunkCare::Kind] {
            let whole = taken(Body::chunks(care), bytes.as_bytes(), 100);
            prop_assert_eq!(taken(Body::chunks(care), bytes.as_bytes(), piece), whole);
        }
    }
}
