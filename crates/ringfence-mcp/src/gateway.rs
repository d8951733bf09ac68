//! The gateway: what becomes of each message, without any I/O.

use std::sync::{Mutex, MutexGuard, PoisonError};

use ringfence_exec::{Answer, Question};
use ringfence_guard::Refusal;
use serde_json::value::RawValue;

use crate::answer::{self, Form};
use crate::envelope::{self, Kind, Message, Unfit};
use crate::id::Id;
use crate::judge::{Decision, Judge};
use crate::list;
use crate::method::{self, Care, Listed};
use crate::object::Object;
use crate::pending::{Full, Pending, Stage};

/// Stands between one client and one server.
pub struct Gateway {
    judge: Judge,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// What the client asked of the server.
    of_client: Pending,
    /// What the server asked of the client.
    of_server: Pending,
}

/// What is to be done next.
#[derive(Debug)]
pub enum Step {
    /// Send this line to the server.
    ToServer(String),
    /// Send this line to the client.
    ToClient(String),
    /// Ask a person, and go on with [`Gateway::settle`].
    Ask(Waiting),
    /// Say this to the person who reads the log.
    Note(String),
}

/// A message that waits for a person's answer.
#[derive(Debug)]
pub struct Waiting {
    /// What is asked.
    pub question: Box<Question>,
    side: Side,
    text: String,
    id: Id,
    form: Form,
}

/// Who sent a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Client,
    Server,
}

impl Side {
    /// A step that sends a line onwards.
    fn onwards(self, text: String) -> Step {
        match self {
            Side::Client => Step::ToServer(text),
            Side::Server => Step::ToClient(text),
        }
    }

    /// A step that sends a line back.
    fn back(self, text: String) -> Step {
        match self {
            Side::Client => Step::ToClient(text),
            Side::Server => Step::ToServer(text),
        }
    }
}

impl Gateway {
    /// A gateway that asks this judge.
    pub fn new(judge: Judge) -> Gateway {
        Gateway { judge, state: Mutex::default() }
    }

    /// What becomes of a line from the client.
    pub fn from_client(&self, line: &str) -> Vec<Step> {
        self.take(Side::Client, line)
    }

    /// What becomes of a line from the server.
    pub fn from_server(&self, line: &str) -> Vec<Step> {
        self.take(Side::Server, line)
    }

    /// What becomes of a message once a person has answered.
    pub fn settle(&self, waiting: Waiting, answer: Answer) -> Vec<Step> {
        let Waiting { question, side, text, id, form } = waiting;
        let mut state = self.state();
        let pending = state.of(side);
        if pending.stage(&id) != Some(Stage::Asked) {
            // It was cancelled meanwhile.
            return Vec::new();
        }
        if answer.is_yes() {
            pending.sent(&id);
            return vec![side.onwards(text)];
        }
        pending.take(&id);
        drop(state);
        match question.refusal {
            Some(refusal) => vec![side.back(answer::refused(&id, form, &refusal))],
            None => vec![side.back(answer::unreadable(&id, &question.why))],
        }
    }

    /// The server is gone: every call that waits is answered.
    pub fn server_gone(&self, reason: &str) -> Vec<Step> {
        let waiting = self.state().of_client.take_all();
        waiting.into_iter().map(|id| Step::ToClient(answer::gone(&id, reason))).collect()
    }

    /// The answer to a line of the client that could not even be read.
    pub fn unreadable(&self, reason: &str) -> Step {
        Step::ToClient(answer::unfit(None, envelope::PARSE_ERROR, reason))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A thread that panicked has left the tables whole: each change is one call.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, side: Side, line: &str) -> Vec<Step> {
        if line.trim_ascii().is_empty() {
            return Vec::new();
        }
        let messages = envelope::read(line);
        messages.into_iter().flat_map(|message| self.take_one(side, message)).collect()
    }

    fn take_one(&self, side: Side, message: Result<Message<'_>, Unfit>) -> Vec<Step> {
        match message {
            Ok(Message { text, kind: Kind::Call { id, method, params } }) => {
                self.call(side, text, id, &method, params)
            }
            Ok(Message { text, kind: Kind::Answer { id, result } }) => {
                self.answer(side, text, &id, result)
            }
            Err(unfit) => self.unfit(side, &unfit),
        }
    }

    /// A client is told what is wrong; of a server's mistakes the client may wait for the answer.
    fn unfit(&self, side: Side, unfit: &Unfit) -> Vec<Step> {
        let Unfit { id, code, reason } = unfit;
        match side {
            Side::Client => {
                vec![Step::ToClient(answer::unfit(id.as_ref(), *code, reason))]
            }
            Side::Server => {
                let note = Step::Note(format!("the server sent what is no message: {reason}"));
                let waits = id.as_ref().filter(|id| self.state().of_client.take(id).is_some());
                let told = waits.map(|id| {
                    let reason = format!("the server's answer cannot be read: {reason}");
                    Step::ToClient(answer::gone(id, &reason))
                });
                std::iter::once(note).chain(told).collect()
            }
        }
    }

