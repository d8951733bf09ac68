//! Questions to a person, while a connection waits.
//!
//! No answer, a late answer or an asker that breaks is a no.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ringfence_core::net::{Endpoint, HostName};
use ringfence_guard::{Approval, Refusal};
use tokio::sync::watch;
use tokio::time::timeout;

use crate::apart::apart;
use crate::observe::Via;

/// What a person is asked.
#[derive(Debug, Clone)]
pub struct Question {
    /// The host that would be connected to.
    pub host: HostName,
    /// The port.
    pub port: u16,
    /// How it was asked for.
    pub via: Via,
    /// Addresses of the name that are not on the internet; they are known only after the name
    /// was looked up, for which a person has agreed before.
    pub addresses: Vec<IpAddr>,
    /// What the client reads if the answer is no: the grounds in words.
    pub refusal: Refusal,
}

impl Question {
    /// The pattern that would spare the question.
    pub fn pattern(&self) -> String {
        format!("net:{}", Endpoint { host: self.host.clone(), port: Some(self.port) })
    }
}

/// What a person answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// What waits for the answer may go; the next one is asked about again.
    Once,
    /// This host and port, until the run ends.
    Run,
    /// No.
    No,
}

/// Puts questions to a person.
pub trait Asker: Send + Sync {
    /// Asks and waits for the answer; it may block, on a thread of its own.
    fn ask(&self, question: &Question) -> Answer;
}

/// For a run where nobody can be asked: every question is a refusal.
#[derive(Debug, Clone, Copy)]
pub struct NobodyToAsk;

impl Asker for NobodyToAsk {
    fn ask(&self, _question: &Question) -> Answer {
        Answer::No
    }
}

/// How long a no stands before the same thing is asked again: a client that tries again and again
/// is not to wear a person out.
const NO_STANDS: Duration = Duration::from_secs(30);

/// Questions under way and answers that still hold.
pub(crate) struct Asking {
    asker: Arc<dyn Asker>,
    limit: Duration,
    known: Arc<Mutex<HashMap<Key, Known>>>,
}

/// Host, port, and the addresses that were shown.
type Key = (HostName, u16, Vec<IpAddr>);

#[derive(Clone)]
enum Known {
    Yes,
    No(Instant),
    Pending(watch::Receiver<Option<Answer>>),
}

/// How a question ended: with the approval, where a person agreed.
#[derive(Debug)]
pub(crate) enum Ended {
    /// It was answered before.
    Remembered(Option<Approval>),
    /// A person was asked.
    Asked(Option<Approval>),
}

impl Ended {
    /// Returns the approval, if a person agreed.
    pub(crate) fn into_approval(self) -> Option<Approval> {
        let (Ended::Remembered(approval) | Ended::Asked(approval)) = self;
        approval
    }
}

impl Asking {
    pub(crate) fn new(asker: Arc<dyn Asker>, limit: Duration) -> Asking {
        Asking { asker, limit, known: Arc::default() }
    }

    /// Whether a person agrees. Those who ask the same at one time share the answer.
    pub(crate) async fn ask(&self, question: Question) -> Ended {
        let key = (question.host.clone(), question.port, question.addresses.clone());
        let (mut answer, asked) = {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            match known.get(&key).cloned() {
                Some(Known::Yes) => return Ended::Remembered(Some(Approval::by_person())),
                Some(Known::No(since)) if since.elapsed() < NO_STANDS => {
                    return Ended::Remembered(None);
                }
                Some(Known::Pending(answer)) => (answer, false),
                _ => {
                    let (tell, answer) = watch::channel(None);
                    known.insert(key.clone(), Known::Pending(answer.clone()));
                    self.put(key, question, tell);
                    (answer, true)
                }
            }
        };
        let told = answer.wait_for(Option::is_some).await;
        let is_yes = matches!(told.as_deref(), Ok(Some(Answer::Once | Answer::Run)));
        let approval = is_yes.then(Approval::by_person);
        if asked { Ended::Asked(approval) } else { Ended::Remembered(approval) }
    }

    /// Asks in a task of its own: a client that goes away does not take the question with it.
    fn put(&self, key: Key, question: Question, tell: watch::Sender<Option<Answer>>) {
        let (asker, known, limit) = (Arc::clone(&self.asker), Arc::clone(&self.known), self.limit);
        tokio::spawn(async move {
            let asked = apart(move || asker.ask(&question));
            let answer = match timeout(limit, asked).await {
                Ok(Ok(answer)) => answer,
                Ok(Err(_)) | Err(_) => Answer::No,
            };
            let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
            match answer {
                Answer::Run => known.insert(key, Known::Yes),
                Answer::No => known.insert(key, Known::No(Instant::now())),
                Answer::Once => known.remove(&key),
            };
            drop(known);
            tell.send_replace(Some(answer));
        });
    }
}
