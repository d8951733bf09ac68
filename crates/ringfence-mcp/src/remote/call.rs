//! A request to a server, and how it is answered where the server does not.

use std::borrow::Cow;

use hyper::header::HeaderMap;
use ringfence_guard::redact::visible;

use super::header;
use super::wire::Fault;
use crate::answer::{self, Form};
use crate::envelope::{self, Kind};
use crate::id::Id;
use crate::object::{Object, Raw};

/// A request that waits for its answer.
pub(super) struct Call {
    pub(super) id: Id,
    pub(super) method: String,
    pub(super) text: String,
    /// What its head repeats, since 2026-07-28.
    pub(super) head: HeaderMap,
    form: Form,
}

impl Call {
    pub(super) fn new(id: Id, method: String, params: Option<Raw<'_>>, text: &str) -> Call {
        let (head, form) = (header::of(&method, params), Form::of(&method, params));
        Call { id, method, text: text.to_owned(), head, form }
    }

    /// Whether it belongs to no session.
    pub(super) fn is_alone(&self) -> bool {
        !self.head.is_empty()
    }

    /// Whether its answer may take for ever.
    pub(super) fn is_endless(&self) -> bool {
        self.method == "subscriptions/listen"
    }

    /// The result in a text that answers it, where there is one: none is an error.
    pub(super) fn answered(&self, text: &str) -> Option<Option<String>> {
        envelope::read(text).into_iter().find_map(|message| match message.ok()?.kind {
            Kind::Answer { id, result } if id == self.id => {
                Some(result.map(|own| own.get().to_owned()))
            }
            _ => None,
        })
    }

    /// The answer where something failed.
    pub(super) fn failed(&self, fault: &Fault) -> String {
        match fault {
            Fault::Refused(refusal) => answer::refused(&self.id, self.form, refusal),
            Fault::Failed(reason) => answer::gone(&self.id, &visible(reason)),
        }
    }

    /// An error that a server says beside a status, as the answer to this call; none where what it
    /// says is no error.
    pub(super) fn error(&self, text: &str) -> Option<String> {
        if self.answered(text).is_some() {
            return Some(text.to_owned());
        }
        let body = Object::read(text).ok()?;
        let error = body.get("error").filter(|own| own.get().starts_with('{'))?;
        Object::read(error.get()).ok()?.get("code")?;
        Some(answer::error_of(&self.id, error))
    }
}

/// The revision that a server chose.
pub(super) fn revision(result: &str) -> Option<String> {
    Object::read(result).ok()?.text("protocolVersion").map(Cow::into_owned)
}
