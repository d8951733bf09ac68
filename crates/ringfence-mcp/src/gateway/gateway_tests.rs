use std::sync::Arc;

use ringfence_core::host::MemoryHost;
use ringfence_core::path::AbsPath;
use ringfence_core::{Context, Date, Role};
use ringfence_guard::{Guard, PolicyBuilder};
use ringfence_manifest::{Format, NoLibrary, Source};
use serde_json::{Value, json};

use super::*;

/// A gateway in front of the server `fs`, with this policy.
fn gateway(policy: &str) -> Gateway {
    gateway_for(policy, None)
}

/// The same, for one agent.
fn gateway_for(policy: &str, agent: Option<&str>) -> Gateway {
    let source = Source::new("policy.toml", Format::Toml, policy).unwrap();
    let loaded = ringfence_manifest::read(&source, Role::User, &NoLibrary).unwrap();
    let project = AbsPath::new("/home/u/proj").unwrap();
    let home = AbsPath::new("/home/u").unwrap();
    let today = Date::from_unix_days(20_000);
    let context = Context::new(Some(project.clone()), home, project, today);
    let host = Arc::new(MemoryHost::new());
    let built = PolicyBuilder::new().loaded(loaded).build(&context, &*host).unwrap();
    let guard = Arc::new(Guard::new(built.policy, host, context));
    Gateway::new(Judge::new(guard, "fs", agent))
}

const SCOPED: &str = r#"
allow = ["mcp:fs/*", "fs:r:/home/u/proj/**", "fs:w:/home/u/proj/out/**", "mcp:fs/prompt:hello"]
ask = ["mcp:fs/send_mail"]
deny = ["mcp:fs/delete_file", "fs:r:**/.env"]
"#;

fn call(id: u32, tool: &str, arguments: &Value) -> String {
    let params = json!({ "name": tool, "arguments": arguments });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string()
}

fn passed(steps: &[Step]) -> bool {
    matches!(steps, [Step::ToServer(_)])
}

/// The text of a refusal that a client was sent instead of a tool's result.
fn refusal(steps: &[Step]) -> Value {
    let [Step::ToClient(text)] = steps else { panic!("{steps:?}") };
    let answer: Value = serde_json::from_str(text).unwrap();
    assert_eq!(answer["result"]["isError"], true, "{text}");
    serde_json::from_str(answer["result"]["content"][0]["text"].as_str().unwrap()).unwrap()
}

fn error(steps: &[Step]) -> Value {
    let [Step::ToClient(text)] = steps else { panic!("{steps:?}") };
    serde_json::from_str::<Value>(text).unwrap()["error"].clone()
}

#[test]
fn c143_every_path_of_a_call_is_judged() {
    let gateway = gateway(SCOPED);
    let good = json!({ "path": "/home/u/proj/a.txt" });
    assert!(passed(&gateway.from_client(&call(1, "read_file", &good))));
    for (id, tool, arguments) in [
        (2, "read_file", json!({ "path": "/etc/hostname" })),
        (3, "read_file", json!({ "path": "../other/x" })),
        (4, "read_multiple_files", json!({ "paths": ["/home/u/proj/a", "/etc/passwd"] })),
        (5, "read_file", json!({ "options": { "deep": [{ "target": "/etc/hostname" }] } })),
        (6, "move_file", json!({ "source": "/home/u/proj/out/a", "destination": "/tmp/x" })),
    ] {
        let refused = refusal(&gateway.from_client(&call(id, tool, &arguments)));
        assert_eq!(refused["code"], "path_not_granted", "{tool} {arguments}");
        assert_eq!(refused["tool_name"], format!("mcp__fs__{tool}"));
    }
}

#[test]
fn c144_a_copy_reads_one_end_and_writes_the_other() {
    let gateway = gateway(SCOPED);
    let ends = |from: &str, to: &str| json!({ "source": from, "destination": to });
    let copy = ends("/home/u/proj/a", "/home/u/proj/out/a");
    assert!(passed(&gateway.from_client(&call(1, "copy_file", &copy))));
    let back = ends("/home/u/proj/out/a", "/home/u/proj/a");
    refusal(&gateway.from_client(&call(2, "copy_file", &back)));
    // A move takes its source away.
    refusal(&gateway.from_client(&call(3, "move_file", &copy)));
}

