use serde_json::json;

use super::*;

#[test]
fn what_nobody_sees_is_found_wherever_it_stands() {
    for (definition, expected) in [
        (
            json!({ "description": "adds\u{200b} numbers" }),
            "`description` has a character that nobody sees (U+200B)",
        ),
        (
            json!({ "description": "a\u{202e}b" }),
            "`description` has a character that changes the order of writing (U+202E)",
        ),
        (
            json!({ "description": "\u{1b}[8mhidden\u{1b}[0m" }),
            "`description` has a code for terminals (U+001B)",
        ),
        (
            json!({ "inputSchema": { "properties": { "a": { "description": "x\u{e0041}" } } } }),
            "`inputSchema.properties.a.description` has a character that nobody sees (U+E0041)",
        ),
        (
            json!({ "inputSchema": { "required": ["a", "b\u{feff}"] } }),
            "`inputSchema.required[1]` has a character that nobody sees (U+FEFF)",
        ),
        (json!({ "a\u{ad}b": 1 }), "`a key` has a character that nobody sees (U+00AD)"),
        (
            json!({ "description": "x\u{fe0f}\u{fe01}\u{fe02}" }),
            "`description` has a character that nobody sees (U+FE0F)",
        ),
        (
            json!({ "description": "shown\rover" }),
            "`description` has a character that nobody sees (U+000D)",
        ),
    ] {
        assert_eq!(find(&definition).as_deref(), Some(expected));
    }
}

#[test]
fn how_people_write_hides_nothing() {
    for text in [
        "two\nlines\r\nand\ta tab",
        "a\u{a0}blank",
        "⚠\u{fe0f} careful",
        "👩\u{200d}💻 and 1\u{fe0f}\u{20e3}",
        "می\u{200c}خواهم",
        "naïve — “quoted” 日本語",
    ] {
        assert_eq!(find(&json!({ "description": text })), None, "{text:?}");
    }
}
