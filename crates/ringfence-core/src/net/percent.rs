//! Percent-encoding.

/// Decodes every `%xx` once; `None` if a percent sign is not followed by two hex digits, or the
/// result is not UTF-8.
pub fn decode(text: &str) -> Option<String> {
    let percent_signs = text.matches('%').count();
    if encoded(text.as_bytes()).count() != percent_signs {
        return None;
    }
    String::from_utf8(decode_bytes(text.as_bytes())).ok()
}

/// Decodes every `%xx` once. Other percent signs stay.
pub(crate) fn decode_bytes(text: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text;
    loop {
        rest = match rest {
            [] => return decoded,
            [b'%', high, low, tail @ ..] if byte(*high, *low).is_some() => {
                decoded.extend(byte(*high, *low));
                tail
            }
            [first, tail @ ..] => {
                decoded.push(*first);
                tail
            }
        };
    }
}

/// Returns whether the text contains a percent sign followed by two hex digits.
pub(crate) fn is_encoded(text: &[u8]) -> bool {
    encoded(text).next().is_some()
}

/// Returns the encoded bytes of a text, decoded.
fn encoded(text: &[u8]) -> impl Iterator<Item = u8> {
    text.windows(3).filter_map(|window| match window {
        [b'%', high, low] => byte(*high, *low),
        _ => None,
    })
}

fn byte(high: u8, low: u8) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let value = (digit(high)? << 4) | digit(low)?;
    u8::try_from(value).ok()
}

#[cfg(test)]
#[path = "percent_tests.rs"]
mod tests;
