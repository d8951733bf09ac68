use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

use super::*;

/// A queue with its own directory.
struct Fixture {
    directory: tempfile::TempDir,
    queue: Arc<Queue>,
}

fn times(limit: u64, stands: u64) -> QueueTimeouts {
    QueueTimeouts { limit: Duration::from_millis(limit), stands: Duration::from_millis(stands) }
}

fn run() -> RunInfo {
    RunInfo {
        pid: std::process::id(),
        command: "sh".to_owned(),
        directory: "/".to_owned(),
        policy: "policy.toml".to_owned(),
    }
}

impl Fixture {
    fn new(times: QueueTimeouts) -> Fixture {
        let directory = tempfile::tempdir().unwrap();
        let queue = Arc::new(Queue::new(run(), vec![directory.path().join("ringfence")], times));
        Fixture { directory, queue }
    }

    fn places(&self) -> Vec<PathBuf> {
        vec![self.directory.path().join("ringfence")]
    }

    /// Asks in a new thread.
    fn ask(&self, what: &str) -> mpsc::Receiver<ApprovalAnswer> {
        let (tell, told) = mpsc::channel();
        let (queue, question) = (Arc::clone(&self.queue), question(what));
        thread::spawn(move || tell.send(queue.ask(&question)));
        told
    }

