//! Documents as text, before spacing is made normal.

mod json;
mod toml;
mod yaml;

use super::out::Pair;
use crate::text::Format;

/// The document's text: comments at the top, its keys, comments at the end.
pub(crate) fn emit(format: Format, head: &[String], pairs: &[Pair], rest: &[String]) -> String {
    let mut text = String::new();
    comments(&mut text, format, head, "");
    if !head.is_empty() {
        text.push('\n');
    }
    match format {
        Format::Toml => toml::table(&mut text, &mut Vec::new(), pairs),
        Format::Yaml => yaml::table(&mut text, pairs, 0),
        Format::Json => json::table(&mut text, pairs),
    }
    if !rest.is_empty() {
        text.push('\n');
        comments(&mut text, format, rest, "");
    }
    text
}

fn comments(text: &mut String, format: Format, lines: &[String], indent: &str) {
    let mark = if format == Format::Json { "//" } else { "#" };
    for line in lines {
        let line = format!("{mark} {line}");
        text.push_str(indent);
        text.push_str(line.trim_end());
        text.push('\n');
    }
}

/// Text in the quotes of JSON, which YAML takes as well.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
