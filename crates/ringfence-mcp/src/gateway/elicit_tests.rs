//! Questions to the client.

use super::*;

/// What a person is asked about, and the id of the question to the client, if it is asked.
fn elicited(steps: &[Step]) -> Option<Value> {
    let [Step::ToClient(text)] = steps else { return None };
    let request: Value = serde_json::from_str(text).unwrap();
    assert_eq!(request["method"], "elicitation/create");
    Some(request["id"].clone())
}

fn hello(gateway: &Gateway, capabilities: &Value) {
    let params = json!({ "capabilities": capabilities });
    let hello = json!({ "jsonrpc": "2.0", "id": "h", "method": "initialize", "params": params });
    assert!(passed(&gateway.from_client(&hello.to_string())));
}

fn mail(gateway: &Gateway, id: u32) -> Vec<Step> {
    gateway.from_client(&call(id, "send_mail", &json!({ "subject": "x" })))
}

#[test]
fn a_question_goes_to_the_client_where_both_it_and_the_policy_allow_it() {
    let allowed = format!("{SCOPED}[mcp]\nelicitation = true\n");
    for (policy, capabilities, asked) in [
        (allowed.as_str(), json!({ "elicitation": {} }), true),
        (&allowed, json!({ "elicitation": { "form": {}, "url": {} } }), true),
        (&allowed, json!({ "elicitation": { "url": {} } }), false),
        (&allowed, json!({}), false),
        (SCOPED, json!({ "elicitation": {} }), false),
    ] {
        let gateway = gateway(policy);
        hello(&gateway, &capabilities);
        assert_eq!(elicited(&mail(&gateway, 1)).is_some(), asked, "{policy} {capabilities}");
    }
}

#[test]
fn what_the_client_answers_settles_the_call() {
    let gateway = gateway(&format!("{SCOPED}[mcp]\nelicitation = true\n"));
    hello(&gateway, &json!({ "elicitation": {} }));
    let say = |id: &Value, result: Value| {
        let answer = json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string();
        gateway.from_client(&answer)
    };
    let accept = |answer: &str| json!({ "action": "accept", "content": { "answer": answer } });
    let id = elicited(&mail(&gateway, 1)).unwrap();
    assert!(passed(&say(&id, accept("once"))));
    // It was answered once.
    assert!(matches!(say(&id, accept("once"))[..], [Step::Note(_)]));
    for (call, result) in
        [(2, accept("no")), (3, json!({ "action": "decline" })), (4, accept("whatever"))]
    {
        let id = elicited(&mail(&gateway, call)).unwrap();
        assert_eq!(refusal(&say(&id, result))["code"], "declined");
    }
    let id = elicited(&mail(&gateway, 5)).unwrap();
    assert!(matches!(say(&id, json!({ "action": "cancel" }))[..], [Step::Ask(_)]));
    let id = elicited(&mail(&gateway, 6)).unwrap();
    assert!(passed(&say(&id, accept("session"))));
    assert!(passed(&mail(&gateway, 7)));
    let other = gateway.from_client(&call(8, "send_mail", &json!({ "subject": "y" })));
    assert!(elicited(&other).is_some());
}

#[test]
fn a_cancelled_call_is_not_made_whatever_the_client_answers() {
    let gateway = gateway(&format!("{SCOPED}[mcp]\nelicitation = true\n"));
    hello(&gateway, &json!({ "elicitation": {} }));
    let id = elicited(&mail(&gateway, 1)).unwrap();
    let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    assert!(gateway.from_client(&cancel.to_string()).is_empty());
    let yes = json!({ "action": "accept", "content": { "answer": "once" } });
    let answer = json!({ "jsonrpc": "2.0", "id": id, "result": yes }).to_string();
    assert!(!passed(&gateway.from_client(&answer)));
}

#[test]
fn a_question_that_waits_has_a_name() {
    let gateway = gateway(SCOPED);
    let Some(Step::Ask(waiting)) = mail(&gateway, 1).pop() else { panic!() };
    let said = refusal(&gateway.settle(waiting, Said::Nothing(Some("k3f9xa".to_owned()))));
    assert_eq!((&said["code"], &said["approval"]), (&json!("approval_required"), &json!("k3f9xa")));
}

#[test]
fn a_server_cannot_have_its_question_taken_for_the_gateways() {
    let policy = format!(
        "{}[mcp]\nelicitation = true\n",
        SCOPED.replace(
            "mcp:fs/prompt:hello",
            "mcp:fs/prompt:hello\", \"mcp:fs/method:elicitation/create"
        )
    );
    let ask = |id: &Value| {
        json!({ "jsonrpc": "2.0", "id": id, "method": "elicitation/create", "params": {} })
            .to_string()
    };
    // After the gateway has asked: its id is taken.
    let own = gateway(&policy);
    hello(&own, &json!({ "elicitation": {} }));
    let id = elicited(&mail(&own, 1)).unwrap();
    let steps = own.from_server(&ask(&id));
    assert!(
        matches!(&steps[..], [Step::ToServer(text)] if text.contains("still waiting")),
        "{steps:?}"
    );

    // Before: the gateway asks elsewhere.
    let own = gateway(&policy);
    hello(&own, &json!({ "elicitation": {} }));
    assert!(matches!(&own.from_server(&ask(&id))[..], [Step::ToClient(_)]));
    assert!(matches!(&mail(&own, 1)[..], [Step::Ask(_)]));
    let yes = json!({ "action": "accept", "content": { "answer": "once" } });
    let answer = json!({ "jsonrpc": "2.0", "id": id, "result": yes });
    let steps = own.from_client(&answer.to_string());
    assert!(
        matches!(&steps[..], [Step::ToServer(text)] if !text.contains("send_mail")),
        "{steps:?}"
    );
}
