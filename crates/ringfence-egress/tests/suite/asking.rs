use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use ringfence_egress::{Answer, Asker, Question};

use super::fence::{Fence, Plan};
use super::server::Server;

/// Answers every question in the same way, after a while.
struct Person {
    answer: Answer,
    after: Duration,
    asked: AtomicUsize,
    questions: Mutex<Vec<(String, usize)>>,
}

impl Asker for Person {
    fn ask(&self, question: &Question) -> Answer {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.questions.lock().unwrap().push((question.pattern(), question.addresses.len()));
        thread::sleep(self.after);
        self.answer
    }
}

fn person(answer: Answer, after_ms: u64) -> Arc<Person> {
    Arc::new(Person {
        answer,
        after: Duration::from_millis(after_ms),
        asked: AtomicUsize::new(0),
        questions: Mutex::default(),
    })
}

fn fence(policy: &str, person: &Arc<Person>) -> Fence {
    let mut plan = Plan::new(policy).pin("public.test", &["93.184.216.34"]);
    plan.asker = Some(Arc::<Person>::clone(person));
    plan.limits.answer = Duration::from_secs(2);
    plan.limits.connect = Duration::from_millis(300);
    plan.start()
}

fn status(fence: &Fence, endpoint: &str) -> String {
    fence.connect(endpoint).1.get(9..12).unwrap_or_default().to_owned()
}

#[test]
fn a_yes_for_the_run_is_asked_once() {
    let server = Server::echo();
    let person = person(Answer::Run, 0);
    let fence = fence("ask = [\"net:a.test\"]", &person);
    for _ in 0..3 {
        assert_eq!(status(&fence, &format!("a.test:{}", server.port())), "200");
    }
    // By name, and once more since it leads to this machine.
    let pattern = format!("net:a.test:{}", server.port());
    assert_eq!(*person.questions.lock().unwrap(), [(pattern.clone(), 0), (pattern, 1)]);
    assert_eq!(fence.running.counts().asked, 2);
}

#[test]
fn a_yes_for_once_is_asked_again() {
    let person = person(Answer::Once, 0);
    let fence = fence("ask = [\"net:*\"]", &person);
    for _ in 0..2 {
        // Whether anything answers there does not matter.
        assert_ne!(status(&fence, "public.test:9"), "403");
    }
    assert_eq!(person.asked.load(Ordering::Relaxed), 2);
}

#[test]
fn a_no_is_a_refusal_and_stands_for_a_while() {
    let person = person(Answer::No, 0);
    let fence = fence("ask = [\"net:a.test\"]", &person);
    for _ in 0..3 {
        assert_eq!(status(&fence, "a.test:80"), "403");
    }
    assert_eq!(person.asked.load(Ordering::Relaxed), 1);
    assert_eq!(fence.lookups(), Vec::<String>::new());
    assert_eq!(fence.running.counts().refused, 3);
}

#[test]
fn no_answer_in_time_is_a_refusal() {
    let person = person(Answer::Run, 5_000);
    let mut plan = Plan::new("ask = [\"net:a.test\"]");
    plan.asker = Some(Arc::<Person>::clone(&person));
    plan.limits.answer = Duration::from_millis(100);
    let fence = plan.start();
    let begun = Instant::now();
    assert_eq!(status(&fence, "a.test:80"), "403");
    drop(fence);
    assert!(begun.elapsed() < Duration::from_secs(3), "the question was waited for");
}

#[test]
fn nobody_to_ask_is_a_refusal() {
    let fence = Plan::new("ask = [\"net:a.test\"]").start();
    assert_eq!(status(&fence, "a.test:80"), "403");
    assert_eq!(fence.refusal().refusal.code.as_str(), "approval_required");
}

#[test]
fn those_who_ask_the_same_at_one_time_share_the_answer() {
    let person = person(Answer::Once, 300);
    let fence = fence("ask = [\"net:*\"]", &person);
    thread::scope(|scope| {
        for _ in 0..5 {
            scope.spawn(|| status(&fence, "public.test:9"));
        }
    });
    assert_eq!(person.asked.load(Ordering::Relaxed), 1);
}

#[test]
fn an_asker_that_breaks_is_a_refusal() {
    struct Broken;
    impl Asker for Broken {
        fn ask(&self, _question: &Question) -> Answer {
            panic!("out of order")
        }
    }
    let mut plan = Plan::new("ask = [\"net:a.test\"]");
    plan.asker = Some(Arc::new(Broken));
    assert_eq!(status(&plan.start(), "a.test:80"), "403");
}

#[test]
fn a_denial_is_never_asked_about() {
    let person = person(Answer::Run, 0);
    let fence = fence("ask = [\"net:*\"]\ndeny = [\"net:a.test\"]", &person);
    assert_eq!(status(&fence, "a.test:80"), "403");
    assert_eq!(person.asked.load(Ordering::Relaxed), 0);
}
