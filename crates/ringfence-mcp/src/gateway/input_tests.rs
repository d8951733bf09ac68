//! Questions to clients without a session.

use super::*;

const ASKING: &str = "[mcp]\nelicitation = true\n";

fn call_with(id: u32, arguments: &Value, more: &Value) -> String {
    let mut params = json!({ "name": "send_mail", "arguments": arguments, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": { "form": {} } },
        "progressToken": id,
    } });
    for (key, value) in more.as_object().unwrap() {
        params[key] = value.clone();
    }
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string()
}

/// The mark of the question that a result is.
fn mark(steps: &[Step]) -> Value {
    let [Step::ToClient(text)] = steps else { panic!("{steps:?}") };
    let answer: Value = serde_json::from_str(text).unwrap();
    let result = &answer["result"];
    assert_eq!(result["resultType"], "input_required", "{answer}");
    assert_eq!(result["inputRequests"]["ringfence"]["method"], "elicitation/create");
    result["requestState"].clone()
}

fn answered(mark: &Value, answer: &str) -> Value {
    let said = json!({ "action": "accept", "content": { "answer": answer } });
    json!({ "requestState": mark, "inputResponses": { "ringfence": said } })
}

#[test]
fn a_call_that_is_asked_about_is_made_again_with_the_answer() {
    let gateway = gateway(&format!("{SCOPED}{ASKING}"));
    let mail = json!({ "subject": "x" });
    let own = json!({ "requestState": "the server's", "inputResponses": { "a": {} } });
    let mark_of_first = mark(&gateway.from_client(&call_with(1, &mail, &own)));
    let steps = gateway.from_client(&call_with(2, &mail, &answered(&mark_of_first, "once")));
    let [Step::ToServer(text)] = &steps[..] else { panic!("{steps:?}") };
    let sent: Value = serde_json::from_str(text).unwrap();
    // It is the call that was asked about, under its new id.
    assert_eq!((&sent["id"], &sent["params"]["_meta"]["progressToken"]), (&json!(2), &json!(2)));
    assert_eq!(sent["params"]["requestState"], "the server's");
    assert_eq!(sent["params"]["inputResponses"], json!({ "a": {} }));
    // A mark is good for one call.
    mark(&gateway.from_client(&call_with(3, &mail, &answered(&mark_of_first, "once"))));
    let refused = mark(&gateway.from_client(&call_with(4, &mail, &json!({}))));
    let steps = gateway.from_client(&call_with(5, &mail, &answered(&refused, "no")));
    assert_eq!(refusal(&steps)["code"], "declined");
}

#[test]
fn an_answer_is_no_answer_to_another_call() {
    let gateway = gateway(&format!("{SCOPED}{ASKING}"));
    let first = mark(&gateway.from_client(&call_with(1, &json!({ "subject": "x" }), &json!({}))));
    let steps = gateway.from_client(&call_with(
        2,
        &json!({ "subject": "other" }),
        &answered(&first, "once"),
    ));
    assert!(!passed(&steps), "{steps:?}");
    // A mark that nobody gave is no answer either, and never reaches the server.
    let forged = json!("ringfence-mark-00000000000000000000000000000000");
    mark(&gateway.from_client(&call_with(
        3,
        &json!({ "subject": "x" }),
        &answered(&forged, "once"),
    )));
}

#[test]
fn a_client_that_cannot_ask_is_not_asked() {
    let gateway = gateway(&format!("{SCOPED}{ASKING}"));
    let text = call_with(1, &json!({ "subject": "x" }), &json!({}));
    let text = text.replace("\"form\"", "\"url\"");
    assert!(matches!(gateway.from_client(&text)[..], [Step::Ask(_)]));
}
