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
fn a_client_that_does_not_read_fills_no_memory() {
    let talk = Talk::default();
    let mut one = talk.wait(&id(1), None).unwrap();
    (0..MOST_KEPT * 2).for_each(|_| talk.tell(NOTE.to_owned()));
    assert_eq!(heard(&mut one).len(), MOST_KEPT);
}
