//! The name that a TLS client asks for.
//!
//! Only the first message is read, and nothing of it is changed. It must never take a hello that
//! two readers could understand differently: two names, or lengths that do not fit, are a fault.

/// What a client's first bytes say.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Hello {
    /// The message is not complete.
    More,
    /// It asks for this name.
    Name(String),
    /// It asks for none.
    Nameless,
    /// It is no hello that can be read.
    Bad(&'static str),
}

/// The kinds of records that there are, from changes of ciphers to heartbeats.
const KINDS_FROM: u8 = 20;
const KINDS_TO: u8 = 24;
const ALERT: u8 = 21;
const ALERT_LENGTH: [u8; 2] = [0, 2];
const HANDSHAKE: u8 = 22;
/// The first half of every version of TLS.
const VERSION: u8 = 3;
/// From this one on no server takes it for a version.
const ODD_VERSION: u8 = 16;
const CLIENT_HELLO: u8 = 1;
const SERVER_NAME: u16 = 0;
const HOST_NAME: u8 = 0;
/// Kind, version and length of a record.
const RECORD_HEAD: usize = 5;
/// The longest payload that a record may have.
const RECORD: usize = 1 << 14;

/// Whether bytes can be the beginning of a TLS connection.
///
/// Servers differ in what they take: some pass over a warning that comes before the hello, some
/// care little for the version of the first record. So what any of them might take is TLS here.
pub(crate) fn is_tls(bytes: &[u8]) -> bool {
    match bytes {
        [KINDS_FROM..=KINDS_TO] | [KINDS_FROM..=KINDS_TO, VERSION, ..] => true,
        [HANDSHAKE, 0..ODD_VERSION, rest @ ..] => {
            rest.get(3).is_none_or(|message| *message == CLIENT_HELLO)
        }
        [ALERT, 0..ODD_VERSION, rest @ ..] => {
            rest.get(1..3).is_none_or(|length| *length == ALERT_LENGTH)
        }
        _ => false,
    }
}

/// Reads a hello, which may be spread over many records.
pub(crate) fn read_hello(bytes: &[u8]) -> Hello {
    match gather(bytes) {
        Ok(message) => match read_message(&message) {
            Some(hello) => hello,
            None => Hello::Bad("its hello has lengths that do not fit"),
        },
        Err(hello) => hello,
    }
}

/// The first handshake message, taken out of its records.
fn gather(bytes: &[u8]) -> Result<Vec<u8>, Hello> {
    let mut rest = Reader(bytes);
    let mut message = Vec::new();
    loop {
        if let [kind, a, b, c, ..] = *message.as_slice() {
            if kind != CLIENT_HELLO {
                return Err(Hello::Bad("its first message is no hello"));
            }
            let length = u32::from_be_bytes([0, a, b, c]) as usize;
            if let Some(body) = message.get(4..).and_then(|body| body.get(..length)) {
                return Ok(body.to_vec());
            }
        }
        let Some(kind) = rest.byte() else { return Err(Hello::More) };
        if kind != HANDSHAKE && bytes.len() >= RECORD_HEAD {
            return Err(Hello::Bad("something else stands before its hello, or between its parts"));
        }
        let (Some(_version), Some(length)) = (rest.short(), rest.short()) else {
            return Err(Hello::More);
        };
        let length = usize::from(length);
        if length == 0 || length > RECORD {
            return Err(Hello::Bad("its record has a length that no record has"));
        }
        let Some(payload) = rest.take(length) else { return Err(Hello::More) };
        message.extend_from_slice(payload);
    }
}

/// Reads the body of a hello; `None` if its lengths do not fit.
fn read_message(body: &[u8]) -> Option<Hello> {
    let mut hello = Reader(body);
    hello.take(2 + 32)?; // version, random
    let session = hello.byte()?;
    hello.take(session.into())?;
    let ciphers = hello.short()?;
    hello.take(ciphers.into())?;
    let compressions = hello.byte()?;
    hello.take(compressions.into())?;
    if hello.is_empty() {
        return Some(Hello::Nameless);
    }
    let length = hello.short()?;
    let mut extensions = Reader(hello.take(length.into())?);
    if !hello.is_empty() {
        return None;
    }
    let mut found = Hello::Nameless;
    while !extensions.is_empty() {
        let kind = extensions.short()?;
        let length = extensions.short()?;
        let extension = extensions.take(length.into())?;
        if kind == SERVER_NAME {
            if found != Hello::Nameless {
                return Some(Hello::Bad("it asks for a name twice"));
            }
            found = read_name(extension)?;
        }
    }
    Some(found)
}

fn read_name(extension: &[u8]) -> Option<Hello> {
    let mut list = Reader(extension);
    let length = list.short()?;
    let mut names = Reader(list.take(length.into())?);
    let kind = names.byte()?;
    let length = names.short()?;
    let name = names.take(length.into())?;
    if !list.is_empty() || !names.is_empty() || kind != HOST_NAME {
        return Some(Hello::Bad("it asks for more than one name"));
    }
    Some(match std::str::from_utf8(name) {
        Ok(name) => Hello::Name(name.to_owned()),
        Err(_) => Hello::Bad("it asks for a name that is no text"),
    })
}

/// Reads from the front; `None` where too little is left.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    fn short(&mut self) -> Option<u16> {
        self.take(2)?.try_into().ok().map(u16::from_be_bytes)
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
#[path = "tls_tests.rs"]
mod tests;
