//! Errors for URLs that cannot be judged.

use std::fmt;

use super::bad_host::BadHost;
use super::excerpt;

/// The error for a URL that was refused, with its text and fault.
///
/// A refused URL is never fetched. Callers must answer `deny`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadUrl {
    url: Box<str>,
    fault: UrlFault,
}

impl BadUrl {
    pub(super) fn new(url: &str, fault: UrlFault) -> BadUrl {
        BadUrl { url: url.into(), fault }
    }

    /// Returns the refused text. Unlike the error message, it may contain a password.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns the reason.
    pub fn fault(&self) -> &UrlFault {
        &self.fault
    }
}

impl fmt::Display for BadUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match part_user(&self.url) {
            Some((scheme, host)) => {
                write!(f, "the URL `{}//…@{}` ", excerpt(scheme), excerpt(host))?;
            }
            None => write!(f, "the URL `{}` ", excerpt(&self.url))?,
        }
        self.fault.fmt(f)
    }
}

impl std::error::Error for BadUrl {}

/// Returns the parts before and after user and password, which messages must not repeat.
fn part_user(url: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = url.split_once("//")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let at = authority.rfind('@')?;
    Some((scheme, rest.get(at.saturating_add(1)..)?))
}

/// The reason why a URL is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UrlFault {
    /// The URL is empty or too long.
    Length,
    /// The URL has a control character, which only some programs skip.
    Control,
    /// The URL starts or ends with a space.
    Space,
    /// The URL does not start with a scheme.
    NoScheme,
    /// The scheme is unknown, so it is not clear which host or file the URL names.
    Scheme(Box<str>),
    /// Its scheme is not followed by `//`.
    NoSlashes,
    /// A character before the path is read differently by different programs.
    Authority(char),
    /// There is more than one `@` before the path.
    ManyUsers,
    /// An `@` follows `?` or `#`, and there is no path. Some programs look for the host there.
    LateUser,
    /// The host is refused.
    Host(BadHost),
    /// The port is not a number from 1 to 65535 in plain digits.
    Port,
    /// Programs disagree on the host or port.
    Disputed,
    /// The URL names a file on another machine.
    RemoteFile,
    /// The path of a `file:` URL is not absolute.
    RelativeFile,
    /// A `file:` URL has a query or a fragment.
    FileQuery,
    /// A percent sign is not followed by two hex digits, or the decoded bytes are not UTF-8.
    Encoding,
    /// The URL is percent-encoded twice, and programs differ in how often they decode.
    TwiceEncoded,
    /// The URL has an encoded NUL character.
    Nul,
}

impl fmt::Display for UrlFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UrlFault::Length => f.write_str("is empty or longer than 65536 bytes"),
            UrlFault::Control => f.write_str("has a control character"),
            UrlFault::Space => f.write_str("starts or ends with a space"),
            UrlFault::NoScheme => f.write_str("does not start with a scheme such as `https://`"),
            UrlFault::Scheme(scheme) => {
                write!(f, "has the scheme `{}`, which is not known", excerpt(scheme))
            }
            UrlFault::NoSlashes => f.write_str("has no `//` after its scheme"),
            UrlFault::Authority(c) => {
                write!(f, "has the character `{}` before its path", c.escape_debug())
            }
            UrlFault::ManyUsers => f.write_str("has more than one `@` before its path"),
            UrlFault::LateUser => {
                f.write_str("has an `@` after `?` or `#`; put a `/` after the host")
            }
            UrlFault::Host(error) => write!(f, "has no valid host: {error}"),
            UrlFault::Port => f.write_str("has a port that is no number from 1 to 65535"),
            UrlFault::Disputed => f.write_str("leads to different hosts in different programs"),
            UrlFault::RemoteFile => f.write_str("names a file of another machine"),
            UrlFault::RelativeFile => f.write_str("does not name a file by its absolute path"),
            UrlFault::FileQuery => f.write_str("names a file and has a query or a fragment"),
            UrlFault::Encoding => f.write_str("has an invalid percent-encoding"),
            UrlFault::TwiceEncoded => f.write_str("is percent-encoded twice"),
            UrlFault::Nul => f.write_str("has an encoded NUL character"),
        }
    }
}
