use serde_json::json;

use super::*;
use crate::strict_json;

fn parts(input: &Value) -> Vec<(ArgumentRole, Cow<'_, str>)> {
    find(input, &[]).unwrap().into_iter().map(|found| (found.part, found.text)).collect()
}

#[test]
fn c143_every_path_argument_is_found_at_any_depth() {
    let input = json!({
        "path": "/a",
        "options": {"nested": [{"filePath": "b"}, {"target": "c"}]},
        "source": "d", "destination": "e", "new_path": "f", "repo_path": "g",
        "paths": ["h", "i"], "uri": "file:///j",
    });
    use ArgumentRole::*;
    let expected = [
        (Path, "/a"),
        (Path, "b"),
        (Target, "c"),
        (Source, "d"),
        (Destination, "e"),
        (Destination, "f"),
        (Path, "g"),
        (Path, "h"),
        (Path, "i"),
        (Path, "file:///j"),
    ];
    assert_eq!(parts(&input), expected.map(|(part, text)| (part, Cow::from(text))));
}

#[test]
fn free_text_is_not_a_path_and_other_values_are_classified_by_form() {
    let input = json!({
        "content": "/etc/passwd ../..", "newText": "~/x", "owner": "o", "repo": "r",
        "where": "/etc/passwd", "home": "~/x", "up": "a/../../b", "link_to": "https://x.example/",
        "n": 1, "flag": true, "plain": "a/b",
    });
    use ArgumentRole::*;
    let expected =
        [(Loose, "/etc/passwd"), (Loose, "~/x"), (Loose, "a/../../b"), (Url, "https://x.example/")];
    assert_eq!(parts(&input), expected.map(|(part, text)| (part, Cow::from(text))));
}

#[test]
fn arguments_that_cannot_be_looked_through_are_refused() {
    let mut deep = json!("/x");
    for _ in 0..40 {
        deep = json!([deep]);
    }
    assert!(find(&deep, &[]).is_err());
    assert!(find(&json!({"path": 7}), &[]).is_err());
    assert!(find(&json!({"path": null}), &[]).is_ok());
    let many: Vec<String> = (0..10_001).map(|n| format!("/{n}")).collect();
    assert!(find(&json!({ "paths": many }), &[]).is_err());
}

#[test]
fn field_names_json_strings_and_addresses_are_searched() {
    use ArgumentRole::*;
    for (input, expected) in [
        (json!({"files": {"/x": "// text", "a.rs": "b"}}), vec![(Path, "/x"), (Path, "a.rs")]),
        (json!({"map": {"/x": 1, "plain": 2}}), vec![(Loose, "/x")]),
        (json!({"content": {"/x": 1}}), vec![]),
        (json!({"arg": "{\"path\": \"a\"}"}), vec![(Path, "a")]),
        (json!({"content": "{\"path\": \"a\"}"}), vec![]),
        (json!({"path": "[id].tsx"}), vec![(Path, "[id].tsx")]),
        (json!({"name": "$HOME/x"}), vec![(Loose, "$HOME/x")]),
        (json!({"name": " /x"}), vec![(Loose, "/x")]),
        (json!({"path": " /x"}), vec![(Path, " /x"), (Path, "/x")]),
        (json!({"name": "..%2fx"}), vec![(Loose, "../x")]),
        (json!({"url": "x.example/a"}), vec![(Host, "x.example")]),
        (json!({"url": "ht\ttps://x.example"}), vec![(Url, "ht\ttps://x.example")]),
        (json!({"dsn": "mongodb+srv://x.example/"}), vec![(Host, "x.example")]),
        (json!({"dsn": "memo://notes"}), vec![]),
        (json!({"host": "10.0.0.1:80"}), vec![(Host, "10.0.0.1:80")]),
    ] {
        let found: Vec<_> =
            expected.into_iter().map(|(part, text)| (part, Cow::from(text))).collect();
        assert_eq!(parts(&input), found, "{input}");
    }
}

/// Returns whether the arguments can be read and name nothing.
fn finds_nothing(text: &str) -> bool {
    strict_json::read(text)
        .is_ok_and(|args| args.is_object() && find(&args, &[]).is_ok_and(|found| found.is_empty()))
}

#[test]
fn ordinary_arguments_name_nothing() {
    for args in [
        json!({}),
        json!({"message": "hello"}),
        json!({"message": "/etc/passwd", "content": "https://x.example/", "newText": "../x"}),
        json!({"a": 1, "b": -2.5, "flag": true, "none": null, "plain": "a/b"}),
        json!({"path": null, "numbers": [1, 2], "options": {"deep": [{"name": "x"}]}}),
        json!({"libraryName": "react", "über": "x"}),
    ] {
        assert!(finds_nothing(&args.to_string()), "{args}");
    }
}

#[test]
fn what_names_something_or_cannot_be_read_is_no_nothing() {
    for text in [
        "",
        "null",
        "[]",
        "{",
        "{} {}",
        r#"{"path":"x"}"#,
        r#"{"path":1}"#,
        r#"{"where":"/etc/passwd"}"#,
        r#"{"where":"~/x"}"#,
        r#"{"where":"a/../b"}"#,
        r#"{"where":"https://x.example"}"#,
        r#"{"where":"--out=/x"}"#,
        r#"{"where":"\u002fetc/passwd"}"#,
        r#"{"p\u0061th":"x"}"#,
        r#"{"patch":"x"}"#,
        r#"{"diff":"diff --git a b"}"#,
        r#"{"glob":"*"}"#,
        r#"{"list":[{"file":"x"}]}"#,
        r#"{"a":1,"a":2}"#,
        r#"{"b":{"a":1,"a":2}}"#,
        r#"{"a":1e999}"#,
    ] {
        assert!(!finds_nothing(text), "{text}");
    }
}
