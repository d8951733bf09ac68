//! What servers tell models about themselves.

use super::*;
use crate::definitions::tests::Memory;

/// What becomes of an introduction that is asked for by this method.
fn introduced(gateway: &Gateway, id: u32, method: &str, result: &str) -> Vec<Step> {
    let ask = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": {} });
    assert!(passed(&gateway.from_client(&ask.to_string())));
    gateway.from_server(&answer(id, result))
}

fn answer(id: u32, result: &str) -> String {
    format!("{{\"jsonrpc\":\"2.0\",  \"id\":{id},\"result\":{result}}}")
}

/// The client gets the answer as it came.
fn is_whole(steps: &[Step], id: u32, result: &str) -> bool {
    matches!(steps, [Step::ToClient(text)] if **text == answer(id, result))
}

const FIRST: &str = r#"{"serverInfo": {"name":"x"}, "instructions":"R\u0065ads files."}"#;
const SECOND: &str = r#"{"serverInfo": {"name":"x"}, "instructions":"Sends files."}"#;

#[test]
fn changed_instructions_do_not_reach_the_client_in_any_revision() {
    let store = Memory::new();
    for method in ["initialize", "server/discover"] {
        let gateway = gateway(SCOPED).pinning(store.clone());
        assert!(is_whole(&introduced(&gateway, 1, method, FIRST), 1, FIRST));
        assert!(passed(&gateway.from_client(&call(2, "list", &json!({})))));

        let steps = introduced(&gateway, 3, method, SECOND);
        let [Step::ToClient(text), Step::Note(note), Step::Ask(_)] = &steps[..] else {
            panic!("{steps:?}");
        };
        assert_eq!(&**text, r#"{"jsonrpc":"2.0","id":3,"result":{"serverInfo":{"name":"x"}}}"#);
        assert!(note.contains("+ Sends files."), "{note}");
        let refused = refusal(&gateway.from_client(&call(4, "list", &json!({}))));
        assert_eq!(refused["code"], "approval_required");

        assert!(is_whole(&introduced(&gateway, 5, method, FIRST), 5, FIRST));
        assert!(passed(&gateway.from_client(&call(6, "list", &json!({})))));
    }
}

#[test]
fn a_yes_lets_the_server_be_used_and_the_next_client_hear_it() {
    let gateway = gateway(SCOPED).pinning(Memory::new());
    introduced(&gateway, 1, "server/discover", FIRST);
    let Some(Step::Ask(waiting)) = introduced(&gateway, 2, "server/discover", SECOND).pop() else {
        panic!("nobody is asked");
    };
    assert!(gateway.settle(waiting, Said::Yes).is_empty());
    assert!(passed(&gateway.from_client(&call(3, "list", &json!({})))));
    assert!(is_whole(&introduced(&gateway, 4, "server/discover", SECOND), 4, SECOND));
}

#[test]
fn an_introduction_that_can_be_read_in_two_ways_is_not_shown() {
    for result in [
        r#"{"instructions":"a","instructions":"b"}"#,
        r#"{"instructions":"a","Instructions":"b"}"#,
        r#"{"in\u017Ftructions":"b"}"#,
        r#"{"instructions":{"a":1,"a":2}}"#,
        "[]",
    ] {
        let gateway = gateway(SCOPED).pinning(Memory::new());
        let told = error(&introduced(&gateway, 1, "initialize", result));
        assert_eq!(told["code"], -32000, "{result}");
    }
}
