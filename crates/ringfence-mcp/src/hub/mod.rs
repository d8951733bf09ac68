//! Several servers at one endpoint.
//!
//! The hub stands between one client and the gateways of several servers. It gives every request an
//! id of its own, says which server a message is for, and joins what all of them answer. It judges
//! nothing: whatever it sends on goes through the gateway of its server.

mod join;
mod merge;
mod route;
mod state;

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::answer;
use crate::envelope::{self, Kind, Message};
use crate::id::Id;
use crate::object::{Object, Raw};
use join::{Join, Joined};
use state::{Call, State};

/// What is to be done next.
#[derive(Debug, PartialEq, Eq)]
pub enum Route {
    /// Hand this line of the client to the gateway of a server.
    ToMember(usize, String),
    /// Send this line to the client.
    ToClient(String),
    /// Say this to the person who reads the log.
    Note(String),
}

/// Stands between one client and several servers.
pub struct Hub {
    names: Vec<String>,
    state: Mutex<State>,
}

/// There is no such method here.
const NO_METHOD: i32 = -32601;
/// The parameters name nothing that is here.
const NO_SUCH: i32 = -32602;

impl Hub {
    /// A hub for servers of these names. Names have no `__`, and no `_` at their ends.
    pub fn new(names: Vec<String>) -> Hub {
        let state = Mutex::new(State::new(names.len()));
        Hub { names, state }
    }

    /// What becomes of a line from the client.
    pub fn from_client(&self, line: &str) -> Vec<Route> {
        if line.trim_ascii().is_empty() {
            return Vec::new();
        }
        let one = |message| match message {
            Err(envelope::Unfit { id, code, reason }) => {
                vec![Route::ToClient(answer::unfit(id.as_ref(), code, &reason))]
            }
            Ok(Message { text, kind: Kind::Answer { id, .. } }) => {
                self.answered_by_client(text, &id)
            }
            Ok(Message { text, kind: Kind::Call { id: Some(id), method, params } }) => {
                self.request(text, id, &method, params)
            }
            Ok(Message { text, kind: Kind::Call { id: None, method, params } }) => {
                self.told_by_client(text, &method, params)
            }
        };
        envelope::read(line).into_iter().flat_map(one).collect()
    }

    /// What becomes of a line that the gateway of a server has for the client.
    pub fn from_member(&self, member: usize, line: &str) -> Vec<Route> {
        let one = |message| match message {
            Err(envelope::Unfit { reason, .. }) => {
                vec![Route::Note(format!(
                    "{} sent what is no message: {reason}",
                    self.name(member)
                ))]
            }
            Ok(Message { text, kind: Kind::Answer { id, result } }) => {
                self.answered_by_member(member, text, &id, result)
            }
            Ok(Message { text, kind: Kind::Call { id: Some(id), .. } }) => {
                let own = self.state().ask(member, id.as_json());
                vec![Route::ToClient(with_id(text, &own.to_string()))]
            }
            Ok(Message { text, kind: Kind::Call { id: None, method, params } }) => {
                self.told_by_member(member, text, &method, params)
            }
        };
        envelope::read(line).into_iter().flat_map(one).collect()
    }

    /// A server is gone. Its gateway has answered what waited.
    pub fn member_gone(&self, member: usize) {
        self.state().lose(member);
    }

