//! The head of a message: a first line, and fields.

/// The most fields that a head may have.
const MOST_FIELDS: usize = 128;

/// Why a message cannot be sent on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The status with which a client is answered.
    pub(crate) status: u16,
    /// What is wrong.
    pub(crate) reason: &'static str,
}

impl Fault {
    pub(crate) const fn bad(reason: &'static str) -> Fault {
        Fault { status: 400, reason }
    }
}

/// Whose message it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Care {
    /// A client's: every line ends with CR and LF.
    Strict,
    /// A server's: LF alone ends a line as well.
    Kind,
}

/// Where the head ends, if it does; `seen` bytes have been looked at before.
pub(crate) fn end_of_head(bytes: &[u8], seen: usize, care: Care) -> Result<Option<usize>, Fault> {
    // A line end may have been cut in two.
    let from = seen.saturating_sub(3);
    let mut line_ended = false;
    let mut before = None;
    for (at, byte) in bytes.iter().enumerate().skip(from) {
        match byte {
            b'\n' if care == Care::Strict && before != Some(b'\r') && at > from => {
                return Err(Fault::bad("a line ends with LF alone"));
            }
            b'\n' if line_ended => return Ok(at.checked_add(1)),
            b'\n' => line_ended = true,
            b'\r' => {}
            _ => line_ended = false,
        }
        before = Some(*byte);
    }
    Ok(None)
}

/// A field: its name and its value without blanks around it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Field<'a> {
    pub(crate) name: &'a str,
    pub(crate) value: &'a [u8],
}

impl Field<'_> {
    pub(crate) fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// The value, if it is plain text.
    pub(crate) fn text(&self) -> Option<&str> {
        std::str::from_utf8(self.value).ok()
    }
}

/// The first line and the fields of a whole head.
pub(crate) fn split(head: &[u8], care: Care) -> Result<(&[u8], Vec<Field<'_>>), Fault> {
    let mut lines = Lines { rest: head, care };
    let first = lines.next().ok_or(Fault::bad("there is no first line"))??;
    let mut fields = Vec::with_capacity(16);
    for line in lines {
        let line = line?;
        if line.is_empty() {
            return Ok((first, fields));
        }
        if fields.len() >= MOST_FIELDS {
            return Err(Fault { status: 431, reason: "there are too many fields" });
        }
        fields.push(read_field(line)?);
    }
    Err(Fault::bad("the head does not end"))
}

struct Lines<'a> {
    rest: &'a [u8],
    care: Care,
}

impl<'a> Iterator for Lines<'a> {
    type Item = Result<&'a [u8], Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        let end = self.rest.iter().position(|byte| *byte == b'\n')?;
        let (line, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest.get(1..).unwrap_or_default();
        let line = match (line.strip_suffix(b"\r"), self.care) {
            (Some(line), _) => line,
            (None, Care::Kind) => line,
            (None, Care::Strict) => return Some(Err(Fault::bad("a line ends with LF alone"))),
        };
        // What remains may hold no control character: not NUL, and no CR inside a line.
        let is_control = |byte: &u8| (*byte < 0x20 && *byte != b'\t') || *byte == 0x7f;
        if line.iter().any(is_control) {
            return Some(Err(Fault::bad("a line holds a control character")));
        }
        Some(Ok(line))
    }
}

fn read_field(line: &[u8]) -> Result<Field<'_>, Fault> {
    if matches!(line.first(), Some(b' ' | b'\t')) {
        return Err(Fault::bad("a field goes on in a second line"));
    }
    let colon = line.iter().position(|byte| *byte == b':');
    let colon = colon.ok_or(Fault::bad("a field has no colon"))?;
    let (name, value) = line.split_at_checked(colon).unwrap_or_default();
    let name = std::str::from_utf8(name).ok().filter(|name| is_token(name));
    let name = name.ok_or(Fault::bad("a field's name is no word"))?;
    Ok(Field { name, value: value.get(1..).unwrap_or_default().trim_ascii() })
}

/// Whether text is a word of HTTP.
pub(crate) fn is_token(text: &str) -> bool {
    let is_sign = |byte: u8| b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || is_sign(byte))
}

/// The words that `Connection` lists, in lower case.
#[derive(Debug, Default)]
pub(crate) struct ConnectionWords(Vec<String>);

impl ConnectionWords {
    pub(crate) fn read(fields: &[Field<'_>]) -> Result<ConnectionWords, Fault> {
        let mut words = Vec::new();
        for field in fields.iter().filter(|field| field.is("connection")) {
            let text = field.text().ok_or(Fault::bad("`Connection` is no text"))?;
            let listed = text.split(',').map(str::trim).filter(|word| !word.is_empty());
            words.extend(listed.map(str::to_ascii_lowercase));
        }
        Ok(ConnectionWords(words))
    }

    pub(crate) fn has(&self, word: &str) -> bool {
        self.0.iter().any(|own| own.eq_ignore_ascii_case(word))
    }
}

/// Whether a field is for the next station alone, by its name.
pub(crate) fn is_for_next_hop(name: &str) -> bool {
    const HOPS: [&str; 8] = [
        "connection",
        "keep-alive",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "http2-settings",
        "proxy-connection",
    ];
    let proxy = name.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("proxy-"));
    proxy || HOPS.iter().any(|own| name.eq_ignore_ascii_case(own))
}

/// Writes a field.
pub(crate) fn put(out: &mut Vec<u8>, name: &str, value: &[u8]) {
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b": ");
    out.extend_from_slice(value);
    out.extend_from_slice(b"\r\n");
}
