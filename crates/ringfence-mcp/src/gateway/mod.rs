//! The gateway: what becomes of each message. It carries none of them itself.

mod answers;
mod elicit;
mod input;
mod introduction;
mod next;
mod silence;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ringfence_exec::ApprovalQuestion;
use ringfence_guard::{ForwardMessage, Unanswered};
use serde_json::Value;

use crate::answer::{self, Form};
use crate::definitions::Definitions;
use crate::desk::{Keeps, Said};
use crate::envelope::{self, Kind, Message, Unfit};
use crate::id::Id;
use crate::judge::{Decision, Judge};
use crate::method::{self, Answer, Care};
use crate::object::{Object, Raw};
use crate::outgoing::Outgoing;
use crate::pending::{Full, Pending, Stage};
use crate::pin::{self, PinStore};
use elicit::Elicited;
use input::{Returned, Returning};
pub(crate) use next::Next;
pub(crate) use silence::{MOMENTS, Moment};

/// Stands between one client and one server.
pub struct Gateway {
    judge: Judge,
    definitions: Option<Definitions>,
    /// Whether the server has said anything since the last moment.
    spoke: AtomicBool,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// What the client asked of the server.
    of_client: Pending,
    /// What the server asked of the client.
    of_server: Pending,
    /// Questions that the client was asked.
    elicited: Elicited,
    /// Calls that the client will make again, with an answer.
    returning: Returning,
    /// Why the server is gone, once it is.
    gone: Option<String>,
}

/// What is to be done next.
#[derive(Debug)]
pub enum Step {
    /// Send this line to the server.
    ToServer(Outgoing<'static>),
    /// Send this line to the client.
    ToClient(Outgoing<'static>),
    /// Ask a person, and go on with [`Gateway::settle`].
    Ask(Waiting),
    /// Say this to the person who reads the log.
    Note(String),
}

/// What waits for a person's answer.
#[derive(Debug)]
pub struct Waiting {
    /// What is asked.
    pub question: Box<ApprovalQuestion>,
    subject: Subject,
}

impl Waiting {
    /// Whether a later answer can be used: the same call can be made again.
    pub(crate) fn keeps(&self) -> Keeps {
        match &self.subject {
            Subject::Message { side: Side::Client, .. } => Keeps::Yes,
            Subject::Message { .. } | Subject::Definitions(..) => Keeps::No,
        }
    }
}

#[derive(Debug)]
enum Subject {
    /// A message, which is passed on or refused.
    Message { side: Side, asked: Unanswered<ForwardMessage<'static>>, id: Id, form: Form },
    /// Definitions, by their keys, which a list or an introduction came without.
    Definitions(pin::Kind, Vec<(String, Value)>),
}

/// Who sent a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Client,
    Server,
}

impl Side {
    /// A step that sends a line onwards.
    fn onwards(self, text: Outgoing<'static>) -> Step {
        match self {
            Side::Client => Step::ToServer(text),
            Side::Server => Step::ToClient(text),
        }
    }

    /// A step that sends a line of the gateway's own back.
    fn back(self, text: String) -> Step {
        let text = Outgoing::own(text);
        match self {
            Side::Client => Step::ToClient(text),
            Side::Server => Step::ToServer(text),
        }
    }
}

impl Step {
    /// A step that tells the client something in the gateway's own words.
    fn own(text: String) -> Step {
        Step::ToClient(Outgoing::own(text))
    }
}

impl Gateway {
    /// A gateway that asks this judge.
    pub fn new(judge: Judge) -> Gateway {
        Gateway { judge, definitions: None, spoke: AtomicBool::new(false), state: Mutex::default() }
    }

    /// Shows the client no definition that differs from its pin.
    #[must_use]
    pub fn pinning(mut self, store: Arc<dyn PinStore>) -> Gateway {
        self.definitions = Some(Definitions::new(store, self.judge.server()));
        self
    }

    /// What becomes of a line from the client.
    pub fn from_client(&self, line: &str) -> Vec<Step> {
        self.next_from_client(line).steps(Side::Client)
    }

    /// What becomes of a line from the server.
    pub fn from_server(&self, line: &str) -> Vec<Step> {
        self.next_from_server(line).steps(Side::Server)
    }

    /// What becomes of a line from the client.
    pub(crate) fn next_from_client<'a>(&self, line: &'a str) -> Next<'a> {
        self.take(Side::Client, line)
    }