    /// Returns the questions once there are `count` of them.
    fn seen(&self, count: usize) -> Vec<QuestionSummary> {
        let begun = Instant::now();
        loop {
            let found = pending(&self.places());
            assert_eq!(found.unreachable, Vec::<String>::new());
            let all: Vec<_> = found.runs.into_iter().flat_map(|seen| seen.questions).collect();
            if all.len() == count {
                return all;
            }
            assert!(begun.elapsed() < Duration::from_secs(20), "{all:?}");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

fn question(what: &str) -> ApprovalQuestion {
    ApprovalQuestion {
        what: what.to_owned(),
        pattern: Some(format!("cmd:{what}")),
        program: "/bin/x".to_owned(),
        ..ApprovalQuestion::default()
    }
}

const LONG: Duration = Duration::from_secs(20);

#[test]
fn a_question_waits_for_its_answer() {
    let fixture = Fixture::new(times(60_000, 30_000));
    assert!(!fixture.places()[0].exists(), "nothing is made before there is a question");
    let told = fixture.ask("a");
    let seen = fixture.seen(1);
    assert_eq!((seen[0].what.as_str(), seen[0].pattern.as_deref()), ("a", Some("cmd:a")));
    assert!(told.try_recv().is_err());
    let (run, shown) = answer(&fixture.places(), &seen[0].id, ApprovalAnswer::Once).unwrap();
    assert_eq!((run.pid, shown.what.as_str()), (std::process::id(), "a"));
    assert_eq!(told.recv_timeout(LONG), Ok(ApprovalAnswer::Once));
    assert!(matches!(
        answer(&fixture.places(), &seen[0].id, ApprovalAnswer::Once),
        Err(AnswerError::Gone)
    ));
    // "Once" covers one question only.
    let told = fixture.ask("a");
    let again = fixture.seen(1);
    assert_ne!(again[0].id, seen[0].id);
    answer(&fixture.places(), &again[0].id, ApprovalAnswer::No).unwrap();
    assert_eq!(told.recv_timeout(LONG), Ok(ApprovalAnswer::No));
}

#[test]
fn equal_questions_share_one_answer() {
    let fixture = Fixture::new(times(60_000, 30_000));
    let told = [fixture.ask("a"), fixture.ask("a"), fixture.ask("b")];
    let seen = fixture.seen(2);
    // All three must be pending before one is answered.
    thread::sleep(Duration::from_millis(200));
    for shown in seen {
        let says = if shown.what == "a" { ApprovalAnswer::Session } else { ApprovalAnswer::No };
        answer(&fixture.places(), &shown.id, says).unwrap();
    }
    let said: Vec<_> = told.iter().map(|own| own.recv_timeout(LONG).unwrap()).collect();
    assert_eq!(said, [ApprovalAnswer::Session, ApprovalAnswer::Session, ApprovalAnswer::No]);
    assert_eq!(
        fixture.ask("a").recv_timeout(LONG),
        Ok(ApprovalAnswer::Session),
        "until the run ends"
    );
    assert_eq!(
        fixture.ask("b").recv_timeout(LONG),
        Ok(ApprovalAnswer::No),
        "a no stands for a while"
    );
}

#[test]
fn a_no_answers_equal_questions_for_a_limited_time() {
    let fixture = Fixture::new(times(60_000, 50));
    let told = fixture.ask("a");
    answer(&fixture.places(), &fixture.seen(1)[0].id, ApprovalAnswer::No).unwrap();
    assert_eq!(told.recv_timeout(LONG), Ok(ApprovalAnswer::No));
    thread::sleep(Duration::from_millis(60));
    let told = fixture.ask("a");
    answer(&fixture.places(), &fixture.seen(1)[0].id, ApprovalAnswer::Once).unwrap();
    assert_eq!(told.recv_timeout(LONG), Ok(ApprovalAnswer::Once));
}

#[test]
fn no_answer_in_time_is_a_no() {
    let fixture = Fixture::new(times(50, 30_000));
    assert_eq!(fixture.ask("a").recv_timeout(LONG), Ok(ApprovalAnswer::No));
    assert_eq!(fixture.queue.unanswered(), 1);
    assert_eq!(fixture.seen(0), []);
}

#[test]
fn c124_a_yes_a_no_and_silence_are_three_answers_to_one_question() {
    let fixture = Fixture::new(times(60_000, 0));
    for (said, expected) in
        [(ApprovalAnswer::Once, ApprovalAnswer::Once), (ApprovalAnswer::No, ApprovalAnswer::No)]
    {
        // Two equal questions at the same time become one.
        let both = [fixture.ask("a"), fixture.ask("a")];
        let seen = fixture.seen(1);
        answer(&fixture.places(), &seen[0].id, said).unwrap();
        for told in both {
            let heard = told.recv_timeout(LONG);
            // The second question may arrive after the answer to the first; then it is asked again.
            let heard = heard.or_else(|_| {
                answer(&fixture.places(), &fixture.seen(1)[0].id, said).unwrap();
                told.recv_timeout(LONG)
            });
            assert_eq!(heard, Ok(expected));
        }
    }
    let hasty = Fixture::new(times(50, 0));
    assert_eq!(hasty.queue.answer(&question("b")), None, "silence is no answer");
    assert_eq!(hasty.queue.unanswered(), 1);
    assert_eq!(crate::NoApprover.answer(&question("b")), None, "and nobody is silent");
}

#[test]
fn the_exact_call_is_part_of_the_question() {
    let fixture = Fixture::new(times(60_000, 30_000));
    let told = fixture.ask("a");
    answer(&fixture.places(), &fixture.seen(1)[0].id, ApprovalAnswer::Session).unwrap();
    assert_eq!(told.recv_timeout(LONG), Ok(ApprovalAnswer::Session));
    let other = ApprovalQuestion { exact: "elsewhere".to_owned(), ..question("a") };
    assert_eq!(fixture.queue.shared.known(&other), None);
}

#[test]
fn the_end_of_a_run_is_a_no() {
    let fixture = Fixture::new(times(60_000, 30_000));
    let told = fixture.ask("a");
    fixture.seen(1);
    fixture.queue.close();
    assert_eq!(told.recv_timeout(LONG), Ok(ApprovalAnswer::No));
    assert_eq!(std::fs::read_dir(&fixture.places()[0]).unwrap().count(), 0);
    assert_eq!(fixture.queue.ask(&question("b")), ApprovalAnswer::No);
}

#[test]
fn a_directory_that_others_can_enter_is_not_used() {
    let fixture = Fixture::new(times(60_000, 30_000));
    let place = &fixture.places()[0];
    std::fs::create_dir(place).unwrap();
    std::fs::set_permissions(place, std::fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(fixture.queue.ask(&question("a")), ApprovalAnswer::No);
    assert_eq!(pending(&fixture.places()).unreachable.len(), 1);
}

#[test]
fn a_link_in_place_of_the_directory_is_not_followed() {
    let fixture = Fixture::new(times(60_000, 30_000));
    let elsewhere = fixture.directory.path().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    std::fs::set_permissions(&elsewhere, std::fs::Permissions::from_mode(0o700)).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &fixture.places()[0]).unwrap();
    assert_eq!(fixture.queue.ask(&question("a")), ApprovalAnswer::No);
}

#[test]
fn stale_sockets_are_removed() {
    let fixture = Fixture::new(times(60_000, 30_000));
    let place = &fixture.places()[0];
    socket_dirs::prepare(place).unwrap();
    let left = place.join(format!("{}.sock", std::process::id()));
    drop(std::os::unix::net::UnixListener::bind(&left).unwrap());
    drop(std::os::unix::net::UnixListener::bind(place.join("1.sock")).unwrap());
    let told = fixture.ask("a");
    let id = &fixture.seen(1)[0].id;
    assert!(!place.join("1.sock").exists());
    answer(&fixture.places(), id, ApprovalAnswer::Once).unwrap();
    assert_eq!(told.recv_timeout(LONG), Ok(ApprovalAnswer::Once));
}

#[test]
fn malformed_requests_are_refused() {
    use std::io::{Read, Write};
    let fixture = Fixture::new(times(60_000, 30_000));
    let told = fixture.ask("a");
    let id = fixture.seen(1)[0].id.clone();
    let socket = fixture.places()[0].join(format!("{}.sock", std::process::id()));
    let long = "x".repeat(10_000);
    let unknown = format!("{{\"do\":\"answer\",\"id\":\"{id}\",\"answer\":\"once\",\"more\":1}}\n");
    for said in ["\n", "{}\n", "nonsense\n", "{\"do\":\"give_up\"}\n", &unknown, &long] {
        let mut stream = std::os::unix::net::UnixStream::connect(&socket).unwrap();
        // The server does not read a line that is too long to its end.
        let _ = stream.write_all(said.as_bytes());
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut heard = String::new();
        let _ = stream.read_to_string(&mut heard);
        assert!(heard.is_empty() || heard.contains("refused"), "{said}: {heard}");
    }
    assert!(told.try_recv().is_err(), "it still waits");
    answer(&fixture.places(), &id, ApprovalAnswer::Once).unwrap();
    assert_eq!(told.recv_timeout(LONG), Ok(ApprovalAnswer::Once));
}

#[test]
fn questions_beyond_the_limit_are_declined() {
    let fixture = Fixture::new(times(60_000, 30_000));
    let told: Vec<_> = (0..64).map(|number| fixture.ask(&number.to_string())).collect();
    fixture.seen(64);
    assert_eq!(fixture.ask("one more").recv_timeout(LONG), Ok(ApprovalAnswer::No));
    fixture.queue.close();
    assert!(told.iter().all(|own| own.recv_timeout(LONG) == Ok(ApprovalAnswer::No)));
}

#[test]
fn a_desk_shows_the_question_and_may_answer() {
    struct Yes;
    impl QuestionDisplay for Yes {
        fn show(&self, waiting: &PendingQuestion) {
            assert_eq!(waiting.question().unwrap().what, "a");
            assert!(waiting.answer(ApprovalAnswer::Session));
            assert!(!waiting.answer(ApprovalAnswer::No), "it is answered already");
        }
    }
    // Nobody can listen here; the display can still get an answer.
    let nowhere = vec![PathBuf::from("/proc/ringfence")];
    let queue = Queue::new(run(), nowhere, times(20_000, 30_000)).with_display(Arc::new(Yes));
    assert_eq!(queue.ask(&question("a")), ApprovalAnswer::Session);
}

#[test]
fn directories_are_tried_in_order() {
    let home = Path::new("/home/u");
    let check = |runtime: Option<&str>, expected: &[&str]| {
        let found = socket_dirs(7, home, runtime.map(AsRef::as_ref));
        assert_eq!(found, expected.iter().map(PathBuf::from).collect::<Vec<_>>());
    };
    let state = "/home/u/.local/state/ringfence/run";
    check(None, &["/run/user/7/ringfence", state]);
    check(Some("/run/user/7"), &["/run/user/7/ringfence", state]);
    check(Some("/tmp/r"), &["/tmp/r/ringfence", "/run/user/7/ringfence", state]);
    check(Some("relative"), &["/run/user/7/ringfence", state]);
}

#[test]
fn a_question_without_a_waiting_process_is_removed() {
    let fixture = Fixture::new(times(60_000, 30_000));
    let ask = |waits: &Arc<AtomicBool>| {
        let (queue, waits) = (Arc::clone(&fixture.queue), Arc::clone(waits));
        let waits = move || waits.load(Ordering::Acquire);
        thread::spawn(move || queue.answer_while(&question("a"), &waits))
    };
    let [first, second] = [(), ()].map(|()| Arc::new(AtomicBool::new(true)));
    let told = [ask(&first), ask(&second)];
    fixture.seen(1);
    thread::sleep(Duration::from_millis(200));
    first.store(false, Ordering::Release);
    thread::sleep(Duration::from_millis(500));
    fixture.seen(1);
    second.store(false, Ordering::Release);
    fixture.seen(0);
    assert_eq!(told.map(|own| own.join().unwrap()), [None, None]);
    assert_eq!(fixture.queue.unanswered(), 0, "nobody is to blame");
    // The next process is asked anew.
    let told = fixture.ask("a");
    answer(&fixture.places(), &fixture.seen(1)[0].id, ApprovalAnswer::Once).unwrap();
    assert_eq!(told.recv_timeout(LONG), Ok(ApprovalAnswer::Once));
}