#[test]
fn c145_an_operation_that_no_word_explains_is_denied() {
    let gateway = gateway(SCOPED);
    let arguments = json!({ "path": "/home/u/proj/a" });
    refusal(&gateway.from_client(&call(1, "frobnicate", &arguments)));
    for verb in ["write", "create", "append", "edit", "overwrite", "mkdir", "remove", "rename"] {
        let refused = gateway.from_client(&call(2, &format!("{verb}_file"), &arguments));
        assert_eq!(refusal(&refused)["code"], "path_not_granted", "{verb}");
    }
}

#[test]
fn c146_the_refusal_is_the_one_envelope() {
    let gateway = gateway(SCOPED);
    let arguments = json!({ "path": "/etc/hostname" });
    let refused = refusal(&gateway.from_client(&call(1, "read_file", &arguments)));
    for key in ["error", "code", "tool_name", "path", "allowed_paths", "hint", "retry"] {
        assert!(refused.get(key).is_some(), "{key}: {refused}");
    }
}

#[test]
fn c147_what_cannot_be_read_is_refused_and_never_passed_on() {
    let gateway = gateway(SCOPED);
    for params in [
        r#"{"name":"read_file","arguments":{"path":"/home/u/proj/a","path":"/etc/passwd"}}"#,
        r#"{"name":"read_file","Arguments":{"path":"/home/u/proj/a"}}"#,
        r#"{"name":7,"arguments":{}}"#,
        r#"["read_file"]"#,
        "null",
    ] {
        let call = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
        assert_eq!(error(&gateway.from_client(&call))["code"], -32602, "{params}");
    }
}

#[test]
fn c148_what_one_agent_is_held_to_is_nothing_to_another() {
    let policy = format!(
        "{SCOPED}[agents.reviewer]\nallow = [\"mcp:fs/read_file\", \"fs:r:/home/u/proj/docs/**\"]\n"
    );
    let read = call(1, "read_file", &json!({ "path": "/home/u/proj/src/a" }));
    let write = call(2, "write_file", &json!({ "path": "/home/u/proj/out/a" }));
    for agent in [None, Some("builder")] {
        let gateway = gateway_for(&policy, agent);
        assert!(passed(&gateway.from_client(&read)) && passed(&gateway.from_client(&write)));
    }
    let gateway = gateway_for(&policy, Some("reviewer"));
    refusal(&gateway.from_client(&read));
    refusal(&gateway.from_client(&write));
    assert!(passed(&gateway.from_client(&call(
        3,
        "read_file",
        &json!({ "path": "/home/u/proj/docs/a" })
    ))));
}