    /// What becomes of a line from the server.
    pub(crate) fn next_from_server<'a>(&self, line: &'a str) -> Next<'a> {
        self.take(Side::Server, line)
    }

    /// Whether somebody still waits for what comes of a question.
    pub(crate) fn awaits(&self, waiting: &Waiting) -> bool {
        match &waiting.subject {
            Subject::Message { side, id, .. } => {
                self.state().of(*side).stage(id) == Some(Stage::Asked)
            }
            Subject::Definitions(..) => true,
        }
    }

    /// What becomes of a message once a person has answered.
    pub fn settle(&self, waiting: Waiting, said: Said) -> Vec<Step> {
        let Waiting { question, subject } = waiting;
        let approval = said.approval();
        match subject {
            Subject::Message { side, asked, id, form } => {
                let mut state = self.state();
                let pending = state.of(side);
                if pending.stage(&id) != Some(Stage::Asked) {
                    // It was cancelled meanwhile.
                    return Vec::new();
                }
                if let Some(approval) = approval {
                    pending.sent(&id);
                    return vec![side.onwards(asked.approved(approval).into())];
                }
                pending.take(&id);
                drop(state);
                vec![side.back(match question.refusal {
                    Some(mut refusal) => {
                        match said {
                            Said::Nothing(name) => {
                                refusal.mark_unanswered();
                                name.into_iter().for_each(|name| refusal.mark_pending(name));
                            }
                            Said::Unasked(name) => {
                                refusal.mark_unasked();
                                name.into_iter().for_each(|name| refusal.mark_pending(name));
                            }
                            _ => refusal.mark_declined(),
                        }
                        self.judge.tell(&refusal);
                        answer::refused(&id, form, &refusal)
                    }
                    None => answer::unreadable(&id, &question.why),
                })]
            }
            Subject::Definitions(kind, definitions) => match &self.definitions {
                Some(own) if approval.is_some() => {
                    own.agree(definitions);
                    answer::changed(kind).into_iter().map(Step::own).collect()
                }
                _ => Vec::new(),
            },
        }
    }

    /// The server is gone: every call that waits is answered.
    pub fn server_gone(&self, reason: &str) -> Vec<Step> {
        let waiting = {
            let mut state = self.state();
            state.gone = Some(reason.to_owned());
            state.of_client.take_all()
        };
        waiting.into_iter().map(|id| Step::own(answer::gone(&id, reason))).collect()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A thread that panicked has left the tables whole: each change is one call.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take<'a>(&self, side: Side, line: &'a str) -> Next<'a> {
        if line.trim_ascii().is_empty() {
            return Vec::new().into();
        }
        if side == Side::Server {
            self.spoke.store(true, Ordering::Relaxed);
        }
        match envelope::single(line) {
            Ok(message) => self.take_one(side, message),
            Err(batch) => {
                let all = batch.read().into_iter();
                Next::Steps(all.flat_map(|own| self.take_one(side, own).steps(side)).collect())
            }
        }
    }

    fn take_one<'a>(&self, side: Side, message: Result<Message<'a>, Unfit>) -> Next<'a> {
        match message {
            Ok(Message { text, kind: Kind::Call { id: Some(id), method, params } })
                if side == Side::Client =>
            {
                match self.returned(text, params) {
                    Ok(None) => self.call(side, text, Some(id), (&method, params), None),
                    Ok(Some((again, returned))) => self.again(&again, returned).into(),
                    Err(reason) => Step::own(answer::unreadable(&id, &reason)).into(),
                }
            }
            Ok(Message { text, kind: Kind::Call { id, method, params } }) => {
                self.call(side, text, id, (&method, params), None)
            }
            Ok(Message { text, kind: Kind::Answer { id, result } }) => {
                self.answer(side, text, &id, result)
            }
            Err(unfit) => self.unfit(side, &unfit).into(),
        }
    }

    /// A client is told what is wrong; of a server's mistakes the client may wait for the answer.
    #[cold]
    fn unfit(&self, side: Side, unfit: &Unfit) -> Vec<Step> {
        let Unfit { id, code, reason } = unfit;
        match side {
            Side::Client => {
                vec![Step::own(answer::unfit(id.as_ref(), *code, reason))]
            }
            Side::Server => {
                let note = Step::Note(format!("the server sent what is no message: {reason}"));
                let waits = id.as_ref().filter(|id| self.state().of_client.take_sent(id).is_some());
                let told = waits.map(|id| {
                    let reason = format!("the server's answer cannot be read: {reason}");
                    Step::own(answer::gone(id, &reason))
                });
                std::iter::once(note).chain(told).collect()
            }
        }
    }

    /// A call that a client makes again, after a person was asked.
    #[cold]
    fn again(&self, text: &str, returned: Option<Returned>) -> Vec<Step> {
        match envelope::read(text).pop() {
            Some(Ok(Message { text, kind: Kind::Call { id, method, params } })) => {
                self.call(Side::Client, text, id, (&method, params), returned).steps(Side::Client)
            }
            Some(Err(unfit)) => self.unfit(Side::Client, &unfit),
            _ => Vec::new(),
        }
    }

    fn call<'a>(
        &self,
        side: Side,
        text: &'a str,
        id: Option<Id>,
        (method, params): (&str, Option<Raw<'_>>),
        returned: Option<Returned>,
    ) -> Next<'a> {
        if method == "notifications/cancelled" && !self.cancel(side, params) {
            return Vec::new().into();
        }
        if (side, method) == (Side::Client, "initialize") {
            self.greet(params);
        }
        let care = match side {
            Side::Client => method::from_client(method),
            Side::Server => method::from_server(method),
        };
        let decision = match care {
            // What a task tells of itself may ask something of the client, as results do.
            Care::None(exempt) if side == Side::Server => self.decide_input(params, exempt, text),
            care => self.judge.decide(care, (method, params), text),
        };
        let decision = match (decision, care) {
            (Ok(Decision::Refuse(refusal)), _) => Ok(Decision::Refuse(refusal)),
            (decision, Care::Tool) => {
                self.needs_review(pin::Kind::Tool, params).map_or(decision, Ok)
            }
            (decision, Care::Prompt) => {
                self.needs_review(pin::Kind::Prompt, params).map_or(decision, Ok)
            }
            (decision, _) => decision,
        };
        let Some(id) = id else { return self.told(side, method, decision) };
        match decision {
            Err(reason) => side.back(answer::unreadable(&id, &reason)).into(),
            Ok(Decision::Refuse(refusal)) => {
                self.judge.tell(&refusal);
                side.back(answer::refused(&id, Form::of(method, params), &refusal)).into()
            }
            Ok(Decision::Pass(message)) => match self.enter(side, &id, method, Stage::Sent) {
                Ok(()) => Next::Onwards(message),
                Err(step) => step.into(),
            },
            Ok(Decision::Ask(question, asked)) => {
                // The tables are free again before anything is asked.
                if let Err(step) = self.enter(side, &id, method, Stage::Asked) {
                    return step.into();
                }
                let form = Form::of(method, params);
                let subject = Subject::Message { side, asked: asked.into_owned(), id, form };
                let waiting = Waiting { question, subject };
                match returned.filter(|own| own.exact == waiting.question.exact) {
                    Some(Returned { said: Some(said), .. }) => self.hear_out(waiting, said).into(),
                    // Nobody looked at it: whoever else is there may.
                    Some(Returned { said: None, .. }) => Step::Ask(waiting).into(),
                    None => self.put(waiting).into(),
                }
            }
        }
    }

    /// Notes a request that waits for its answer; an error is what is said in place of it.
    fn enter(&self, side: Side, id: &Id, method: &str, stage: Stage) -> Result<(), Step> {
        let mut state = self.state();
        let added = match (&state.gone, side) {
            (Some(reason), Side::Client) => return Err(Step::own(answer::gone(id, reason))),
            // The client's answer would be taken for one to the gateway's question.
            (_, Side::Server) if state.elicited.has(id) => Err(Full::SameId),
            _ => state.of(side).add(id.clone(), Answer::to(method), stage),
        };
        added.map_err(|full| {
            side.back(answer::unfit(Some(id), envelope::INVALID_REQUEST, full.reason()))
        })
    }

    /// The refusal of a tool or prompt whose definition, or server's instructions, were withheld.
    fn needs_review<'a>(&self, kind: pin::Kind, params: Option<Raw<'_>>) -> Option<Decision<'a>> {
        let definitions = self.definitions.as_ref().filter(|own| own.withholds_any())?;
        let params = Object::read(params?.get()).ok()?;
        let refusal = definitions.refusal(kind, &params.text("name")?)?;
        Some(Decision::Refuse(Box::new(refusal)))
    }

    /// A message that nobody waits for: it is passed on or dropped.
    fn told<'a>(
        &self,
        side: Side,
        method: &str,
        decision: Result<Decision<'a>, String>,
    ) -> Next<'a> {
        if let Ok(Decision::Pass(message)) = decision {
            return Next::Onwards(message);
        }
        let who = if side == Side::Client { "client" } else { "server" };
        let method = ringfence_guard::redact::visible(method).into_owned();
        Step::Note(format!("`{method}` of the {who} was not passed on")).into()
    }

    /// A request is cancelled; whether the other side knows of it and must be told.
    fn cancel(&self, side: Side, params: Option<Raw<'_>>) -> bool {
        let id = params
            .and_then(|params| Object::read(params.get()).ok())
            .and_then(|params| params.get("requestId"))
            .and_then(Id::read);
        let Some(id) = id else { return true };
        self.take_back(&id);
        let mut state = self.state();
        let pending = state.of(side);
        // Whoever is asked may still answer, and so may the other side; nobody waits for it.
        pending.take(&id).is_none_or(|request| request.stage == Stage::Sent)
    }
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
