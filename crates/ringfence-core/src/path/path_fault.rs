//! Reasons why a path is refused.

use std::fmt;

use super::AbsPath;
use crate::net::{UrlFault, excerpt};

/// The reason why a path is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathFault {
    /// The path is empty.
    Empty,
    /// The path has a NUL character, where the kernel would stop reading.
    Nul,
    /// The path is longer than the kernel accepts.
    Long,
    /// A component is longer than file systems accept.
    LongName,
    /// The path is not absolute.
    Relative,
    /// The text is not the name of a single directory entry.
    NotAName,
    /// The path starts or ends with a space, which some tools drop.
    Space,
    /// The path names the home directory of an unknown user.
    UnknownUser(Box<str>),
    /// The path has a variable that is unset or ambiguous.
    Variable(Box<str>),
    /// The path has a command substitution.
    Substitution,
    /// `..` leads above the value of `~` or of a variable. A tool that does not expand these would
    /// reach another path.
    Climb,
    /// The path is a `file:` URL that was refused.
    Url(UrlFault),
    /// The path contains `..` or NUL after percent-decoding, which some tools do.
    Encoded,
    /// The path has more links than the kernel follows.
    Links,
    /// The path leads through a link with an empty target.
    EmptyLink(AbsPath),
    /// The kernel's resolution and the normalised text lead to different paths.
    Disputed(Box<(AbsPath, AbsPath)>),
    /// A parent directory or the entry itself cannot be inspected.
    Unreadable(AbsPath, Box<str>),
    /// The path leads through a `/proc` entry that only the process itself can resolve.
    Process(AbsPath),
    /// The path has a name that Windows reserves for a device.
    Device(Box<str>),
    /// Windows reads a name in the path as a stream or a short name, or ignores the name.
    WindowsName(Box<str>),
    /// The path starts with a Windows prefix for devices or other machines.
    WindowsPrefix,
}

impl fmt::Display for PathFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PathFault::Empty => f.write_str("is empty"),
            PathFault::Nul => f.write_str("has a NUL character"),
            PathFault::Long => f.write_str("is longer than 4095 bytes"),
            PathFault::LongName => f.write_str("has a name longer than 255 bytes"),
            PathFault::Relative => f.write_str("is not absolute"),
            PathFault::NotAName => f.write_str("is not the name of a directory entry"),
            PathFault::Space => f.write_str("starts or ends with a space"),
            PathFault::Substitution => f.write_str("has a command substitution"),
            PathFault::Climb => {
                f.write_str("climbs with `..` above the value of `~` or the variable at its start")
            }
            PathFault::Url(fault) => fault.fmt(f),
            PathFault::Encoded => f.write_str("hides `..` or a NUL character in percent-encoding"),
            PathFault::Links => f.write_str("leads through more than 40 links"),
            PathFault::WindowsPrefix => f.write_str("names a device or another machine"),
            _ => self.fmt_named(f),
        }
    }
}

impl PathFault {
    /// Writes the faults that contain a part of the path.
    fn fmt_named(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PathFault::UnknownUser(user) => write!(f, "names no known user `{}`", excerpt(user)),
            PathFault::Variable(name) => {
                write!(f, "has a variable `{}` that is unset or ambiguous", excerpt(name))
            }
            PathFault::EmptyLink(link) => write!(f, "leads through an empty link `{link}`"),
            PathFault::Disputed(places) => {
                let (by_kernel, by_text) = &**places;
                write!(
                    f,
                    "leads to `{by_kernel}` if links are followed, but to `{by_text}` by its text"
                )
            }
            PathFault::Unreadable(path, reason) => write!(f, "stops at `{path}`: {reason}"),
            PathFault::Process(path) => {
                write!(f, "leads through `{path}`, whose target is not known")
            }
            PathFault::Device(name) => write!(f, "has the device name `{}`", excerpt(name)),
            PathFault::WindowsName(name) => {
                write!(f, "has the name `{}`, which Windows reads as another", excerpt(name))
            }
            _ => Ok(()),
        }
    }
}
