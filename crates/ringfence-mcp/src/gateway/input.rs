//! Questions that are put to a client as the result of its own call, since revision 2026-07-28.
//!
//! The client asks its person and makes the call again, with the answer and with a mark that this
//! gateway gave it. What is then judged and passed on is the call as it first came: whatever else the
//! second one says is compared with it, never used.

use std::collections::VecDeque;
use std::fs::File;
use std::io::Read;

use serde_json::json;

use super::elicit::{form, said};
use super::{Gateway, Step, Subject, Waiting};
use crate::answer;
use crate::desk::Said;
use crate::envelope::{self, Kind};
use crate::lines::LONGEST;
use crate::object::{Object, Raw};
use crate::remote::header::capabilities;

/// The name of the gateway's question among those of servers.
const OWN: &str = "ringfence";
/// The most calls that wait to be made again, and the most bytes of them; the oldest make room.
const MOST: usize = 1000;
const MOST_BYTES: usize = LONGEST;

/// Calls that clients will make again.
#[derive(Debug, Default)]
pub(super) struct Returning(VecDeque<Kept>);

/// A call, as it first came.
#[derive(Debug)]
struct Kept {
    mark: String,
    params: String,
    exact: String,
}

/// What a person said about a call that was made again.
#[derive(Debug)]
pub(super) struct Returned {
    pub(super) exact: String,
    /// None where the question was put away.
    pub(super) said: Option<Said>,
}

impl Gateway {
    /// Puts a question as the result of the call; the question itself where that cannot be done.
    pub(super) fn put_as_result(&self, waiting: Waiting) -> Result<Vec<Step>, Waiting> {
        let Subject::Message { asked, id, .. } = &waiting.subject else { return Err(waiting) };
        let (Some(params), Some(mark)) = (asking(asked.act().text()), mark()) else {
            return Err(waiting);
        };
        let request = json!({ "method": "elicitation/create", "params": form(&waiting) });
        let result = json!({
            "resultType": "input_required",
            "inputRequests": { OWN: request },
            "requestState": mark,
        });
        let mut state = self.state();
        state.of_client.take(id);
        let kept = &mut state.returning.0;
        let bytes = |kept: &VecDeque<Kept>| kept.iter().map(|own| own.params.len()).sum::<usize>();
        while !kept.is_empty()
            && (kept.len() >= MOST || bytes(kept).saturating_add(params.len()) > MOST_BYTES)
        {
            kept.pop_front();
        }
        kept.push_back(Kept { mark, params, exact: waiting.question.exact.clone() });
        Ok(vec![Step::own(answer::result(id, &result.to_string()))])
    }

    /// The call that is made again, as it first came, and what was said about it; nothing for any
    /// other call. An error says why it cannot be the same.
    pub(super) fn returned(
        &self,
        text: &str,
        params: Option<Raw<'_>>,
    ) -> Result<Option<(String, Option<Returned>)>, String> {
        // Parameters that cannot be read have no mark; the judge says what is wrong with them.
        let Some(params) = params.and_then(|own| Object::read(own.get()).ok()) else {
            return Ok(None);
        };
        let Some(mark) = params.text("requestState").filter(|own| own.starts_with(MARK)) else {
            return Ok(None);
        };
        let kept = {
            let kept = &mut self.state().returning.0;
            let found = kept.iter().position(|own| own.mark == mark);
            found.and_then(|at| kept.remove(at))
        };
        let message = Object::read(text)?;
        let Some(kept) = kept else {
            // It was forgotten, or another gateway's: whoever must be asked is asked anew.
            let bare = params.without(&["requestState", "inputResponses"]);
            return Ok(Some((message.set("params", &bare), None)));
        };
        let first = Object::read(&kept.params)?;
        for key in ["name", "uri", "arguments"] {
            let of = |own: &Object<'_>| own.get(key).map(|own| own.get().to_owned());
            if of(&first) != of(&params) {
                return Err(format!("`{key}` is not that of the call that was asked about"));
            }
        }
        let again = match params.get("_meta") {
            Some(meta) => first.set("_meta", meta.get()),
            None => kept.params.clone(),
        };
        let answers =
            params.get("inputResponses").map(|own| Object::read(own.get())).transpose()?;
        let said = answers.and_then(|own| said(own.get(OWN)?));
        let returned = Returned { exact: kept.exact, said };
        Ok(Some((message.set("params", &again), Some(returned))))
    }
}

/// How marks begin.
const MARK: &str = "ringfence-mark-";

/// A mark that nobody guesses.
fn mark() -> Option<String> {
    let mut bytes = [0_u8; 16];
    File::open("/dev/urandom").ok()?.read_exact(&mut bytes).ok()?;
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    Some(format!("{MARK}{digits}"))
}

/// The parameters of a call whose result may be a question, from a client that can put it.
fn asking(text: &str) -> Option<String> {
    let message = envelope::read(text).pop()?.ok()?;
    let Kind::Call { method, params, .. } = message.kind else { return None };
    if !matches!(&*method, "tools/call" | "prompts/get" | "resources/read") {
        return None;
    }
    let can = capabilities(params)?;
    let own = can.get("elicitation")?.as_object()?;
    let can_ask = own.is_empty() || own.contains_key("form");
    can_ask.then(|| params.map(|own| own.get().to_owned()))?
}
