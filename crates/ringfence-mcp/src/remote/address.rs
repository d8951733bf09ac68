//! Where a server is reached.

use hyper::header::HeaderValue;
use ringfence_core::net::{HostName, UrlTarget, parse_url};
use tokio_rustls::rustls::pki_types::ServerName;

/// The address of a server that is reached over HTTP.
#[derive(Debug, Clone)]
pub struct Address {
    pub(super) host: HostName,
    pub(super) port: u16,
    /// What stands in `Host`.
    pub(super) authority: HeaderValue,
    /// The path, with its query.
    pub(super) path: String,
    /// The name that the server's certificate must have, where it has one.
    pub(super) secure: Option<ServerName<'static>>,
}

impl Address {
    /// Reads a URL of the schemes `http` and `https`; an error is words for a message.
    pub fn parse(url: &str) -> Result<Address, String> {
        let target = parse_url(url).map_err(|error| error.to_string())?;
        let UrlTarget::Net { scheme, endpoint, user } = target else {
            return Err("it is a file".to_owned());
        };
        if user {
            return Err("it has a user or a password: send them as a header".to_owned());
        }
        let rest = url.split_once("://").map(|(_, rest)| rest).ok_or("it has no host")?;
        let rest = rest.split('#').next().unwrap_or(rest);
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at_checked(end).ok_or("it cannot be read")?;
        let path = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
        let is_secure = match &*scheme {
            "http" => false,
            "https" => true,
            other => return Err(format!("`{other}` is not http or https")),
        };
        let name = authority.rsplit_once(':').filter(|(_, port)| is_port(port));
        let name = name.map_or(authority, |(name, _)| name).trim_matches(['[', ']']);
        let secure = is_secure.then(|| ServerName::try_from(name.to_owned())).transpose();
        Ok(Address {
            host: endpoint.host,
            port: endpoint.port.ok_or("it has no port")?,
            authority: HeaderValue::from_str(authority).map_err(|error| error.to_string())?,
            path,
            secure: secure.map_err(|_| "its host is no name for a certificate".to_owned())?,
        })
    }
}

fn is_port(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
#[path = "address_tests.rs"]
mod tests;
