//! The schemes that lead to a host, and their ports.

/// Schemes of which programs take the part behind `//` for a host, each with its usual port;
/// none where the protocol has no such port.
const SCHEMES: [(&str, Option<u16>); 52] = [
    ("amqp", Some(5672)),
    ("amqps", Some(5671)),
    ("ftp", Some(21)),
    ("ftps", Some(990)),
    ("git", Some(9418)),
    ("git+http", Some(80)),
    ("git+https", Some(443)),
    ("git+ssh", Some(22)),
    ("http", Some(80)),
    ("https", Some(443)),
    ("imap", Some(143)),
    ("imaps", Some(993)),
    ("irc", Some(6667)),
    ("ircs", Some(6697)),
    ("ldap", Some(389)),
    ("ldaps", Some(636)),
    ("mongodb", Some(27017)),
    ("mqtt", Some(1883)),
    ("mqtts", Some(8883)),
    ("mysql", Some(3306)),
    ("nats", Some(4222)),
    ("nfs", Some(2049)),
    ("pop3", Some(110)),
    ("pop3s", Some(995)),
    ("postgres", Some(5432)),
    ("postgresql", Some(5432)),
    ("redis", Some(6379)),
    ("rediss", Some(6379)),
    ("rsync", Some(873)),
    ("rtmp", Some(1935)),
    ("rtmps", Some(443)),
    ("rtsp", Some(554)),
    ("scp", Some(22)),
    ("sftp", Some(22)),
    ("smb", Some(445)),
    ("smtp", Some(25)),
    ("smtps", Some(465)),
    ("socks", Some(1080)),
    ("socks4", Some(1080)),
    ("socks4a", Some(1080)),
    ("socks5", Some(1080)),
    ("socks5h", Some(1080)),
    ("ssh", Some(22)),
    ("ssh+git", Some(22)),
    ("svn", Some(3690)),
    ("svn+ssh", Some(22)),
    ("tcp", None),
    ("telnet", Some(23)),
    ("udp", None),
    ("vnc", Some(5900)),
    ("ws", Some(80)),
    ("wss", Some(443)),
];

/// Schemes that programs act on and that no rule can be written for: other protocols smuggled
/// through them, code, content in itself, and wrappers around other URLs.
const REFUSED: [&str; 11] = [
    "about",
    "blob",
    "data",
    "dict",
    "filesystem",
    "gopher",
    "jar",
    "javascript",
    "tftp",
    "vbscript",
    "view-source",
];

/// What a scheme, in lower case, is known for.
pub(super) enum Scheme {
    /// A host, at this port unless another is given.
    Net(Option<u16>),
    /// A file of this machine.
    File,
    /// Nothing that could be granted.
    Refused,
}

/// What the scheme is known for; `None` for one that is not known.
pub(super) fn scheme(name: &str) -> Option<Scheme> {
    if name == "file" {
        return Some(Scheme::File);
    }
    if REFUSED.contains(&name) {
        return Some(Scheme::Refused);
    }
    let known = SCHEMES.iter().find(|(known, _)| *known == name);
    known.map(|(_, port)| Scheme::Net(*port))
}

/// The port that a scheme has unless another is given.
pub fn default_port(name: &str) -> Option<u16> {
    match scheme(name)? {
        Scheme::Net(port) => port,
        Scheme::File | Scheme::Refused => None,
    }
}
