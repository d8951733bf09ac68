use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Value, json};

use super::{Alone, check, status};
use crate::id::Id;

fn checked(method: &str, params: &Value, fields: &[(&'static str, &str)]) -> Option<i32> {
    let params = params.to_string();
    let mut head = HeaderMap::new();
    for (name, value) in fields {
        head.append(HeaderName::from_static(name), HeaderValue::from_str(value).unwrap());
    }
    let own =
        Alone { id: Id::of(&json!(1)), method, params: serde_json::from_str(&params).unwrap() };
    check(&own, &head).err().map(|(code, _)| code)
}

#[test]
fn a_head_must_say_what_its_message_says() {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let call = json!({ "name": "é", "_meta": meta });
    let version = ("mcp-protocol-version", "2026-07-28");
    let method = ("mcp-method", "tools/call");
    for (name, expected) in [
        ("=?base64?w6k=?=", None),
        ("=?base64?w6k?=", Some(-32020)),
        ("=?base64?eA==?=", Some(-32020)),
        ("echo", Some(-32020)),
    ] {
        let fields = [version, method, ("mcp-name", name)];
        assert_eq!(checked("tools/call", &call, &fields), expected, "{name}");
    }
    assert_eq!(checked("tools/call", &call, &[version, method]), Some(-32020));
    assert_eq!(checked("tools/list", &json!({ "_meta": meta }), &[version]), Some(-32020));
    let list = ("mcp-method", "tools/list");
    assert_eq!(checked("tools/list", &json!({ "_meta": meta }), &[version, list]), None);
    assert_eq!(
        checked("tools/list", &json!({ "_meta": meta }), &[version, list, list]),
        Some(-32020)
    );
    assert_eq!(checked("tools/list", &json!({}), &[version, list]), Some(-32602));
    let bare = json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } });
    assert_eq!(checked("tools/list", &bare, &[version, list]), Some(-32602));
}

#[test]
fn some_errors_have_a_status() {
    let error =
        |code: i32| json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": code } }).to_string();
    for (code, expected) in [(-32601, 404), (-32600, 400), (-32020, 400), (-32602, 200), (7, 200)] {
        assert_eq!(status(&error(code)).as_u16(), expected, "{code}");
    }
    assert_eq!(status("{\"result\":{}}").as_u16(), 200);
}
