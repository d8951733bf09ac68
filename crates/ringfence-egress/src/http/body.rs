//! How long a message's body is, and where in the bytes it ends.

use super::fields::{Fault, Field};

/// How a body ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Body {
    /// There are this many bytes left of it.
    Length(u64),
    /// Chunks say it.
    Chunks(Chunks),
    /// The connection's end.
    UntilClose,
}

/// A place among chunks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Chunks {
    at: At,
    care: ChunkCare,
    /// Bytes of the line that is being read, or left of the chunk's data.
    count: u64,
}

/// What may stand beside the data of chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChunkCare {
    /// Nothing: extensions and trailers are refused, since servers differ in what they make of
    /// them.
    Bare,
    /// Extensions and trailers, within measure.
    Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    Size { digits: u8 },
    Extension,
    SizeEnd,
    Data,
    DataCr,
    DataLf,
    TrailerStart,
    Trailer,
    TrailerLf,
    LastLf,
    Done,
}

/// The longest line beside the data, and the longest trailer altogether.
const LONGEST_ASIDE: u64 = 16 * 1024;

impl Body {
    pub(crate) const EMPTY: Body = Body::Length(0);

    pub(crate) fn chunks(care: ChunkCare) -> Body {
        Body::Chunks(Chunks { at: At::Size { digits: 0 }, care, count: 0 })
    }

    pub(crate) fn is_done(&self) -> bool {
        match self {
            Body::Length(left) => *left == 0,
            Body::Chunks(chunks) => chunks.at == At::Done,
            Body::UntilClose => false,
        }
    }

    /// How many of the bytes, from the first on, belong to the body.
    pub(crate) fn accept(&mut self, bytes: &[u8]) -> Result<usize, Fault> {
        match self {
            Body::Length(left) => {
                let count = usize::try_from(*left).unwrap_or(usize::MAX).min(bytes.len());
                *left = left.saturating_sub(count as u64);
                Ok(count)
            }
            Body::Chunks(chunks) => chunks.accept(bytes),
            Body::UntilClose => Ok(bytes.len()),
        }
    }
}

impl Chunks {
    fn accept(&mut self, bytes: &[u8]) -> Result<usize, Fault> {
        let mut used: usize = 0;
        while self.at != At::Done {
            let Some(rest) = bytes.get(used..).filter(|rest| !rest.is_empty()) else { break };
            if self.at == At::Data {
                let count = usize::try_from(self.count).unwrap_or(usize::MAX).min(rest.len());
                self.count = self.count.saturating_sub(count as u64);
                used = used.saturating_add(count);
                if self.count == 0 {
                    self.at = At::DataCr;
                }
            } else if let Some(byte) = rest.first() {
                self.at = self.step(*byte).ok_or(Fault::bad("the chunks cannot be read"))?;
                used = used.saturating_add(1);
            }
        }
        Ok(used)
    }

    /// The place after one byte that is no data.
    fn step(&mut self, byte: u8) -> Option<At> {
        let kind = self.care == ChunkCare::Kind;
        Some(match (self.at, byte) {
            (At::Size { digits }, _) if byte.is_ascii_hexdigit() && digits < 15 => {
                let digit = char::from(byte).to_digit(16)?;
                self.count = self.count.checked_mul(16)?.checked_add(digit.into())?;
                At::Size { digits: digits.checked_add(1)? }
            }
            (At::Size { digits: 1.. }, b'\r') => At::SizeEnd,
            (At::Size { digits: 1.. }, b';' | b' ' | b'\t') if kind => At::Extension,
            (At::Extension, b'\r') => At::SizeEnd,
            (At::Extension, b'\n') => return None,
            (At::Extension, _) => At::Extension,
            (At::SizeEnd, b'\n') if self.count == 0 => At::TrailerStart,
            (At::SizeEnd, b'\n') => At::Data,
            (At::DataCr, b'\r') => At::DataLf,
            (At::DataLf, b'\n') => At::Size { digits: 0 },
            (At::TrailerStart, b'\r') => At::LastLf,
            (At::TrailerStart | At::Trailer, _) if kind => {
                self.count = self.count.checked_add(1).filter(|count| *count < LONGEST_ASIDE)?;
                match (self.at, byte) {
                    (At::Trailer, b'\r') => At::TrailerLf,
                    (_, b'\n') => return None,
                    _ => At::Trailer,
                }
            }
            (At::TrailerLf, b'\n') => At::TrailerStart,
            (At::LastLf, b'\n') => At::Done,
            _ => return None,
        })
    }
}

/// The body of a request. Two lengths, or a length beside chunks, are a fault, equal or not.
pub(crate) fn of_request(fields: &[Field<'_>], minor: u8) -> Result<Body, Fault> {
    let mut encodings = fields.iter().filter(|field| field.is("transfer-encoding"));
    let mut lengths = fields.iter().filter(|field| field.is("content-length"));
    let pair = (encodings.next(), lengths.next());
    if encodings.next().is_some() || lengths.next().is_some() {
        return Err(Fault::bad("the body's length is given twice"));
    }
    match pair {
        (None, None) => Ok(Body::EMPTY),
        (None, Some(length)) => Ok(Body::Length(read_length(length)?)),
        (Some(_), Some(_)) => Err(Fault::bad("the body has a length and chunks as well")),
        (Some(_), None) if minor == 0 => Err(Fault::bad("HTTP/1.0 knows no chunks")),
        (Some(encoding), None) if encoding.value.eq_ignore_ascii_case(b"chunked") => {
            Ok(Body::chunks(ChunkCare::Bare))
        }
        (Some(_), None) => {
            Err(Fault { status: 501, reason: "the body has an encoding other than `chunked`" })
        }
    }
}

/// The body of a response to a request whose response may have one.
pub(crate) fn of_response(fields: &[Field<'_>]) -> Result<Body, Fault> {
    let mut encodings = fields.iter().filter(|field| field.is("transfer-encoding"));
    if let Some(encoding) = encodings.next() {
        let chunked = encoding.value.eq_ignore_ascii_case(b"chunked");
        return match (chunked, encodings.next()) {
            (true, None) => Ok(Body::chunks(ChunkCare::Kind)),
            _ => Err(Fault::bad("the response has an encoding other than `chunked`")),
        };
    }
    let mut lengths = fields.iter().filter(|field| field.is("content-length"));
    let Some(length) = lengths.next() else { return Ok(Body::UntilClose) };
    if lengths.any(|other| other.value != length.value) {
        return Err(Fault::bad("the response has two lengths"));
    }
    Ok(Body::Length(read_length(length)?))
}

fn read_length(field: &Field<'_>) -> Result<u64, Fault> {
    let digits = field.value.iter().all(u8::is_ascii_digit) && field.value.len() <= 18;
    let length = field.text().filter(|_| digits).and_then(|text| text.parse().ok());
    length.ok_or(Fault::bad("the body's length is no number"))
}

#[cfg(test)]
#[path = "body_tests.rs"]
mod tests;
