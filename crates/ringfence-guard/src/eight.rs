//! Bytes, looked at eight at a time.
//!
//! Messages are short and there are many of them, so what is done with each byte counts.

/// The same byte eight times.
const fn all(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// Marks the bytes that are less than this, which is at most 128. Those after the first that is marked
/// may be marked too.
const fn less(word: u64, than: u8) -> u64 {
    word.wrapping_sub(all(than)) & !word & all(0x80)
}

/// Marks the bytes that are this one, in the same way.
const fn same(word: u64, byte: u8) -> u64 {
    less(word ^ all(byte), 1)
}

/// Where the first byte stands that `marks` marks. Where there are less than eight, `is` is asked.
fn first(bytes: &[u8], marks: impl Fn(u64) -> u64, is: impl Fn(u8) -> bool) -> Option<usize> {
    let (words, rest) = bytes.as_chunks::<8>();
    for (number, word) in words.iter().enumerate() {
        let marked = marks(u64::from_le_bytes(*word));
        if marked != 0 {
            let inside = marked.trailing_zeros() / 8;
            return Some(number.saturating_mul(8).saturating_add(inside as usize));
        }
    }
    let before = bytes.len().saturating_sub(rest.len());
    rest.iter().position(|byte| is(*byte)).map(|inside| before.saturating_add(inside))
}

/// Where the first byte stands that is this one.
pub fn find(bytes: &[u8], byte: u8) -> Option<usize> {
    first(bytes, |word| same(word, byte), |own| own == byte)
}

/// Where the first byte stands that may not stand in a JSON text as it is: a quote, a backslash, a
/// control character.
pub(crate) fn find_end_of_text(bytes: &[u8]) -> Option<usize> {
    let marks = |word| less(word, b' ') | same(word, b'"') | same(word, b'\\');
    first(bytes, marks, |own| own < b' ' || own == b'"' || own == b'\\')
}

/// Whether all of it is ASCII without control characters.
pub fn is_printable(bytes: &[u8]) -> bool {
    first(bytes, |word| less(word, b' ') | (word & all(0x80)), |own| !(b' '..=0x7f).contains(&own))
        .is_none()
}

#[cfg(test)]
#[path = "eight_tests.rs"]
mod tests;
