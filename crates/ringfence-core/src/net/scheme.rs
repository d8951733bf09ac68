//! The schemes that lead to a host, and their ports.

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
///
/// Of those that lead to a host programs take the part behind `//` for it; some have no usual port.
/// Refused are those that programs act on and that no rule can be written for: other protocols
/// smuggled through them, code, content in itself, and wrappers around other URLs.
pub(super) fn scheme(name: &str) -> Option<Scheme> {
    let port = match name {
        "file" => return Some(Scheme::File),
        "about" | "blob" | "data" | "dict" | "filesystem" | "gopher" | "jar" | "javascript"
        | "tftp" | "vbscript" | "view-source" => return Some(Scheme::Refused),
        "amqp" => Some(5672),
        "amqps" => Some(5671),
        "ftp" => Some(21),
        "ftps" => Some(990),
        "git" => Some(9418),
        "git+http" | "http" | "ws" => Some(80),
        "git+https" | "https" | "rtmps" | "wss" => Some(443),
        "git+ssh" | "scp" | "sftp" | "ssh" | "ssh+git" | "svn+ssh" => Some(22),
        "imap" => Some(143),
        "imaps" => Some(993),
        "irc" => Some(6667),
        "ircs" => Some(6697),
        "ldap" => Some(389),
        "ldaps" => Some(636),
        "mongodb" => Some(27017),
        "mqtt" => Some(1883),
        "mqtts" => Some(8883),
        "mysql" => Some(3306),
        "nats" => Some(4222),
        "nfs" => Some(2049),
        "pop3" => Some(110),
        "pop3s" => Some(995),
        "postgres" | "postgresql" => Some(5432),
        "redis" | "rediss" => Some(6379),
        "rsync" => Some(873),
        "rtmp" => Some(1935),
        "rtsp" => Some(554),
        "smb" => Some(445),
        "smtp" => Some(25),
        "smtps" => Some(465),
        "socks" | "socks4" | "socks4a" | "socks5" | "socks5h" => Some(1080),
        "svn" => Some(3690),
        "tcp" | "udp" => None,
        "telnet" => Some(23),
        "vnc" => Some(5900),
        _ => return None,
    };
    Some(Scheme::Net(port))
}

/// The port that a scheme has unless another is given.
pub fn default_port(name: &str) -> Option<u16> {
    match scheme(name)? {
        Scheme::Net(port) => port,
        Scheme::File | Scheme::Refused => None,
    }
}
