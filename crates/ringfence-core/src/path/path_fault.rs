//! What can be wrong with a path.

use std::fmt;

use super::AbsPath;
use crate::net::{UrlFault, excerpt};

/// What is wrong with a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathFault {
    /// It is empty.
    Empty,
    /// It has a NUL character, where the kernel would stop reading.
    Nul,
    /// It is longer than the kernel takes.
    Long,
    /// One of its components is longer than file systems take.
    LongName,
    /// It does not start at the root.
    Relative,
    /// It is not the name of one directory entry.
    NotAName,
    /// It starts or ends with a space, which some tools drop.
    Space,
    /// It names the home of a user who is not known.
    UnknownUser(Box<str>),
    /// It has a variable that is not set or could be read in two ways.
    Variable(Box<str>),
    /// It has a command substitution.
    Substitution,
    /// Its `..` climb above what `~` or a variable stands for, so that a tool which does not
    /// expand these would end elsewhere.
    Climb,
    /// It is a `file:` URL that was refused.
    Url(UrlFault),
    /// It climbs, or ends early, for a tool that decodes percent signs.
    Encoded,
    /// It leads through more links than the kernel follows.
    Links,
    /// It leads through a link without a target.
    EmptyLink(AbsPath),
    /// It leads to another place by the kernel's reading than by its text.
    Disputed(Box<(AbsPath, AbsPath)>),
    /// Something on its way cannot be looked at.
    Unreadable(AbsPath, Box<str>),
    /// It leads through something of a process that cannot be told from outside.
    Process(AbsPath),
    /// It has a name that Windows keeps for a device.
    Device(Box<str>),
    /// It has a name that Windows reads as a stream, a short name or not at all.
    WindowsName(Box<str>),
    /// It starts with a prefix by which Windows leaves its own file names.
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
            PathFault::Climb => f.write_str("climbs above what its start stands for"),
            PathFault::Url(fault) => fault.fmt(f),
            PathFault::Encoded => f.write_str("hides a path in percent signs"),
            PathFault::Links => f.write_str("leads through more than 40 links"),
            PathFault::WindowsPrefix => f.write_str("names a device or another machine"),
            _ => self.fmt_named(f),
        }
    }
}

impl PathFault {
    /// The faults that name a part of the path.
    fn fmt_named(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PathFault::UnknownUser(user) => write!(f, "names no known user `{}`", excerpt(user)),
            PathFault::Variable(name) => {
                write!(f, "has a variable `{}` that cannot be told", excerpt(name))
            }
            PathFault::EmptyLink(link) => write!(f, "leads through an empty link `{link}`"),
            PathFault::Disputed(places) => {
                let (by_kernel, by_text) = &**places;
                write!(f, "leads to `{by_kernel}` through a link, and to `{by_text}` as text")
            }
            PathFault::Unreadable(path, reason) => write!(f, "stops at `{path}`: {reason}"),
            PathFault::Process(path) => write!(f, "leads through `{path}`, which cannot be told"),
            PathFault::Device(name) => write!(f, "has the device name `{}`", excerpt(name)),
            PathFault::WindowsName(name) => {
                write!(f, "has the name `{}`, which Windows reads as another", excerpt(name))
            }
            _ => Ok(()),
        }
    }
}
