//! What can be wrong with a value, in the words of documents.

use std::fmt::{self, Display};

use serde::de::{self, Expected, Unexpected};

use crate::text::{Fault, Span};
use crate::words;

/// Keys that a later version reads, once something enforces them.
const LATER: [&str; 1] = ["manifests"];

/// A value that is not what a document may hold there.
#[derive(Debug)]
pub(crate) struct ReadError {
    message: String,
    hint: Option<String>,
    span: Option<Span>,
    /// Where the innermost entry or item starts in which the error lies.
    pub(super) entry: Option<usize>,
    /// Whether it is about a key that is not there.
    pub(super) missing: bool,
}

impl ReadError {
    fn new(message: impl Into<String>) -> ReadError {
        ReadError { message: message.into(), hint: None, span: None, entry: None, missing: false }
    }

    fn hint(mut self, hint: impl Into<String>) -> ReadError {
        self.hint = Some(hint.into());
        self
    }

    /// The same error at this place, unless its place is known more exactly.
    pub(super) fn at(mut self, span: Span) -> ReadError {
        self.span.get_or_insert(span);
        self
    }

    /// The same error in the entry or item that starts here, unless one further in is known.
    pub(super) fn under(mut self, start: usize) -> ReadError {
        self.entry.get_or_insert(start);
        self
    }

    pub(super) fn into_fault(self) -> Fault {
        Fault { span: self.span.unwrap_or_default(), message: self.message, hint: self.hint }
    }
}

impl Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ReadError {}

impl de::Error for ReadError {
    fn custom<T: Display>(message: T) -> ReadError {
        ReadError::new(message.to_string())
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> ReadError {
        ReadError::new(format!("expected {}, found {}", in_words(expected), sort(found)))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> ReadError {
        Self::invalid_type(found, expected)
    }

    fn invalid_length(_: usize, expected: &dyn Expected) -> ReadError {
        ReadError::new(format!("expected {}", in_words(expected)))
    }

    fn unknown_variant(found: &str, known: &'static [&'static str]) -> ReadError {
        let found = words::shorten(found);
        let error = ReadError::new(format!("`{found}` is none of {}", list(known)));
        match ringfence_core::text::nearest(&found, known.iter().copied()) {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None => error,
        }
    }

    fn unknown_field(found: &str, known: &'static [&'static str]) -> ReadError {
        if LATER.contains(&found) {
            return ReadError::new(format!("nothing enforces `{found}` yet"))
                .hint("a key is read once something enforces it: leave it out");
        }
        let found = words::shorten(found);
        let error = ReadError::new(format!("unknown key `{found}`"));
        match ringfence_core::text::nearest(&found, known.iter().copied()) {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None if known.is_empty() => error.hint("no key is known here"),
            None => error.hint(format!("known here: {}", list(known))),
        }
    }

    fn missing_field(field: &'static str) -> ReadError {
        let mut error = ReadError::new(format!("the key `{field}` is missing"));
        error.missing = true;
        error
    }

    fn duplicate_field(field: &'static str) -> ReadError {
        ReadError::new(format!("duplicate key `{field}`"))
    }
}

fn list(known: &'static [&'static str]) -> String {
    words::list(known.iter().copied())
}

/// What serde's own readers expect, in the words of documents.
fn in_words(expected: &dyn Expected) -> String {
    match expected.to_string().as_str() {
        "a string" => "text".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a map" => "a table".to_owned(),
        "a boolean" => "`true` or `false`".to_owned(),
        "i64" | "u64" | "u32" => "a whole number".to_owned(),
        other => other.to_owned(),
    }
}

fn sort(found: Unexpected<'_>) -> String {
    match found {
        Unexpected::Bool(flag) => format!("`{flag}`"),
        Unexpected::Unsigned(number) => format!("the number `{number}`"),
        Unexpected::Signed(number) => format!("the number `{number}`"),
        Unexpected::Float(number) => format!("the number `{number}`"),
        Unexpected::Str(text) => format!("the text `{}`", words::shorten(text)),
        Unexpected::Seq => "a list".to_owned(),
        Unexpected::Map => "a table".to_owned(),
        Unexpected::Unit | Unexpected::Option => "nothing".to_owned(),
        Unexpected::Other(other) => other.to_owned(),
        _ => "something else".to_owned(),
    }
}
