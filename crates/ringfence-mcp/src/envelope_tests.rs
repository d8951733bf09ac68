use super::*;

fn reason(line: &str) -> String {
    match read(line).pop().unwrap() {
        Ok(message) => panic!("{line} is {message:?}"),
        Err(unfit) => unfit.reason,
    }
}

#[test]
fn messages_are_told_apart() {
    let kind = |line: &'static str| read(line).pop().unwrap().unwrap().kind;
    let call = kind(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
    assert!(matches!(call, Kind::Call { id: Some(_), .. }));
    let told = kind(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    assert!(matches!(told, Kind::Call { id: None, .. }));
    let answer = kind(r#"{"jsonrpc":"2.0","id":"a","result":{}}"#);
    assert!(matches!(answer, Kind::Answer { result: Some(_), .. }));
    let failed = kind(r#"{"jsonrpc":"2.0","id":"a","error":{"code":1,"message":""}}"#);
    assert!(matches!(failed, Kind::Answer { result: None, .. }));
}

#[test]
fn what_two_readers_could_read_in_two_ways_is_refused() {
    for line in [
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call"}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{},"METHOD":"tools/call"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{}}"#,
        r#"{"jsonrpc":"2.0","id":1}"#,
        r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
        r#"{"id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"\ud800"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":["ping"]}"#,
        r#"{"jsonrpc":"2.0","result":{}}"#,
        "\"ping\"",
        "[]",
        "[1]",
        "{",
        "\u{feff}{}",
    ] {
        assert!(!reason(line).is_empty(), "{line}");
    }
}

#[test]
fn the_items_of_a_batch_are_messages_of_their_own() {
    let line = r#"[{"jsonrpc":"2.0","id":1,"method":"a"}, {"jsonrpc":"2.0","method":"b"},3]"#;
    let items = read(line);
    assert_eq!(items.len(), 3);
    assert_eq!(items[0].as_ref().unwrap().text, r#"{"jsonrpc":"2.0","id":1,"method":"a"}"#);
    assert!(items[2].is_err());
}

#[test]
fn depth_does_not_stop_the_reader() {
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{}{}}}"#,
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    assert!(read(&deep).pop().unwrap().is_err());
    assert!(read(&"[".repeat(100_000)).pop().unwrap().is_err());
}

#[test]
fn what_is_nested_too_deeply_is_refused_with_its_id() {
    let nested = |depth: usize| {
        let (open, close) = ("[".repeat(depth), "]".repeat(depth));
        format!(r#"{{"jsonrpc":"2.0","id":7,"method":"ping","params":{open}{close}}}"#)
    };
    let of =
        |text: &str| read(text).pop().unwrap().map(|_| ()).map_err(|unfit| (unfit.id, unfit.code));
    assert_eq!(of(&nested(DEEPEST - 1)), Ok(()));
    assert_eq!(of(&nested(DEEPEST)), Err((Id::of(&7.into()), INVALID_REQUEST)));
    let brackets = format!(
        r#"{{"jsonrpc":"2.0","id":7,"method":"ping","params":["{}\"["]}}"#,
        "[".repeat(600)
    );
    assert_eq!(of(&brackets), Ok(()));
}

#[test]
fn a_batch_without_end_is_one_mistake() {
    let items = vec!["1"; MOST_ITEMS + 1].join(",");
    let batch = format!("[{items}]");
    let read = read(&batch);
    assert_eq!(read.len(), 1);
    assert_eq!(read[0].as_ref().unwrap_err().code, INVALID_REQUEST);
}
