use std::sync::Mutex;

use super::*;

fn handed(event: &str) -> ForwardedEvent {
    let (agent, directory) = ("codex".to_owned(), "/".to_owned());
    ForwardedEvent { agent, event: event.to_owned(), variables: Vec::new(), directory }
}

#[test]
fn an_event_is_forwarded_and_its_outcome_returned() {
    let state = tempfile::tempdir().unwrap();
    assert!(!is_there(state.path()));
    assert_eq!(hand_over(state.path(), &handed("x"), PATIENCE), None, "nobody listens");
    let heard = Arc::new(Mutex::new(Vec::new()));
    let all = Arc::clone(&heard);
    let answerer = move |handed: &ForwardedEvent, waits: &dyn Fn() -> bool| {
        assert!(waits());
        all.lock().unwrap().push(handed.clone());
        EventOutcome::Unanswered { id: Some("abcdef".to_owned()) }
    };
    let channel = HookChannel::open(state.path(), Arc::new(answerer), |_| {}).unwrap();
    assert!(is_there(state.path()));
    let said = hand_over(state.path(), &handed("x"), PATIENCE);
    assert_eq!(said, Some(EventOutcome::Unanswered { id: Some("abcdef".to_owned()) }));
    assert_eq!(*heard.lock().unwrap(), [handed("x")]);
    drop(channel);
    assert_eq!(hand_over(state.path(), &handed("x"), PATIENCE), None, "it is gone");
    assert!(!is_there(state.path()));
}

#[test]
fn a_malformed_event_gets_no_answer() {
    let state = tempfile::tempdir().unwrap();
    let answerer = |_: &ForwardedEvent, _: &dyn Fn() -> bool| panic!("nothing was handed over");
    let channel = HookChannel::open(state.path(), Arc::new(answerer), |_| {}).unwrap();
    for said in [
        "\n",
        "{\"do\":\"answer\",\"id\":\"abcdef\",\"answer\":\"once\"}\n",
        "{\"is\":\"agreed\"}\n",
        "{\"agent\":\"codex\",\"event\":\"x\",\"variables\":[],\"directory\":\"/\",\"answer\":\"once\"}\n",
        "half a line",
    ] {
        let mut stream = UnixStream::connect(channel.path()).unwrap();
        stream.write_all(said.as_bytes()).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut back = String::new();
        stream.read_to_string(&mut back).unwrap();
        assert_eq!(back, "", "{said}");
    }
}

#[test]
fn a_hook_that_was_ended_waits_no_more() {
    let state = tempfile::tempdir().unwrap();
    let (tell, told) = std::sync::mpsc::channel();
    let answerer = move |_: &ForwardedEvent, waits: &dyn Fn() -> bool| {
        tell.send(waits()).unwrap();
        while waits() {
            std::thread::sleep(Duration::from_millis(5));
        }
        tell.send(false).unwrap();
        EventOutcome::Declined
    };
    let channel = HookChannel::open(state.path(), Arc::new(answerer), |_| {}).unwrap();
    let stream = UnixStream::connect(channel.path()).unwrap();
    write(&stream, &handed("x")).unwrap();
    assert_eq!(told.recv_timeout(PATIENCE), Ok(true));
    drop(stream);
    assert_eq!(told.recv_timeout(PATIENCE), Ok(false));
}
