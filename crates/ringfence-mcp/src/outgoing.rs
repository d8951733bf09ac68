//! Lines that leave the gateway.
//!
//! A message about which rules speak becomes one by its permit alone. What needs no permit has a
//! named way: an answer to a request that was passed on, a message of an exempt method, and what
//! the gateway writes itself.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

use ringfence_guard::{ForwardMessage, Permit};

use crate::method::Exempt;
use crate::pending::Request;

/// A line that may leave the gateway, to the server or to the client.
///
/// Outside this crate it is made of a [`Permit`], which it uses up:
///
/// ```
/// use ringfence_guard::{ForwardMessage, Permit};
/// use ringfence_mcp::{Outgoing, Upstream};
///
/// fn forward(server: &dyn Upstream, permit: Permit<ForwardMessage<'_>>) {
///     server.send(Outgoing::from(permit));
///     server.flush();
/// }
/// ```
#[derive(Debug)]
#[must_use = "a line goes nowhere until it is sent"]
pub struct Outgoing<'a>(Cow<'a, str>);

/// Takes the text that was judged, and no other.
impl<'a> From<Permit<ForwardMessage<'a>>> for Outgoing<'a> {
    fn from(permit: Permit<ForwardMessage<'a>>) -> Outgoing<'a> {
        Outgoing(permit.into_act().into_text())
    }
}

impl<'a> Outgoing<'a> {
    /// Makes a line of a message whose method reaches nothing that rules speak of.
    pub(crate) fn exempt(_method: Exempt, text: &'a str) -> Outgoing<'a> {
        Outgoing(text.into())
    }

    /// Makes a line of the answer to a request that was passed on.
    pub(crate) fn answer(_request: &Request, text: impl Into<Cow<'a, str>>) -> Outgoing<'a> {
        Outgoing(text.into())
    }

    /// Returns the text.
    pub fn into_text(self) -> Cow<'a, str> {
        self.0
    }

    /// Copies the text, if it is borrowed.
    pub(crate) fn into_owned(self) -> Outgoing<'static> {
        Outgoing(Cow::Owned(self.0.into_owned()))
    }
}

impl Outgoing<'static> {
    /// Makes a line of what the gateway says in its own words: a refusal, an error, a question.
    pub(crate) fn own(text: String) -> Outgoing<'static> {
        Outgoing(text.into())
    }
}

/// Writes the text.
impl fmt::Display for Outgoing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The text.
impl Deref for Outgoing<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}
