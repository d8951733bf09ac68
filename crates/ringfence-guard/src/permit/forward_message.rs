//! The permit to forward one message between an MCP client and its server.

use std::borrow::Cow;

use super::{Outcome, Unanswered};
use crate::call::Call;
use crate::guard::Guard;

/// The act of forwarding one MCP message, by the very text that was judged.
#[derive(Debug)]
pub struct ForwardMessage<'a> {
    text: Cow<'a, str>,
}

impl<'a> ForwardMessage<'a> {
    pub(crate) fn new(text: &'a str) -> ForwardMessage<'a> {
        ForwardMessage { text: Cow::Borrowed(text) }
    }

    /// Returns the text of the message.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the text of the message, for the function that sends it.
    pub fn into_text(self) -> Cow<'a, str> {
        self.text
    }
}

impl Guard {
    /// Judges what a message asks for. `text` is the message from which `call` was read; a permit
    /// is good for this text alone.
    pub fn judge_message<'a>(&self, call: &Call, text: &'a str) -> Outcome<ForwardMessage<'a>> {
        Outcome::of(ForwardMessage::new(text), self.consider(call))
    }
}

impl Unanswered<ForwardMessage<'_>> {
    /// Copies the text of the message, so that it can wait for a person's answer.
    pub fn into_owned(self) -> Unanswered<ForwardMessage<'static>> {
        self.map(|act| ForwardMessage { text: Cow::Owned(act.text.into_owned()) })
    }
}
