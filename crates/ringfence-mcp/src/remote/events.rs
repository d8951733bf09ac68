//! Events of a server, as a stream of bytes has them.
//!
//! Whatever the pieces in which the bytes come, the events are the same. An event that is too long is
//! never kept whole in memory.

/// Reads events from bytes.
#[derive(Debug)]
pub(crate) struct Events {
    longest: usize,
    /// The line that has begun.
    line: Vec<u8>,
    /// The last byte was a carriage return: a line feed after it ends nothing.
    after_return: bool,
    has_begun: bool,
    event: Event,
    has_data: bool,
}

/// An event that is whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Event {
    /// What it says; several lines are joined by ends of lines. Empty where it only has an id.
    pub(crate) data: String,
    /// Whether it is of the kind that carries messages.
    pub(crate) is_other: bool,
    /// Its id, for whoever wants the events after it.
    pub(crate) id: Option<String>,
    /// How long to wait before asking again, in milliseconds.
    pub(crate) retry: Option<u64>,
}

/// Why a stream cannot be read on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BadStream {
    /// An event is longer than any message may be.
    TooLong,
    /// It is not UTF-8.
    NoText,
}

impl Events {
    /// Reads events of at most so many bytes.
    pub(crate) fn new(longest: usize) -> Events {
        Events {
            longest,
            line: Vec::new(),
            after_return: false,
            has_begun: false,
            event: Event::default(),
            has_data: false,
        }
    }

    /// Reads on; the events that are whole now.
    pub(crate) fn feed(&mut self, mut bytes: &[u8]) -> Result<Vec<Event>, BadStream> {
        let mut whole = Vec::new();
        while let Some(first) = bytes.first() {
            if std::mem::take(&mut self.after_return) && *first == b'\n' {
                bytes = bytes.get(1..).unwrap_or_default();
                continue;
            }
            let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let (part, rest) =
                bytes.split_at_checked(end.unwrap_or(bytes.len())).unwrap_or_default();
            if self.line.len().saturating_add(part.len()) > self.longest {
                return Err(BadStream::TooLong);
            }
            self.line.extend_from_slice(part);
            if let Some((end, rest)) = rest.split_first() {
                self.after_return = *end == b'\r';
                whole.extend(self.end_line()?);
                bytes = rest;
            } else {
                bytes = rest;
            }
        }
        Ok(whole)
    }

    /// Takes in a line that has ended; an event, if it ended one.
    fn end_line(&mut self) -> Result<Option<Event>, BadStream> {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8(line).map_err(|_| BadStream::NoText)?;
        let mut line = line.as_str();
        if !std::mem::replace(&mut self.has_begun, true) {
            line = line.strip_prefix('\u{feff}').unwrap_or(line);
        }
        if line.is_empty() {
            let is_one = std::mem::take(&mut self.has_data) || self.event.id.is_some();
            let event = std::mem::take(&mut self.event);
            return Ok((is_one || event.retry.is_some()).then_some(event));
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => {
                let length = self.event.data.len().saturating_add(value.len());
                if length >= self.longest {
                    return Err(BadStream::TooLong);
                }
                if std::mem::replace(&mut self.has_data, true) {
                    self.event.data.push('\n');
                }
                self.event.data.push_str(value);
            }
            "event" => self.event.is_other = !matches!(value, "" | "message"),
            "id" if !value.contains('\0') => self.event.id = Some(value.to_owned()),
            "retry" => self.event.retry = value.parse().ok(),
            // Comments, and fields of other protocols.
            _ => {}
        }
        Ok(None)
    }
}

#[cfg(test)]
#[path = "events_tests.rs"]
mod tests;