    pub(crate) fn name(&self, member: usize) -> &str {
        self.names.get(member).map_or("", String::as_str)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A thread that panicked has left the tables whole: each change is one call.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn request(&self, text: &str, id: Id, method: &str, params: Option<Raw<'_>>) -> Vec<Route> {
        let wrong =
            |code, reason: &str| vec![Route::ToClient(answer::unfit(Some(&id), code, reason))];
        if self.state().waits(&id) {
            return wrong(envelope::INVALID_REQUEST, "a request with this id is still waiting");
        }
        if method == "ping" {
            return vec![Route::ToClient(answer::empty(&id))];
        }
        if let Some(kind) = join::kind(method) {
            return self.join(text, id, kind);
        }
        let target = match route::target(method, params, &self.names, &self.state()) {
            Ok(Some(target)) => target,
            Ok(None) => return wrong(NO_METHOD, "several servers together have no such method"),
            Err(reason) => return wrong(NO_SUCH, &reason),
        };
        let params = target.params.or_else(|| params.map(|own| own.get().to_owned()));
        let Ok(message) = Object::read(text) else {
            return wrong(envelope::INVALID_REQUEST, "it cannot be read");
        };
        let mut state = self.state();
        if state.is_gone(target.member) {
            drop(state);
            let reason = format!("the server `{}` has ended", self.name(target.member));
            return vec![Route::ToClient(answer::gone(&id, &reason))];
        }
        let own = state.add(Call::One(id.clone()), target.member, &id);
        drop(state);
        let text = match params {
            Some(params) => message.with("params", &params),
            None => text.to_owned(),
        };
        vec![Route::ToMember(target.member, with_id(&text, &own.to_string()))]
    }

    fn join(&self, text: &str, id: Id, kind: join::Kind) -> Vec<Route> {
        let mut state = self.state();
        let members = state.members_for(&kind);
        let join = Join::new(id.clone(), kind, text, &members);
        if members.is_empty() {
            let finished = join.finish(&self.names, &mut state);
            return self.joined(&id, finished);
        }
        let key = state.begin(join);
        let mut routes = Vec::new();
        for member in members {
            let own = state.add(Call::Part { join: key, member }, member, &id);
            routes.push(Route::ToMember(member, with_id(text, &own.to_string())));
        }
        routes
    }

    fn answered_by_member(
        &self,
        member: usize,
        text: &str,
        id: &Id,
        result: Option<Raw<'_>>,
    ) -> Vec<Route> {
        let mut state = self.state();
        match state.take(id) {
            None => Vec::new(),
            Some(Call::One(client)) => vec![Route::ToClient(with_id(text, client.as_json()))],
            Some(Call::Part { join: key, member: own }) if own == member => {
                let Some(join) = state.join(key) else { return Vec::new() };
                let client = join.client().clone();
                match join.take_in(member, self.name(member), result, text) {
                    Joined::More(text) => {
                        let own = state.add(Call::Part { join: key, member }, member, &client);
                        vec![Route::ToMember(member, with_id(&text, &own.to_string()))]
                    }
                    Joined::Waits => Vec::new(),
                    Joined::Done => {
                        let Some(join) = state.end(key) else { return Vec::new() };
                        let finished = join.finish(&self.names, &mut state);
                        drop(state);
                        self.joined(&client, finished)
                    }
                }
            }
            Some(Call::Part { .. }) => Vec::new(),
        }
    }

    fn joined(&self, client: &Id, finished: join::Finished) -> Vec<Route> {
        let notes = finished.notes.into_iter().map(Route::Note);
        let told = match finished.result {
            Ok(result) => answer::result(client, &result),
            Err(reason) => answer::unfit(Some(client), NO_METHOD, &reason),
        };
        notes.chain([Route::ToClient(told)]).collect()
    }

    /// The client answers what a server asked.
    fn answered_by_client(&self, text: &str, id: &Id) -> Vec<Route> {
        match self.state().asked(id) {
            Some((member, original)) => vec![Route::ToMember(member, with_id(text, &original))],
            None => {
                vec![Route::Note(format!("an answer to nothing was dropped: {}", id.as_json()))]
            }
        }
    }

    fn told_by_client(&self, text: &str, method: &str, params: Option<Raw<'_>>) -> Vec<Route> {
        if method == "notifications/cancelled" {
            let Some((params, id)) = cancelled(params) else { return Vec::new() };
            let calls = self.state().calls_of(&id);
            return calls
                .into_iter()
                .filter_map(|(own, member)| {
                    let params = params.with("requestId", &own.to_string());
                    let text = Object::read(text).ok()?.with("params", &params);
                    Some(Route::ToMember(member, text))
                })
                .collect();
        }
        let state = self.state();
        let members = (0..self.names.len()).filter(|member| !state.is_gone(*member));
        members.map(|member| Route::ToMember(member, text.to_owned())).collect()
    }

    fn told_by_member(
        &self,
        member: usize,
        text: &str,
        method: &str,
        params: Option<Raw<'_>>,
    ) -> Vec<Route> {
        if method != "notifications/cancelled" {
            return vec![Route::ToClient(text.to_owned())];
        }
        let Some((params, id)) = cancelled(params) else { return Vec::new() };
        let Some(own) = self.state().forget(member, id.as_json()) else { return Vec::new() };
        let params = params.with("requestId", &own.to_string());
        let told = Object::read(text).map(|message| message.with("params", &params));
        told.into_iter().map(Route::ToClient).collect()
    }
}

/// What is cancelled.
fn cancelled(params: Option<Raw<'_>>) -> Option<(Object<'_>, Id)> {
    let params = Object::read(params?.get()).ok()?;
    let id = Id::read(params.get("requestId")?)?;
    Some((params, id))
}

/// A message with another id.
fn with_id(text: &str, id: &str) -> String {
    // INVARIANT: only texts come here that were read as messages.
    Object::read(text).map_or_else(|_| text.to_owned(), |message| message.with("id", id))
}

#[cfg(test)]
#[path = "hub_tests.rs"]
mod tests;
