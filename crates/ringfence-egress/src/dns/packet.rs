//! Packets of DNS: as much of a query as a resolver needs that answers one question itself.
//!
//! Bytes of any kind are read without fault; what is no query gets no answer.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Bytes before the question.
const HEADER: usize = 12;
/// The longest name, as it stands in a packet.
const LONGEST_NAME: usize = 255;
/// How long an answer may be kept: the addresses do not change, but a grant may.
const SECONDS: u32 = 60;
const INTERNET: u16 = 1;

/// A query with one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Query {
    id: [u8; 2],
    recursion: bool,
    /// The name, its labels joined by dots.
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// The question as it stands in the packet.
    question: Vec<u8>,
}

/// What is asked about a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Addresses of version 4.
    A,
    /// Addresses of version 6.
    Aaaa,
    /// Anything else.
    Other,
}

/// What is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    V4(Ipv4Addr),
    V6(Ipv6Addr),
    /// A code alone, and no record.
    Code(Code),
}

/// The codes of answers, by RFC 1035.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Code {
    Fine = 0,
    BadFormat = 1,
    Failure = 2,
    NoName = 3,
    NotImplemented = 4,
}

/// A packet that is no query to answer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Whose it is, and what is wrong; `None` if it deserves no answer.
    reply: Option<([u8; 2], Code)>,
}

impl Fault {
    /// The packet that says so, if one is due.
    pub(crate) fn answer(&self) -> Option<Vec<u8>> {
        let (id, code) = self.reply?;
        Some(header(id, false, code, 0, 0))
    }
}

/// Reads a query.
pub(crate) fn read(packet: &[u8]) -> Result<Query, Fault> {
    let silent = Fault { reply: None };
    let Some((head, rest)) = packet.split_first_chunk::<HEADER>() else { return Err(silent) };
    let [a, b, high, _, q1, q0, ..] = *head;
    let fault = |code| Fault { reply: Some(([a, b], code)) };
    // An answer to an answer could go back and forth for ever.
    if high & 0x80 != 0 {
        return Err(silent);
    }
    if high & 0x78 != 0 {
        return Err(fault(Code::NotImplemented));
    }
    if [q1, q0] != [0, 1] {
        return Err(fault(Code::BadFormat));
    }
    let (name, used) = read_name(rest).ok_or_else(|| fault(Code::BadFormat))?;
    let tail = rest.get(used..).and_then(|tail| tail.split_first_chunk::<4>());
    let Some(([k1, k0, c1, c0], _)) = tail else { return Err(fault(Code::BadFormat)) };
    if u16::from_be_bytes([*c1, *c0]) != INTERNET {
        return Err(fault(Code::NotImplemented));
    }
    let kind = match u16::from_be_bytes([*k1, *k0]) {
        1 => Kind::A,
        28 => Kind::Aaaa,
        _ => Kind::Other,
    };
    let question = rest.get(..used.saturating_add(4)).unwrap_or_default().to_vec();
    Ok(Query { id: [a, b], recursion: high & 1 != 0, name, kind, question })
}

/// A name without compression, and how many bytes it takes.
fn read_name(bytes: &[u8]) -> Option<(String, usize)> {
    let mut name = String::new();
    let mut used: usize = 0;
    loop {
        let length = usize::from(*bytes.get(used)?);
        used = used.checked_add(1)?;
        if length == 0 {
            return Some((name, used));
        }
        // The two high bits are pointers and kinds of label that no query has.
        if length > 63 {
            return None;
        }
        let end = used.checked_add(length).filter(|end| *end < LONGEST_NAME)?;
        if !name.is_empty() {
            name.push('.');
        }
        for byte in bytes.get(used..end)? {
            // A dot inside a label would read as two labels; what is no ASCII is no name here.
            let plain = byte.is_ascii_graphic() && *byte != b'.';
            name.push(if plain { char::from(*byte) } else { '\u{fffd}' });
        }
        used = end;
    }
}

impl Query {
    /// The packet that answers it.
    pub(crate) fn respond(&self, answer: Answer) -> Vec<u8> {
        let (code, count) = match answer {
            Answer::Code(code) => (code, 0),
            Answer::V4(_) | Answer::V6(_) => (Code::Fine, 1),
        };
        let mut packet = header(self.id, self.recursion, code, 1, count);
        packet.extend_from_slice(&self.question);
        match answer {
            Answer::V4(address) => record(&mut packet, 1, &address.octets()),
            Answer::V6(address) => record(&mut packet, 28, &address.octets()),
            Answer::Code(_) => {}
        }
        packet
    }
}

fn header(id: [u8; 2], recursion: bool, code: Code, questions: u8, answers: u8) -> Vec<u8> {
    // A response; what it says of recursion is what was asked for.
    let high = 0x80 | u8::from(recursion);
    let low = 0x80 | code as u8;
    vec![id[0], id[1], high, low, 0, questions, 0, answers, 0, 0, 0, 0]
}

/// A record about the name in the question.
fn record(packet: &mut Vec<u8>, kind: u16, data: &[u8]) {
    packet.extend_from_slice(&[0xc0, HEADER as u8]);
    packet.extend_from_slice(&kind.to_be_bytes());
    packet.extend_from_slice(&INTERNET.to_be_bytes());
    packet.extend_from_slice(&SECONDS.to_be_bytes());
    packet.extend_from_slice(&u16::try_from(data.len()).unwrap_or(0).to_be_bytes());
    packet.extend_from_slice(data);
}

#[cfg(test)]
#[path = "packet_tests.rs"]
mod tests;
