//! The readers of bytes from outside, as the fuzz targets use them. They are no part of the
//! interface: nothing else may rely on them.

use crate::envelope::{self, Kind};
use crate::lines::{self, Line, Lines};
use crate::remote::events::Events;
use crate::remote::header;

/// A message that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// What is passed on.
    pub text: String,
    /// What it is: the id, and the method of a call.
    pub kind: (Option<String>, Option<String>),
}

/// Reads a line as either side sends it; an error for each item that is no message.
pub fn messages(line: &str) -> Vec<Result<Read, String>> {
    let single = lines::single(line);
    let read = envelope::read(&single).into_iter().map(|message| {
        let message = message.map_err(|unfit| unfit.reason)?;
        let kind = match message.kind {
            Kind::Call { id, method, .. } => {
                (id.map(|own| own.as_json().to_owned()), Some(method.into_owned()))
            }
            Kind::Answer { id, .. } => (Some(id.as_json().to_owned()), None),
        };
        Ok(Read { text: message.text.to_owned(), kind })
    });
    read.collect()
}

/// The lines of a stream of bytes, of at most this length; none for one that is skipped.
pub fn lines(bytes: &[u8], longest: usize) -> Vec<Option<String>> {
    let mut lines = Lines::new(bytes, longest);
    let mut all = Vec::new();
    loop {
        match lines.next() {
            Ok(Line::Text(text, _)) => all.push(Some(text.to_owned())),
            Ok(Line::TooLong | Line::NoText) => all.push(None),
            Ok(Line::End) | Err(_) => return all,
        }
    }
}

/// The events of a stream in two pieces: what they say, and their ids; none where it cannot be read.
pub fn events(
    first: &[u8],
    second: &[u8],
    longest: usize,
) -> Option<Vec<(String, Option<String>)>> {
    let mut events = Events::new(longest);
    let mut all = events.feed(first).ok()?;
    all.extend(events.feed(second).ok()?);
    Some(all.into_iter().map(|event| (event.data, event.id)).collect())
}

/// The value of a field that repeats a text, and the text again.
pub fn field(text: &str) -> (String, Option<String>) {
    let value = header::encode(text);
    let again = header::decode(&value);
    (value, again)
}
