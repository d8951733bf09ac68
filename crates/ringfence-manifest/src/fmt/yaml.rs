//! YAML, touched as little as may be: its layout is part of its meaning.

/// The text without blanks at line ends and without blank lines at either end.
pub(super) fn fmt(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let joined = lines.join("\n");
    let body = joined.trim_matches('\n');
    if body.is_empty() { String::new() } else { format!("{body}\n") }
}
