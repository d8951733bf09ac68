//! Why a text is no URL that can be judged.

use std::fmt;

use super::bad_host::BadHost;
use super::excerpt;

/// A URL that was refused: the text, and what is wrong with it.
///
/// A refused URL is never fetched, so whoever meets this error answers `deny`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadUrl {
    url: Box<str>,
    fault: UrlFault,
}

impl BadUrl {
    pub(super) fn new(url: &str, fault: UrlFault) -> BadUrl {
        BadUrl { url: url.into(), fault }
    }

    /// The text as it was given; unlike the message, it may hold a password.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// What is wrong with it.
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

/// What stands before and after user and password, which messages do not repeat.
fn part_user(url: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = url.split_once("//")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let at = authority.rfind('@')?;
    Some((scheme, rest.get(at.saturating_add(1)..)?))
}

/// What is wrong with a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UrlFault {
    /// It is empty or longer than anyone needs.
    Length,
    /// It has a control character, which some programs pass over and others do not.
    Control,
    /// It starts or ends with a space.
    Space,
    /// It does not start with a scheme.
    NoScheme,
    /// Its scheme is not known to lead to a host or a file.
    Scheme(Box<str>),
    /// Its scheme is not followed by `//`.
    NoSlashes,
    /// A character that programs read differently stands before the path.
    Authority(char),
    /// More than one `@` stands before the path.
    ManyUsers,
    /// An `@` stands behind `?` or `#` without a path, where some programs look for the host.
    LateUser,
    /// The host is refused.
    Host(BadHost),
    /// The port is no number from 1 to 65535 in plain digits.
    Port,
    /// Programs read host or port differently.
    Disputed,
    /// A file of another machine.
    RemoteFile,
    /// The path of a file does not start at the root.
    RelativeFile,
    /// A file has no query and no fragment.
    FileQuery,
    /// A percent sign is not followed by two digits, or what it stands for is no text.
    Encoding,
    /// It is encoded twice, and programs differ in how often they decode.
    TwiceEncoded,
    /// It has an encoded NUL character.
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
            UrlFault::Host(error) => write!(f, "names no host: {error}"),
            UrlFault::Port => f.write_str("has a port that is no number from 1 to 65535"),
            UrlFault::Disputed => f.write_str("leads to different hosts in different programs"),
            UrlFault::RemoteFile => f.write_str("names a file of another machine"),
            UrlFault::RelativeFile => f.write_str("does not name a file by its absolute path"),
            UrlFault::FileQuery => f.write_str("names a file and has a query or a fragment"),
            UrlFault::Encoding => f.write_str("has a percent sign that encodes no text"),
            UrlFault::TwiceEncoded => f.write_str("is percent-encoded twice"),
            UrlFault::Nul => f.write_str("has an encoded NUL character"),
        }
    }
}
