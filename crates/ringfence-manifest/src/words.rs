//! Wording that messages share.

/// Text from a file as a message quotes it: short, whatever it is.
pub(crate) fn shorten(text: &str) -> String {
    const KEPT: usize = 80;
    let mut short: String = text.chars().take(KEPT).collect();
    if text.chars().nth(KEPT).is_some() {
        short.push('…');
    }
    short
}

/// Words as a message lists them: `a`, `b`, `c`.
pub(crate) fn list<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = words.into_iter().map(|word| format!("`{word}`")).collect();
    quoted.join(", ")
}
