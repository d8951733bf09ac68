//! Parses connection strings of database and queue clients.
//!
//! Formats differ between clients (`Server=a;Port=1`, `host=a port=1`, `…?sslkey=/x`). The text is
//! therefore split at every separator that any of them uses, and every value is checked.

/// One `key=value` of a connection string.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ConnectionPair<'t> {
    /// A host, with or without a port.
    Host(&'t str),
    /// Any other value, which may be a path or a URL.
    Other(&'t str),
}

/// Keys whose values are hosts, in lower case and without spaces and punctuation.
const HOSTS: [&str; 16] = [
    "host",
    "hosts",
    "hostaddr",
    "hostname",
    "server",
    "servers",
    "serveraddress",
    "datasource",
    "source",
    "addr",
    "address",
    "networkaddress",
    "endpoint",
    "bootstrapservers",
    "proxy",
    "failoverpartner",
];

/// Returns the pairs of a connection string.
pub(super) fn connection_pairs(text: &str) -> impl Iterator<Item = ConnectionPair<'_>> {
    // With `;`, keys may contain spaces; without it, spaces separate the pairs.
    let has_signs = text.contains(';');
    let is_end = move |c: char| match has_signs {
        true => matches!(c, '?' | '&' | ';'),
        false => matches!(c, '?' | '&') || c.is_whitespace(),
    };
    text.split(is_end).filter_map(pair).flatten()
}

fn pair(part: &str) -> Option<Vec<ConnectionPair<'_>>> {
    let (key, value) = part.split_once('=')?;
    let is_kept = |c: &char| c.is_ascii_alphanumeric();
    let key: String = key.chars().filter(is_kept).map(|c| c.to_ascii_lowercase()).collect();
    let value = value.trim().trim_matches(['"', '\'', '{', '}']);
    if !HOSTS.contains(&key.as_str()) {
        return Some(vec![ConnectionPair::Other(value)]);
    }
    // A data source is often a file, not a host; a host may follow a protocol prefix.
    let hosts = value.split(',').map(|own| {
        let own = own.trim();
        let own = ["tcp:", "np:", "lpc:", "admin:"]
            .iter()
            .find_map(|p| own.strip_prefix(p))
            .unwrap_or(own);
        match own.starts_with(['/', '~', '\\']) || own.contains("://") {
            true => ConnectionPair::Other(own),
            false => ConnectionPair::Host(own),
        }
    });
    let is_port = |own: &ConnectionPair<'_>| matches!(own, ConnectionPair::Host(own) if own.bytes().all(|byte| byte.is_ascii_digit()));
    Some(hosts.filter(|own| !is_port(own)).collect())
}
