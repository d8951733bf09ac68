use serde_json::{Value, json};

use super::*;

fn hub() -> Hub {
    Hub::new(vec!["files".to_owned(), "math".to_owned()])
}

fn ask(id: impl Into<Value>, method: &str, params: Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": method, "params": params }).to_string()
}

/// What goes to which server.
fn to_members(routes: Vec<Route>) -> Vec<(usize, Value)> {
    let read = |route| match route {
        Route::ToMember(member, text) => (member, serde_json::from_str(&text).unwrap()),
        other => panic!("{other:?}"),
    };
    routes.into_iter().map(read).collect()
}

/// What the client is told; notes are left out.
fn to_client(routes: Vec<Route>) -> Vec<Value> {
    let read = |route| match route {
        Route::ToClient(text) => Some(serde_json::from_str(&text).unwrap()),
        Route::Note(_) => None,
        Route::ToMember(..) => panic!("{route:?}"),
    };
    routes.into_iter().filter_map(read).collect()
}

fn answer(id: &Value, result: Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string()
}

/// Both servers have said what they can do.
fn begun(of_files: Value, of_math: Value) -> Hub {
    let hub = hub();
    let sent = to_members(hub.from_client(&ask(0, "initialize", json!({}))));
    assert_eq!(sent.len(), 2);
    let said = |version: &str, own: Value| json!({ "protocolVersion": version, "capabilities": own, "serverInfo": {}, "instructions": "x" });
    let first = hub.from_member(0, &answer(&sent[0].1["id"], said("2025-11-25", of_files)));
    assert_eq!(first, []);
    let told =
        to_client(hub.from_member(1, &answer(&sent[1].1["id"], said("2025-06-18", of_math))));
    assert_eq!(told[0]["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(told[0]["result"]["instructions"], "files: x\n\nmath: x");
    hub
}

#[test]
fn introductions_are_joined() {
    let hub = hub();
    let sent = to_members(hub.from_client(&ask("a", "initialize", json!({ "x": 1 }))));
    assert_eq!(sent[0].1["params"], json!({ "x": 1 }));
    assert_ne!(sent[0].1["id"], sent[1].1["id"]);
    let own = json!({ "protocolVersion": "1", "capabilities": { "tools": {}, "tasks": {} } });
    hub.from_member(0, &answer(&sent[0].1["id"], own));
    let own = json!({ "protocolVersion": "2", "capabilities": { "tools": { "listChanged": true }, "logging": {} } });
    let told = to_client(hub.from_member(1, &answer(&sent[1].1["id"], own)));
    assert_eq!(told[0]["id"], "a");
    let capabilities = &told[0]["result"]["capabilities"];
    assert_eq!(*capabilities, json!({ "tools": { "listChanged": true }, "logging": {} }));
}

#[test]
fn calls_go_to_their_server_under_its_own_names() {
    let hub = hub();
    let call = ask(
        "c",
        "tools/call",
        json!({ "name": "math__add__two", "arguments": { "name": "files__x" } }),
    );
    let sent = to_members(hub.from_client(&call));
    assert_eq!(sent[0].0, 1);
    assert_eq!(
        sent[0].1["params"],
        json!({ "name": "add__two", "arguments": { "name": "files__x" } })
    );
    // Another server cannot answer it, and it is answered once.
    let told = answer(&sent[0].1["id"], json!({ "content": [] }));
    let heard = to_client(hub.from_member(1, &told));
    assert_eq!(heard, [json!({ "jsonrpc": "2.0", "id": "c", "result": { "content": [] } })]);
    assert_eq!(hub.from_member(1, &told), []);
    for name in ["add", "other__add", "math_add", "__add"] {
        let told = to_client(hub.from_client(&ask(1, "tools/call", json!({ "name": name }))));
        assert_eq!(told[0]["error"]["code"], -32602, "{name}");
    }
}

#[test]
fn lists_are_joined_over_all_pages() {
    let hub = begun(json!({ "tools": {} }), json!({ "tools": {}, "resources": {} }));
    let sent = to_members(hub.from_client(&ask(7, "tools/list", json!({ "_meta": { "k": 1 } }))));
    let page = json!({ "tools": [{ "name": "read", "inputSchema": {} }], "nextCursor": "p2" });
    let more = to_members(hub.from_member(0, &answer(&sent[0].1["id"], page)));
    assert_eq!(more[0].0, 0);
    assert_eq!(more[0].1["params"], json!({ "_meta": { "k": 1 }, "cursor": "p2" }));
    let page = json!({ "tools": [{ "name": "write" }] });
    assert_eq!(hub.from_member(0, &answer(&more[0].1["id"], page)), []);
    let told = to_client(
        hub.from_member(1, &answer(&sent[1].1["id"], json!({ "tools": [{ "name": "add" }] }))),
    );
    assert_eq!(
        told,
        [json!({ "jsonrpc": "2.0", "id": 7, "result": { "tools": [
            { "name": "files__read", "inputSchema": {} }, { "name": "files__write" }, { "name": "math__add" },
        ] } })]
    );
    // Who has no resources is not asked for them.
    assert_eq!(to_members(hub.from_client(&ask(8, "resources/list", json!({})))).len(), 1);
    let told = to_client(hub.from_client(&ask(9, "prompts/list", json!({}))));
    assert_eq!(told[0]["result"], json!({ "prompts": [] }));
}

#[test]
fn a_server_that_fails_is_left_out_of_a_list() {
    let hub = begun(json!({ "tools": {} }), json!({ "tools": {} }));
    let sent = to_members(hub.from_client(&ask(7, "tools/list", json!({}))));
    let error = json!({ "jsonrpc": "2.0", "id": sent[0].1["id"], "error": { "code": -1, "message": "no" } });
    assert_eq!(hub.from_member(0, &error.to_string()), []);
    hub.member_gone(0);
    let told =
        hub.from_member(1, &answer(&sent[1].1["id"], json!({ "tools": [{ "name": "add" }] })));
    assert!(
        told.contains(&Route::Note("the server `files` has no part in an answer: no".to_owned()))
    );
    assert_eq!(to_client(told)[0]["result"], json!({ "tools": [{ "name": "math__add" }] }));
    let told = to_client(hub.from_client(&ask(8, "tools/call", json!({ "name": "files__read" }))));
    assert_eq!(told[0]["error"]["code"], -32000);
}

#[test]
fn resources_are_known_by_their_lists() {
    let hub = begun(json!({ "resources": {} }), json!({ "resources": {} }));
    let read =
        |id: u32, uri: &str| hub.from_client(&ask(id, "resources/read", json!({ "uri": uri })));
    assert_eq!(to_client(read(1, "demo://a"))[0]["error"]["code"], -32602);
    let sent = to_members(hub.from_client(&ask(2, "resources/list", json!({}))));
    hub.from_member(
        0,
        &answer(&sent[0].1["id"], json!({ "resources": [{ "uri": "demo://a", "name": "a" }] })),
    );
    hub.from_member(
        1,
        &answer(
            &sent[1].1["id"],
            json!({ "resources": [{ "uri": "demo://a" }, { "uri": "demo://b" }] }),
        ),
    );
    let sent = to_members(hub.from_client(&ask(3, "resources/templates/list", json!({}))));
    hub.from_member(0, &answer(&sent[0].1["id"], json!({ "resourceTemplates": [] })));
    let templates = json!({ "resourceTemplates": [{ "uriTemplate": "sum://{a}/{b}" }] });
    hub.from_member(1, &answer(&sent[1].1["id"], templates));
    for (id, uri, member) in [(4, "demo://a", 0), (5, "demo://b", 1), (6, "sum://1/2", 1)] {
        assert_eq!(to_members(read(id, uri))[0].0, member, "{uri}");
    }
    let reference =
        json!({ "ref": { "type": "ref/resource", "uri": "sum://{a}/{b}" }, "argument": {} });
    assert_eq!(to_members(hub.from_client(&ask(7, "completion/complete", reference)))[0].0, 1);
    let reference = json!({ "ref": { "type": "ref/prompt", "name": "math__p" }, "argument": {} });
    let sent = to_members(hub.from_client(&ask(8, "completion/complete", reference)));
    assert_eq!(sent[0].1["params"]["ref"]["name"], "p");
}

#[test]
fn what_servers_ask_is_answered_to_the_one_that_asked() {
    let hub = hub();
    let first = to_client(hub.from_member(0, &ask("s", "roots/list", json!({}))));
    let second = to_client(hub.from_member(1, &ask("s", "roots/list", json!({}))));
    assert_ne!(first[0]["id"], second[0]["id"]);
    let sent = to_members(hub.from_client(&answer(&second[0]["id"], json!({ "roots": [] }))));
    assert_eq!(sent, [(1, json!({ "jsonrpc": "2.0", "id": "s", "result": { "roots": [] } }))]);
    let told = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": "s" } });
    let told = to_client(hub.from_member(0, &told.to_string()));
    assert_eq!(told[0]["params"]["requestId"], first[0]["id"]);
}

#[test]
fn cancellations_carry_the_ids_of_both_sides() {
    let hub = hub();
    let sent = to_members(hub.from_client(&ask("c", "tools/call", json!({ "name": "math__add" }))));
    let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": "c", "reason": "r" } });
    let told = to_members(hub.from_client(&cancel.to_string()));
    assert_eq!(told[0].0, 1);
    assert_eq!(told[0].1["params"], json!({ "requestId": sent[0].1["id"], "reason": "r" }));
    // A late answer is nobody's.
    assert_eq!(hub.from_member(1, &answer(&sent[0].1["id"], json!({}))), []);
    assert_eq!(hub.from_client(&cancel.to_string()), []);
}

#[test]
fn ids_that_wait_are_not_used_twice() {
    let hub = hub();
    let call = ask(1, "tools/call", json!({ "name": "math__add" }));
    assert_eq!(to_members(hub.from_client(&call)).len(), 1);
    assert_eq!(to_client(hub.from_client(&call))[0]["error"]["code"], -32600);
    assert_eq!(
        to_client(hub.from_client(&ask(2, "x/unknown", json!({}))))[0]["error"]["code"],
        -32601
    );
    assert_eq!(to_client(hub.from_client(&ask(3, "ping", json!({}))))[0]["result"], json!({}));
}

#[test]
fn notifications_pass_both_ways() {
    let hub = hub();
    let told = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string();
    assert_eq!(to_members(hub.from_client(&told)).len(), 2);
    let changed = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;
    assert_eq!(hub.from_member(1, changed), [Route::ToClient(changed.to_owned())]);
}

#[test]
fn a_list_of_long_pages_has_an_end() {
    let hub = begun(json!({ "tools": {} }), json!({}));
    let mut sent = to_members(hub.from_client(&ask(1, "tools/list", json!({}))));
    let long = "x".repeat(20 << 20);
    for page in 0..10 {
        let [(0, request)] = &sent[..] else { panic!("{sent:?}") };
        let tool = json!({ "name": format!("t{page}"), "description": long });
        let result = json!({ "tools": [tool], "nextCursor": "more" });
        let routes = hub.from_member(0, &answer(&request["id"], result));
        if routes.iter().any(|route| matches!(route, Route::ToClient(_))) {
            assert!(page < 5, "{page}");
            return;
        }
        sent = to_members(routes);
    }
    panic!("it goes on");
}