#[test]
fn c149_what_stays_in_a_list_is_passed_on_as_it_was_written() {
    let gateway = gateway(SCOPED);
    let ask = r#"{"jsonrpc":"2.0","id":7,"method":"tools/list"}"#;
    assert!(passed(&gateway.from_client(ask)));
    let kept = r#"{"name":"read_file","inputSchema":{"type":"object", "x":1.0}}"#;
    let hidden = r#"{"name":"delete_file","inputSchema":{}}"#;
    let answer = format!(
        r#"{{"jsonrpc":"2.0","id":7,"result":{{"tools":[{kept},{hidden}],"nextCursor":"c"}}}}"#
    );
    let [Step::ToClient(text)] = &gateway.from_server(&answer)[..] else { panic!() };
    let expected =
        format!(r#"{{"jsonrpc":"2.0","id":7,"result":{{"tools":[{kept}],"nextCursor":"c"}}}}"#);
    assert_eq!(**text, expected);
    // With nothing to hide, the line is the server's own.
    gateway.from_client(ask);
    let answer = format!(r#"{{"jsonrpc": "2.0", "id":7, "result": {{"tools": [{kept}]}} }}"#);
    let [Step::ToClient(text)] = &gateway.from_server(&answer)[..] else { panic!() };
    assert_eq!(**text, answer);
}

#[test]
fn a_tool_that_may_be_called_with_some_arguments_stays_in_the_list() {
    let gateway = gateway(SCOPED);
    gateway.from_client(r#"{"jsonrpc":"2.0","id":7,"method":"tools/list"}"#);
    let tools = r#"[{"name":"search_files"},{"name":"directory_tree"},{"name":"send_mail"}]"#;
    let answer = format!(r#"{{"jsonrpc":"2.0","id":7,"result":{{"tools":{tools}}}}}"#);
    let [Step::ToClient(text)] = &gateway.from_server(&answer)[..] else { panic!() };
    assert_eq!(**text, answer);
}

#[test]
fn a_hidden_tool_cannot_be_called_either() {
    let gateway = gateway(SCOPED);
    let refused = refusal(&gateway.from_client(&call(1, "delete_file", &json!({}))));
    assert_eq!(refused["code"], "denied");
}

#[test]
fn an_entry_that_can_be_read_in_two_ways_is_hidden() {
    let gateway = gateway(SCOPED);
    gateway.from_client(r#"{"jsonrpc":"2.0","id":7,"method":"tools/list"}"#);
    let answer = r#"{"jsonrpc":"2.0","id":7,"result":{"tools":[{"name":"read_file","Name":"delete_file"}]}}"#;
    let [Step::ToClient(text)] = &gateway.from_server(answer)[..] else { panic!() };
    assert!(text.contains(r#""tools":[]"#), "{text}");
}

#[test]
fn a_list_under_another_name_is_not_shown() {
    let gateway = gateway(SCOPED);
    for key in ["Tools", "TOOLS", "tool\u{17f}"] {
        gateway.from_client(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#);
        let list = json!({ key: [{ "name": "delete_file" }] });
        let answer = json!({ "jsonrpc": "2.0", "id": 1, "result": list });
        assert_eq!(error(&gateway.from_server(&answer.to_string()))["code"], -32000, "{key}");
    }
}

#[test]
fn what_can_be_read_in_two_ways_is_refused() {
    let gateway = gateway(SCOPED);
    for params in [
        r#"{"name":"read_file","arguments":{"path":"/home/u/proj/a","path":"/etc/hostname"}}"#,
        r#"{"name":"read_file","Name":"delete_file","arguments":{}}"#,
        r#"{"name":"read_file","arguments":{},"Arguments":{"path":"/etc/hostname"}}"#,
        r#"{"name":["read_file"],"arguments":{}}"#,
        r#"["read_file"]"#,
    ] {
        let line = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
        assert_eq!(error(&gateway.from_client(&line))["code"], -32602, "{params}");
    }
}

#[test]
fn a_call_without_an_id_is_judged_too() {
    let gateway = gateway(SCOPED);
    let params = json!({ "name": "delete_file", "arguments": {} });
    let line = json!({ "jsonrpc": "2.0", "method": "tools/call", "params": params });
    let steps = gateway.from_client(&line.to_string());
    assert!(matches!(&steps[..], [Step::Note(_)]), "{steps:?}");
}

#[test]
fn methods_nobody_knows_are_judged_by_name() {
    let gateway = gateway("allow = [\"mcp:fs/method:x/known\", \"mcp:fs/tool\"]");
    let line = |method: &str| json!({ "jsonrpc": "2.0", "id": 1, "method": method }).to_string();
    assert_eq!(error(&gateway.from_client(&line("x/unknown")))["code"], -32010);
    assert!(passed(&gateway.from_client(&line("x/known"))));
}

#[test]
fn a_server_speaks_to_the_model_only_where_that_is_granted() {
    let request = r#"{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}"#;
    let refused = gateway(SCOPED).from_server(request);
    let [Step::ToServer(text)] = &refused[..] else { panic!("{refused:?}") };
    assert!(text.contains("-32010"), "{text}");
    let open = gateway("allow = [\"mcp:fs/method:sampling/createMessage\"]");
    assert!(matches!(&open.from_server(request)[..], [Step::ToClient(_)]));
    let answer = r#"{"jsonrpc":"2.0","id":1,"result":{"role":"assistant"}}"#;
    assert!(passed(&open.from_client(answer)));
    // A second answer is an answer to nothing.
    assert!(matches!(&open.from_client(answer)[..], [Step::Note(_)]));
}

#[test]
fn what_a_result_asks_of_the_client_is_judged() {
    let gateway = gateway(SCOPED);
    let arguments = json!({ "path": "/home/u/proj/a.txt" });
    gateway.from_client(&call(1, "read_file", &arguments));
    let answer = r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required",
        "inputRequests":{"a":{"method":"sampling/createMessage","params":{}}}}}"#;
    let refused = refusal(&gateway.from_server(answer));
    assert_eq!(refused["code"], "tool_not_granted");
    gateway.from_client(&call(1, "read_file", &arguments));
    let roots =
        r#"{"jsonrpc":"2.0","id":1,"result":{"inputRequests":{"a":{"method":"roots/list"}}}}"#;
    let [Step::ToClient(text)] = &gateway.from_server(roots)[..] else { panic!() };
    assert_eq!(&**text, roots);
}

#[test]
fn what_a_result_asks_under_another_spelling_is_not_heard() {
    for key in ["inputrequests", "InputRequests", "INPUTREQUESTS", "inputReque\\u017fts"] {
        let gateway = gateway(r#"allow = ["mcp:fs/*"]"#);
        assert!(passed(&gateway.from_client(&call(1, "t", &json!({})))));
        let result = format!(
            r#"{{"jsonrpc":"2.0","id":1,"result":{{"{key}":{{"a":{{"method":"sampling/createMessage"}}}}}}}}"#
        );
        let steps = gateway.from_server(&result);
        assert_eq!(error(&steps)["code"], -32000, "{key}");
    }
}

#[test]
fn a_message_goes_on_byte_by_byte() {
    let gateway = gateway(r#"allow = ["mcp:fs/*"]"#);
    for arguments in [r#"{"message":"a"}"#, r#"{ "message" : "\u0061\/" , "n":1.0}"#] {
        let text = format!(
            r#" {{"params":{{"arguments":{arguments} ,"name":"t","x":[]}},"id":"7","method":"tools/call","jsonrpc":"2.0"}}"#
        );
        let Next::Onwards(own) = gateway.next_from_client(&text) else { panic!("{text}") };
        assert_eq!(&*own, text.trim_ascii());
        let answer =
            r#"{"id":"7","result":{"content":[{"type":"text","text":"\u00e9"}]},"jsonrpc":"2.0"}"#;
        let Next::Onwards(own) = gateway.next_from_server(answer) else { panic!("{answer}") };
        assert_eq!(&*own, answer);
    }
}

#[test]
fn a_question_holds_the_call_and_nothing_else() {
    let gateway = gateway(SCOPED);
    let mut steps = gateway.from_client(&call(1, "send_mail", &json!({ "subject": "x" })));
    let Some(Step::Ask(waiting)) = steps.pop() else { panic!("{steps:?}") };
    let other = json!({ "path": "/home/u/proj/a" });
    assert!(passed(&gateway.from_client(&call(2, "read_file", &other))));
    assert!(passed(&gateway.settle(waiting, Said::Yes)));

    let mut steps = gateway.from_client(&call(3, "send_mail", &json!({ "subject": "x" })));
    let Some(Step::Ask(waiting)) = steps.pop() else { panic!("{steps:?}") };
    assert_eq!(refusal(&gateway.settle(waiting, Said::No))["code"], "declined");
}

#[test]
fn a_cancelled_question_is_never_acted_on() {
    let gateway = gateway(SCOPED);
    let mut steps = gateway.from_client(&call(1, "send_mail", &json!({ "subject": "x" })));
    let Some(Step::Ask(waiting)) = steps.pop() else { panic!("{steps:?}") };
    let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    assert!(gateway.awaits(&waiting));
    // The server has never heard of it.
    assert!(gateway.from_client(&cancel.to_string()).is_empty());
    assert!(!gateway.awaits(&waiting), "nobody is asked any more");
    assert!(gateway.settle(waiting, Said::Yes).is_empty());
}

#[test]
fn an_answer_to_what_was_not_sent_is_none() {
    let gateway = gateway(SCOPED);
    let mut steps = gateway.from_client(&call(1, "send_mail", &json!({})));
    let Some(Step::Ask(waiting)) = steps.pop() else { panic!("{steps:?}") };
    for forged in [
        r#"{"jsonrpc":"2.0","id":1,"result":{"content":[]}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{}}"#,
    ] {
        let steps = gateway.from_server(forged);
        assert!(matches!(&steps[..], [Step::Note(_)]), "{forged}: {steps:?}");
    }
    assert!(passed(&gateway.settle(waiting, Said::Yes)), "the question still counts");
}

#[test]
fn what_a_task_asks_of_the_client_is_judged() {
    let gateway = gateway(SCOPED);
    let told = |params: &str| {
        gateway.from_server(&format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/tasks","params":{params}}}"#
        ))
    };
    let asks = r#"{"a":{"method":"sampling/createMessage","params":{}}}"#;
    assert!(matches!(&told(r#"{"taskId":"1","status":"working"}"#)[..], [Step::ToClient(_)]));
    for params in [
        format!(r#"{{"taskId":"1","inputRequests":{asks}}}"#),
        format!(r#"{{"taskId":"1","InputRequests":{asks}}}"#),
        format!(r#"{{"taskId":"1","input\u0052equests":{asks}}}"#),
        format!(r#"{{"taskId":"1","inputRequeſts":{asks}}}"#),
        format!(r#"{{"task":{{"taskId":"1","inputRequests":{asks}}}}}"#),
    ] {
        let steps = told(&params);
        assert!(matches!(&steps[..], [Step::Note(_)]), "{params}: {steps:?}");
    }
}

#[test]
fn ids_that_wait_are_not_used_twice() {
    let gateway = gateway(SCOPED);
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    assert!(passed(&gateway.from_client(ping)));
    assert_eq!(error(&gateway.from_client(ping))["code"], -32600);
    gateway.from_server(r#"{"jsonrpc":"2.0","id":1.0,"result":{}}"#);
    assert!(passed(&gateway.from_client(ping)));
}

#[test]
fn every_call_is_answered_when_the_server_is_gone() {
    let gateway = gateway(SCOPED);
    for id in 1..=3 {
        gateway.from_client(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#));
    }
    assert_eq!(gateway.server_gone("the server has ended").len(), 3);
    assert!(gateway.server_gone("the server has ended").is_empty());
    let late = gateway.from_client(r#"{"jsonrpc":"2.0","id":4,"method":"ping"}"#);
    assert_eq!(error(&late)["code"], -32000);
}

#[test]
fn prompts_resources_and_completions_are_judged() {
    let gateway = gateway(SCOPED);
    let ask = |method: &str, params: Value| {
        let line = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        gateway.from_client(&line.to_string())
    };
    let secret = json!({ "uri": "file:///home/u/proj/.env" });
    assert_eq!(error(&ask("resources/read", secret.clone()))["code"], -32010);
    assert_eq!(error(&ask("resources/subscribe", secret.clone()))["code"], -32010);
    let listen = json!({ "notifications": { "resourceSubscriptions": [secret["uri"]] } });
    assert_eq!(error(&ask("subscriptions/listen", listen))["code"], -32010);
    let complete = json!({ "ref": { "type": "ref/resource", "uri": secret["uri"] } });
    assert_eq!(error(&ask("completion/complete", complete))["code"], -32010);
    let odd = json!({ "ref": { "type": "ref/other" } });
    assert_eq!(error(&ask("completion/complete", odd))["code"], -32602);
    assert!(passed(&ask("prompts/get", json!({ "name": "hello" }))));
}

#[path = "elicit_tests.rs"]
mod elicit;

#[path = "input_tests.rs"]
mod input;

#[path = "introduction_tests.rs"]
mod introduction;

/// The ids that are given up when so many moments pass.
fn given_up(gateway: &Gateway, moments: u32) -> Vec<Value> {
    let steps = (0..moments).flat_map(|_| gateway.moment().steps);
    let answers = steps.filter_map(|step| match step {
        Step::ToClient(text) => Some(serde_json::from_str::<Value>(&text).unwrap()),
        _ => None,
    });
    answers.map(|answer| answer["id"].clone()).collect()
}

#[test]
fn silence_is_counted_from_the_last_word_of_the_server() {
    let gateway = gateway(SCOPED);
    assert!(passed(&gateway.from_client(&call(1, "list", &json!({})))));
    assert!(given_up(&gateway, MOMENTS).is_empty());
    gateway.from_server(r#"{"jsonrpc":"2.0","method":"notifications/message","params":{}}"#);
    assert!(given_up(&gateway, MOMENTS + 1).is_empty());
    assert_eq!(given_up(&gateway, 1), [1]);
    assert!(given_up(&gateway, MOMENTS * 2).is_empty());
}

#[test]
fn who_waits_for_the_client_is_not_silent() {
    let gateway = gateway(SCOPED);
    assert!(passed(&gateway.from_client(&call(1, "list", &json!({})))));
    gateway.from_server(r#"{"jsonrpc":"2.0","id":"s","method":"roots/list"}"#);
    assert!(given_up(&gateway, MOMENTS * 3).is_empty());
    gateway.from_client(r#"{"jsonrpc":"2.0","id":"s","result":{"roots":[]}}"#);
    assert_eq!(given_up(&gateway, MOMENTS + 1), [1]);
}

#[test]
fn a_greeting_is_given_up_but_not_taken_back_and_a_subscription_lasts() {
    let gateway = gateway("allow = [\"mcp:fs/resource:**\"]\n");
    let begin = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {} });
    let listen =
        json!({ "jsonrpc": "2.0", "id": 2, "method": "subscriptions/listen", "params": {} });
    assert!(passed(&gateway.from_client(&begin.to_string())));
    assert!(passed(&gateway.from_client(&listen.to_string())));
    let steps: Vec<Step> = (0..MOMENTS * 3).flat_map(|_| gateway.moment().steps).collect();
    assert!(matches!(&steps[..], [Step::ToClient(text)] if text.contains("\"id\":1")), "{steps:?}");
}
