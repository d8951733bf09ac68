use serde_json::json;

use super::*;

fn check(value: Value, expected: Value) {
    assert_eq!(redact_json(&value), expected);
    assert_eq!(redact_json(&expected), expected, "twice");
}

#[test]
fn values_behind_names_of_secrets_are_hidden_whole() {
    check(
        json!({"token": "a b \"c\"\nd", "name": "x", "password": 1234, "on": {"apiKey": "k"}}),
        json!({
            "token": hide("a b \"c\"\nd"),
            "name": "x",
            "password": hide("1234"),
            "on": {"apiKey": hide("k")},
        }),
    );
    check(
        json!({"secrets": ["a", {"any": "b"}, null, true], "max_tokens": 5, "token": null}),
        json!({"secrets": [hide("a"), {"any": hide("b")}, null, true], "max_tokens": 5, "token": null}),
    );
    check(
        json!({"headers": {"Authorization": "Bearer a\"b", "Cookie": "a=b"}, "token": "$TOKEN"}),
        json!({
            "headers": {"Authorization": format!("Bearer {}", hide("a\"b")), "Cookie": hide("a=b")},
            "token": "$TOKEN",
        }),
    );
}

#[test]
fn every_string_is_redacted() {
    check(
        json!({"command": "TOKEN=abc curl x", "list": ["--password=abc"], "GITHUB_TOKEN=abc": 1}),
        json!({
            "command": format!("TOKEN={} curl x", hide("abc")),
            "list": [format!("--password={}", hide("abc"))],
            format!("GITHUB_TOKEN={}", hide("abc")): hide("1"),
        }),
    );
}

#[test]
fn words_of_a_command_know_the_option_before_them() {
    let hidden = |text: &str| hide(text);
    check(
        json!(["curl", "--token", "abc", "-u", "me:pw", "--verbose", "x"]),
        json!([
            "curl",
            "--token",
            hidden("abc"),
            "-u",
            format!("me:{}", hidden("pw")),
            "--verbose",
            "x"
        ]),
    );
    let words = ["x", "--password", "-v", "--token", "a b"];
    assert_eq!(redact_words(&words).join("|"), format!("x|--password|-v|--token|{}", hide("a b")));
}
