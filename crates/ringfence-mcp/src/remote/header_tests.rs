use serde_json::json;

use super::{decode, encode, of};

fn fields(method: &str, params: serde_json::Value) -> Vec<(String, String)> {
    let params = params.to_string();
    let head = of(method, serde_json::from_str(&params).unwrap());
    let text = |value: &hyper::header::HeaderValue| value.to_str().unwrap().to_owned();
    head.iter().map(|(name, value)| (name.to_string(), text(value))).collect()
}

#[test]
fn a_request_that_says_its_revision_repeats_itself_in_its_head() {
    let meta = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28" });
    let own = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(
        fields("tools/call", json!({ "name": "é", "_meta": meta })),
        [
            own("mcp-protocol-version", "2026-07-28"),
            own("mcp-method", "tools/call"),
            own("mcp-name", "=?base64?w6k=?="),
        ]
    );
    assert_eq!(
        fields("tools/list", json!({ "_meta": meta })),
        [own("mcp-protocol-version", "2026-07-28"), own("mcp-method", "tools/list"),]
    );
    assert_eq!(fields("tools/call", json!({ "name": "x" })), []);
}

#[test]
fn values_that_are_no_plain_text_are_coded() {
    for (text, coded) in [
        ("plain text", "plain text"),
        ("", "=?base64??="),
        (" a", "=?base64?IGE=?="),
        ("a\nb", "=?base64?YQpi?="),
        ("=?base64?eA==?=", "=?base64?PT9iYXNlNjQ/ZUE9PT89?="),
    ] {
        assert_eq!(encode(text), coded, "{text:?}");
        assert_eq!(decode(coded).as_deref(), Some(text));
    }
}

#[test]
fn what_is_coded_otherwise_is_no_value() {
    for value in
        ["=?base64?w6k?=", "=?base64?eB==?=", "=?base64?!!!!?=", "=?base64?/w==?=", "=?base64?a?="]
    {
        assert_eq!(decode(value), None, "{value}");
    }
}
