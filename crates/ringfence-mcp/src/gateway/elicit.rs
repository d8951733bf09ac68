//! Questions that are put to the agent's own client.
//!
//! A client may answer without asking anybody, so this is done only where the policy allows it, and
//! only about calls: what models are told about tools is never accepted so.

use std::collections::{HashMap, HashSet};

use ringfence_guard::redact::{redact, visible};
use serde_json::{Value, json};

use super::{Gateway, Side, Step, Subject, Waiting};
use crate::desk::Said;
use crate::id::Id;
use crate::object::{Object, Raw};

/// What is known of the client, and what it was asked.
#[derive(Debug, Default)]
pub(super) struct Elicited {
    /// Whether the client can put questions to a person.
    can_ask: bool,
    last: u64,
    open: HashMap<Id, Waiting>,
    /// What a person agreed to for as long as the gateway runs.
    agreed: HashSet<String>,
}

/// The most agreements that are remembered.
const MOST: usize = 1000;
/// The most questions that a client has at one time.
const MOST_OPEN: usize = 64;

impl Elicited {
    /// Whether the client was asked something under this id.
    pub(super) fn has(&self, id: &Id) -> bool {
        self.open.contains_key(id)
    }

    /// The next id that no question has.
    fn next(&mut self) -> Option<Id> {
        self.last = self.last.wrapping_add(1);
        Id::of(&json!(format!("ringfence-{}", self.last)))
    }
}

impl Gateway {
    /// The client says what it can do.
    pub(super) fn greet(&self, params: Option<Raw<'_>>) {
        let read = || serde_json::from_str::<Value>(params?.get()).ok();
        let can = read().and_then(|params| {
            let own = params.get("capabilities")?.get("elicitation")?.as_object()?.clone();
            // An empty object is what all had before there were kinds.
            Some(own.is_empty() || own.contains_key("form"))
        });
        self.state().elicited.can_ask = can.unwrap_or(false);
    }

    /// Puts a question: to the client where that may be, else to whoever the carrier asks.
    pub(super) fn put(&self, waiting: Waiting) -> Vec<Step> {
        let Subject::Message { side: Side::Client, .. } = &waiting.subject else {
            return vec![Step::Ask(waiting)];
        };
        let may = self.judge.may_elicit();
        let mut state = self.state();
        if state.elicited.agreed.contains(&waiting.question.exact) {
            drop(state);
            return self.settle(waiting, Said::Yes);
        }
        if !may {
            return vec![Step::Ask(waiting)];
        }
        if !state.elicited.can_ask {
            drop(state);
            return self.put_as_result(waiting).unwrap_or_else(|waiting| vec![Step::Ask(waiting)]);
        }
        let is_full = state.elicited.open.len() >= MOST_OPEN;
        let id = state.elicited.next().filter(|_| !is_full);
        // A server may have asked something under this id.
        let Some(id) = id.filter(|id| state.of_server.stage(id).is_none()) else {
            return vec![Step::Ask(waiting)];
        };
        let request = request(&id, &waiting);
        state.elicited.open.insert(id, waiting);
        vec![Step::own(request)]
    }

    /// What becomes of the client's answer, if it is one to a question of the gateway.
    pub(super) fn heard(&self, id: &Id, result: Option<Raw<'_>>) -> Option<Vec<Step>> {
        let waiting = self.state().elicited.open.remove(id)?;
        let said = match result.and_then(said) {
            Some(said) => said,
            // Nobody looked at it: whoever else is there may.
            None => return Some(vec![Step::Ask(waiting)]),
        };
        Some(self.hear_out(waiting, said))
    }

    /// Does what a person said through the client.
    pub(super) fn hear_out(&self, waiting: Waiting, said: Said) -> Vec<Step> {
        if said == Said::Always {
            let agreed = &mut self.state().elicited.agreed;
            if agreed.len() < MOST {
                agreed.insert(waiting.question.exact.clone());
            }
        }
        self.settle(waiting, said)
    }

    /// A call was cancelled: nobody needs to answer any more.
    pub(super) fn take_back(&self, call: &Id) {
        let is_of = |waiting: &Waiting| matches!(&waiting.subject, Subject::Message { id, .. } if id == call);
        self.state().elicited.open.retain(|_, waiting| !is_of(waiting));
    }
}

/// The question, as a client is asked to put it.
pub(super) fn form(waiting: &Waiting) -> Value {
    let question = &waiting.question;
    let plain = |text: &str| visible(&redact(text)).into_owned();
    let message = format!(
        "ringfence: {} wants to {}. {}",
        plain(&question.program),
        plain(&question.what),
        plain(&question.why)
    );
    let answer = json!({
        "type": "string",
        "title": "Allow it?",
        "enum": ["no", "once", "session"],
        "enumNames": ["No", "Yes, this once", "Yes, until the session ends"],
        "default": "no",
    });
    let schema =
        json!({ "type": "object", "properties": { "answer": answer }, "required": ["answer"] });
    json!({ "message": message, "requestedSchema": schema })
}

fn request(id: &Id, waiting: &Waiting) -> String {
    let params = form(waiting);
    let id: Value = serde_json::from_str(id.as_json()).unwrap_or(Value::Null);
    json!({ "jsonrpc": "2.0", "id": id, "method": "elicitation/create", "params": params })
        .to_string()
}

/// What a person answered; none where the question was put away.
pub(super) fn said(result: Raw<'_>) -> Option<Said> {
    let result = Object::read(result.get()).ok()?;
    match &*result.text("action")? {
        "decline" => Some(Said::No),
        "accept" => {
            let content = Object::read(result.get("content")?.get()).ok()?;
            match content.text("answer").as_deref() {
                Some("once") => Some(Said::Yes),
                Some("session") => Some(Said::Always),
                _ => Some(Said::No),
            }
        }
        _ => None,
    }
}
