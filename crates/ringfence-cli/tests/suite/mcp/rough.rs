//! Messages that are large, deep, odd or out of order: each is answered, and the gateway goes on.

use serde_json::{Value, json};

use super::ends::Line;

fn ids(answers: &[Value]) -> Vec<Value> {
    answers.iter().map(|answer| answer["id"].clone()).collect()
}

#[test]
fn a_batch_is_answered_one_by_one() {
    let mut line = Line::open();
    let ping = |id: u32| json!({ "jsonrpc": "2.0", "id": id, "method": "ping" });
    line.say(
        format!("{}\n[]\n", json!([ping(1), ping(2), { "jsonrpc": "2.0" }, ping(3)])).as_bytes(),
    );
    let answers = line.hear(5);
    let (good, bad): (Vec<Value>, Vec<Value>) =
        answers.into_iter().partition(|answer| answer["result"].is_object());
    assert_eq!(ids(&good), [1, 2, 3]);
    assert!(bad.iter().all(|answer| answer["error"]["code"] == -32600), "{bad:?}");
}

#[test]
fn ids_of_every_kind_come_back_as_they_were() {
    let mut line = Line::open();
    let odd = json!(["a", "", "1", 1, -3, 1.5, 4_503_599_627_370_496_u64, "\u{e9}\"\\"]);
    for id in odd.as_array().unwrap() {
        line.say(
            format!("{}\n", json!({ "jsonrpc": "2.0", "id": id, "method": "ping" })).as_bytes(),
        );
        assert_eq!(line.hear(1)[0]["id"], *id);
    }
    for id in [json!(null), json!([1]), json!({}), json!(true)] {
        line.say(
            format!("{}\n", json!({ "jsonrpc": "2.0", "id": id, "method": "ping" })).as_bytes(),
        );
        assert_eq!(line.hear(1)[0]["error"]["code"], -32600, "{id}");
    }
}

#[test]
fn answers_in_another_order_find_their_calls() {
    let mut line = Line::open();
    (1..=20).for_each(|id| line.ask(id, "x/hold"));
    line.ask(21, "x/release");
    let answers = line.hear(21);
    let expected: Vec<Value> = (1..=20).rev().chain([21]).map(Value::from).collect();
    assert_eq!(ids(&answers), expected);
}

#[test]
fn what_is_too_deep_too_long_or_said_twice_is_refused_and_forgotten() {
    let mut line = Line::open();
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let deep = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{deep}}}\n");
    line.say(deep.as_bytes());
    let answers = line.hear(1);
    assert_eq!((&answers[0]["id"], &answers[0]["error"]["code"]), (&json!(1), &json!(-32600)));
    line.say(b"{\"jsonrpc\":\"2.0\",\"id\":2,\"id\":3,\"method\":\"ping\"}\n");
    assert_eq!(line.hear(1)[0]["error"]["code"], -32600);
    line.say(b"{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"ping\",\"params\":\"");
    let block = vec![b'x'; 1 << 20];
    (0..70).for_each(|_| line.say(&block));
    line.say(b"\"}\n");
    assert_eq!(line.hear(1)[0]["error"]["code"], -32700);
    line.ask(5, "ping");
    assert_eq!(ids(&line.hear(1)), [5]);
    let status = std::fs::read_to_string(format!("/proc/{}/status", line.gateway.id())).unwrap();
    let most = status.lines().find_map(|own| own.strip_prefix("VmHWM:")).unwrap();
    let most: u64 = most.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(most < 256 << 10, "{most} kB");
}
