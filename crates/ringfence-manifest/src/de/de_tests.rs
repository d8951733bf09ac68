use serde::Deserialize;

use super::{Spanned, read};
use crate::text::{Fault, Format};
use crate::tree;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
#[expect(dead_code, reason = "shown by its debug form")]
struct Thing {
    name: Spanned<String>,
    #[serde(default)]
    parts: Vec<Thing>,
}

fn faults(text: &str) -> (bool, Vec<(usize, String)>) {
    let Ok(node) = tree::read(Format::Json, text) else { return (false, Vec::new()) };
    let (value, faults) = read::<Thing>(&node);
    let place = |fault: Fault| (fault.span.start, fault.message);
    (value.is_some(), faults.into_iter().map(place).collect())
}

#[test]
fn reading_goes_on_after_an_error() {
    let text = r#"{"name": "a", "x": 1, "parts": [{"name": 1}, {"nam": 2, "name": "b"}, {}, 7]}"#;
    let (read, mut found) = faults(text);
    found.sort();
    assert!(read);
    assert_eq!(
        found,
        [
            (14, "unknown key `x`".to_owned()),
            (41, "expected text, found the number `1`".to_owned()),
            (46, "unknown key `nam`".to_owned()),
            (70, "the key `name` is missing".to_owned()),
            (74, "expected a table, found the number `7`".to_owned()),
        ]
    );
}

#[test]
fn a_value_is_missing_only_if_its_key_is() {
    assert_eq!(
        faults(r#"{"name": 1}"#),
        (false, vec![(9, "expected text, found the number `1`".to_owned())])
    );
    assert_eq!(faults(r#"{}"#), (false, vec![(0, "the key `name` is missing".to_owned())]));
}
