//! URL schemes and their default ports.

/// The meaning of a URL scheme.
pub(super) enum Scheme {
    /// The URL names a host, at this default port.
    Net(Option<u16>),
    /// The URL names a file on this machine.
    File,
    /// No rule can grant a URL of this scheme.
    Refused,
}

/// Returns the meaning of a scheme in lower case; `None` if it is unknown.
///
/// A URL of a network scheme names its host after `//`; some of these schemes have no default port.
/// Refused schemes have an effect that no rule can describe: they smuggle other protocols, contain
/// code or content, or wrap other URLs.
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
