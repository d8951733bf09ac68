use super::*;

fn id(number: u32) -> Id {
    Id::of(&number.into()).unwrap()
}

fn heard(stream: &mut Stream) -> Vec<String> {
    std::iter::from_fn(|| stream.try_recv().ok()).collect()
}

const NOTE: &str = r#"{"jsonrpc":"2.0","method":"notifications/progress"}"#;
const ANSWER: &str = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;

#[test]
fn an_answer_ends_the_stream_that_waits_for_it() {
    let talk = Talk::default();
    let (mut one, mut two) = (talk.wait(&id(1), None).unwrap(), talk.wait(&id(2), None).unwrap());
    assert!(talk.wait(&id(1), None).is_none());
    talk.tell(NOTE.to_owned());
    talk.tell(ANSWER.to_owned());
    assert_eq!(heard(&mut one), [ANSWER]);
    assert_eq!(heard(&mut two), [NOTE]);
    assert!(one.is_closed() || one.try_recv().is_err());
    assert!(talk.wait(&id(1), None).is_some());
}

#[test]
fn what_nobody_hears_is_kept_for_the_next_listener() {
    let talk = Talk::default();
    for _ in 0..MOST_KEPT + 5 {
        talk.tell(NOTE.to_owned());
    }
    let mut stream = talk.listen().unwrap();
    assert!(talk.listen().is_none());
    assert_eq!(heard(&mut stream).len(), MOST_KEPT);
    drop(stream);
    assert!(!talk.is_heard());
    assert!(talk.listen().is_some());
    talk.close();
    assert!(talk.listen().is_none() && talk.wait(&id(1), None).is_none());
}

#[test]
fn what_names_its_request_goes_to_its_stream() {
    let talk = Talk::default();
    let mut one = talk.wait(&id(1), Some(&id(7))).unwrap();
    let mut two = talk.wait(&id(2), None).unwrap();
    let progress =
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7}}"#;
    let news = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}"#;
    for line in [progress, news, NOTE] {
        talk.tell(line.to_owned());
    }
    assert_eq!(heard(&mut one), [progress, news]);
    assert_eq!(heard(&mut two), [NOTE]);
}

#[test]
fn a_client_that_does_not_read_fills_no_memory_and_gets_its_answer() {
    let talk = Talk::default();
    let mut one = talk.wait(&id(1), None).unwrap();
    let begun = Instant::now();
    (0..ROOM * 3).for_each(|_| talk.tell(NOTE.to_owned()));
    // It is waited for once.
    assert!(begun.elapsed() < PATIENCE * 2, "{:?}", begun.elapsed());
    talk.tell(ANSWER.to_owned());
    let told = heard(&mut one);
    assert_eq!(told.len(), ROOM + 1);
    assert_eq!(told[ROOM], ANSWER);
}

#[test]
fn a_client_that_reads_slowly_misses_nothing() {
    let talk = Arc::new(Talk::default());
    let mut stream = talk.wait(&id(1), None).unwrap();
    let teller = Arc::clone(&talk);
    let telling = thread::spawn(move || {
        (0..ROOM * 3).for_each(|_| teller.tell(NOTE.into()));
        teller.tell(ANSWER.into());
    });
    let mut count = 0;
    while stream.blocking_recv().is_some() {
        count += 1;
        thread::sleep(Duration::from_millis(2));
    }
    telling.join().unwrap();
    assert_eq!(count, ROOM * 3 + 1);
}

#[test]
fn what_waits_for_a_listener_is_bounded_in_bytes() {
    let talk = Talk::default();
    let long = "x".repeat(MOST_BYTES / 2);
    for number in 0..3 {
        talk.tell(format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/message","params":{{"n":{number},"data":"{long}"}}}}"#
        ));
    }
    let mut stream = talk.listen().unwrap();
    talk.close();
    let told: Vec<String> = std::iter::from_fn(|| stream.blocking_recv()).collect();
    assert_eq!(told.len(), 1);
    assert!(told[0].contains(r#""n":2"#));
}
