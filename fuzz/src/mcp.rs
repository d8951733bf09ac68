//! What the gateway reads: messages of either side, and streams of events.

use ringfence_mcp::readers::{events, field, lines, messages};

/// A message: what is passed on is one line for readers of any kind, and reads the same again.
pub fn mcp_message(data: &[u8]) {
    let whole: usize = lines(data, 64).iter().flatten().map(String::len).sum();
    assert!(whole <= data.len());
    let Ok(line) = std::str::from_utf8(data) else { return };
    for read in messages(line).into_iter().flatten() {
        let ends = ['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'];
        assert!(!read.text.contains(ends), "it is one line");
        let again = messages(&read.text);
        assert_eq!(again, [Ok(read)], "what is passed on is what was judged");
    }
    let (value, again) = field(line);
    assert!(value.bytes().all(|byte| matches!(byte, b'\t' | b' '..=b'~')), "it can be sent");
    assert_eq!(again.as_deref(), Some(line), "a field says what the message says");
}

/// A stream of events: the pieces in which it comes change nothing. The first byte says where it is
/// cut.
pub fn mcp_stream(data: &[u8]) {
    let Some((at, stream)) = data.split_first() else { return };
    let whole = events(stream, &[], 256);
    let cut = usize::from(*at).min(stream.len());
    let (first, second) = stream.split_at(cut);
    assert_eq!(events(first, second, 256), whole);
    let said: usize = whole.iter().flatten().map(|(data, _)| data.len()).sum();
    assert!(said <= stream.len());
}