    fn call(
        &self,
        side: Side,
        text: &str,
        id: Option<Id>,
        method: &str,
        params: Option<&RawValue>,
    ) -> Vec<Step> {
        if method == "notifications/cancelled" && !self.cancel(side, params) {
            return Vec::new();
        }
        let care = match side {
            Side::Client => method::from_client(method),
            Side::Server => method::from_server(method),
        };
        let decision = match care {
            Care::None => Ok(Decision::Pass),
            care => self.judge.decide(care, method, params),
        };
        let Some(id) = id else { return self.told(side, text, method, decision) };
        let stage =
            if matches!(decision, Ok(Decision::Ask(_))) { Stage::Asked } else { Stage::Sent };
        match decision {
            Err(reason) => vec![side.back(answer::unreadable(&id, &reason))],
            Ok(Decision::Refuse(refusal)) => {
                vec![side.back(answer::refused(&id, Form::of(method, params), &refusal))]
            }
            Ok(passed) => match self.state().of(side).add(id.clone(), method, stage) {
                Err(full) => vec![side.back(answer::unfit(
                    Some(&id),
                    envelope::INVALID_REQUEST,
                    full.reason(),
                ))],
                Ok(()) => vec![match passed {
                    Decision::Ask(question) => Step::Ask(Waiting {
                        question,
                        side,
                        text: text.to_owned(),
                        id,
                        form: Form::of(method, params),
                    }),
                    _ => side.onwards(text.to_owned()),
                }],
            },
        }
    }

    /// A message that nobody waits for: it is passed on or dropped.
    fn told(
        &self,
        side: Side,
        text: &str,
        method: &str,
        decision: Result<Decision, String>,
    ) -> Vec<Step> {
        if let Ok(Decision::Pass) = decision {
            return vec![side.onwards(text.to_owned())];
        }
        let who = if side == Side::Client { "client" } else { "server" };
        let method = ringfence_guard::redact::visible(method).into_owned();
        vec![Step::Note(format!("`{method}` of the {who} was not passed on"))]
    }

    /// A request is cancelled; whether the other side knows of it and must be told.
    fn cancel(&self, side: Side, params: Option<&RawValue>) -> bool {
        let id = params
            .and_then(|params| Object::read(params.get()).ok())
            .and_then(|params| params.get("requestId"))
            .and_then(Id::read);
        let Some(id) = id else { return true };
        let mut state = self.state();
        let pending = state.of(side);
        // Whoever is asked may still answer, and so may the other side; nobody waits for it.
        pending.take(&id).is_none_or(|request| request.stage == Stage::Sent)
    }

    fn answer(&self, side: Side, text: &str, id: &Id, result: Option<&RawValue>) -> Vec<Step> {
        let asked = match side {
            Side::Server => self.state().of_client.take(id),
            Side::Client => self.state().of_server.take(id),
        };
        let Some(request) = asked else {
            return vec![Step::Note(format!("an answer to nothing was dropped: {}", id.as_json()))];
        };
        let (Side::Server, Some(result)) = (side, result) else {
            return vec![side.onwards(text.to_owned())];
        };
        match self.check_input(result) {
            Ok(()) => {}
            Err(Stop::Unreadable(reason)) => {
                let reason = format!("the server's answer cannot be read: {reason}");
                return vec![Step::ToClient(answer::gone(id, &reason))];
            }
            Err(Stop::Refused(refusal)) => {
                let form = match &*request.method {
                    "tools/call" => Form::ToolResult { says_its_kind: true },
                    _ => Form::Error,
                };
                return vec![Step::ToClient(answer::refused(id, form, &refusal))];
            }
        }
        match method::listed(&request.method) {
            None => vec![Step::ToClient(text.to_owned())],
            Some(listed) => self.list(text, id, result, listed),
        }
    }

    fn list(&self, text: &str, id: &Id, result: &RawValue, listed: Listed) -> Vec<Step> {
        let hides = |name: &str| self.judge.hides(listed.list, name);
        match list::without(result, listed, hides) {
            Ok(None) => vec![Step::ToClient(text.to_owned())],
            Ok(Some(result)) => match Object::read(text) {
                Ok(message) => vec![Step::ToClient(message.with("result", &result))],
                Err(reason) => vec![Step::ToClient(answer::gone(id, &reason))],
            },
            Err(reason) => {
                let reason = format!("the server's list cannot be read: {reason}");
                vec![Step::ToClient(answer::gone(id, &reason))]
            }
        }
    }

    /// Judges what a result asks of the client: since 2026-07-28, sampling and elicitation come as
    /// results.
    fn check_input(&self, result: &RawValue) -> Result<(), Stop> {
        if !result.get().starts_with('{') {
            return Ok(());
        }
        let fields = Object::read(result.get()).map_err(Stop::Unreadable)?;
        if fields.lookalike(&["inputRequests"]).is_some() {
            return Err(Stop::Unreadable("a key is spelt in another way".to_owned()));
        }
        let Some(requests) = fields.get("inputRequests") else { return Ok(()) };
        let requests = Object::read(requests.get()).map_err(Stop::Unreadable)?;
        requests.values().try_for_each(|request| {
            let request = Object::read(request.get()).map_err(Stop::Unreadable)?;
            let method = request.text("method").ok_or_else(|| {
                Stop::Unreadable("it asks for something that has no method".to_owned())
            })?;
            if method::from_server(&method) == Care::None {
                return Ok(());
            }
            match self.judge.decide_method(&method) {
                Decision::Pass => Ok(()),
                Decision::Refuse(refusal) => Err(Stop::Refused(refusal)),
                Decision::Ask(question) => Err(match question.refusal {
                    Some(refusal) => Stop::Refused(Box::new(refusal)),
                    None => Stop::Unreadable(question.why),
                }),
            }
        })
    }
}

/// Why an answer is not passed on.
enum Stop {
    Unreadable(String),
    Refused(Box<Refusal>),
}

impl State {
    /// The requests that this side has made.
    fn of(&mut self, side: Side) -> &mut Pending {
        match side {
            Side::Client => &mut self.of_client,
            Side::Server => &mut self.of_server,
        }
    }
}

impl Full {
    fn reason(self) -> &'static str {
        match self {
            Full::SameId => "a request with this id is still waiting",
            Full::TooMany => "too many requests are waiting",
        }
    }
}

#[cfg(test)]
#[path = "gateway_tests.rs"]
mod tests;
