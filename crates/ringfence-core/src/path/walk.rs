//! The way of a path through the file system, as the kernel goes it.
//!
//! Unlike the kernel it goes on behind what is missing or no directory, as if the rest were to be
//! made: an access to a path that does not exist yet is judged by where it would come to lie.
//! Every component is looked up where the walk then stands, also behind `missing/..`, so that no
//! link goes unfollowed.

use std::borrow::Cow;

use super::abs_path::check_name;
use super::process::{self, Lead};
use super::{AbsPath, Follow, PathFault};
use crate::host::{Entry, Host};

/// The most links that the kernel follows on one way.
const MAX_LINKS: usize = 40;

/// Where a walk ended.
pub(super) struct Arrival {
    /// The path without links.
    pub(super) path: AbsPath,
    /// What lies there.
    pub(super) entry: Entry,
}

/// Goes from the root along the components of `text`.
pub(super) fn walk(
    host: &dyn Host,
    text: &str,
    cwd: &AbsPath,
    follow: Follow,
) -> Result<Arrival, PathFault> {
    let follow = followed(text, follow);
    let mut walk = Walk { host, cwd, follow, real: String::new(), there: None, followed: 0 };
    walk.go(text)?;
    walk.arrive()
}

/// Whether a link at the end is followed: a slash there makes the kernel do it whatever is asked for.
pub(super) fn followed(text: &str, follow: Follow) -> Follow {
    let start = text.bytes().rposition(|byte| byte == b'/').map_or(0, |at| at.saturating_add(1));
    match text.get(start..) {
        Some("" | "." | "..") => Follow::Final,
        _ => follow,
    }
}

struct Walk<'a> {
    host: &'a dyn Host,
    cwd: &'a AbsPath,
    follow: Follow,
    /// The place reached, free of links; nothing for the root.
    real: String,
    /// The same as a path, and what lies there, where the host was asked.
    there: Option<(AbsPath, Entry)>,
    followed: usize,
}

impl Walk<'_> {
    /// Goes along a text; where a link leads away, along its target and what is left.
    fn go(&mut self, text: &str) -> Result<(), PathFault> {
        let mut left = text;
        while let Some((name, ahead)) = next(left) {
            if let Some(mut target) = self.step(name, ahead)? {
                self.turn(&mut target)?;
                let text = format!("{target}/{ahead}");
                // As deep as there are links on the way.
                return self.go(&text);
            }
            left = ahead;
        }
        Ok(())
    }

    /// Goes one component further; the target of the link that it is, if it is one to follow.
    fn step(&mut self, name: &str, ahead: &str) -> Result<Option<Box<str>>, PathFault> {
        self.there = None;
        if name == ".." {
            self.real.truncate(self.real.rfind('/').unwrap_or(0));
            return Ok(None);
        }
        let lead = process::lead(&self.real, name, ahead, self.cwd);
        check_name(name)?;
        self.real.push('/');
        self.real.push_str(name);
        match lead {
            Lead::Itself => Ok(None),
            Lead::To(target) => Ok(Some(target)),
            Lead::Unknown => Err(PathFault::Process(self.place()?)),
            Lead::Host => self.ask(ahead),
        }
    }

    /// Asks the host what lies at the place just reached; the target, if it is a link to follow.
    fn ask(&mut self, ahead: &str) -> Result<Option<Box<str>>, PathFault> {
        let place = self.place()?;
        match self.host.entry(&place) {
            Entry::Link(target) if self.follow == Follow::Final || next(ahead).is_some() => {
                Ok(Some(target))
            }
            Entry::Unreadable(reason) => Err(PathFault::Unreadable(place, reason.into())),
            entry => {
                self.there = Some((place, entry));
                Ok(None)
            }
        }
    }

    /// Steps from the link just reached to where its target is seen from.
    fn turn(&mut self, target: &mut Box<str>) -> Result<(), PathFault> {
        self.followed = self.followed.saturating_add(1);
        if self.followed > MAX_LINKS {
            return Err(PathFault::Links);
        }
        if target.is_empty() {
            return Err(PathFault::EmptyLink(self.place()?));
        }
        if let Cow::Owned(cleaned) = self.host.path_rules().clean(target)? {
            *target = cleaned.into();
        }
        let kept = if target.starts_with('/') { 0 } else { self.real.rfind('/').unwrap_or(0) };
        self.real.truncate(kept);
        Ok(())
    }

    fn place(&self) -> Result<AbsPath, PathFault> {
        AbsPath::from_normal(&self.real)
    }

    fn arrive(self) -> Result<Arrival, PathFault> {
        if !process::is_askable(&self.real) {
            return Ok(Arrival { path: self.place()?, entry: Entry::Missing });
        }
        let (path, entry) = match self.there {
            Some(there) => there,
            None => {
                let path = self.place()?;
                let entry = self.host.entry(&path);
                (path, entry)
            }
        };
        match entry {
            Entry::Unreadable(reason) => Err(PathFault::Unreadable(path, reason.into())),
            entry => Ok(Arrival { path, entry }),
        }
    }
}

/// The components of a text, other than `.`, in order.
pub(crate) fn names(text: &str) -> impl Iterator<Item = &str> {
    let mut left = text;
    std::iter::from_fn(move || {
        let (name, ahead) = next(left)?;
        left = ahead;
        Some(name)
    })
}

/// The next component of a text, and what is left behind it.
pub(super) fn next(text: &str) -> Option<(&str, &str)> {
    let mut left = text;
    loop {
        // Names are short: looking at each byte is quicker than to search.
        let end = left.bytes().position(|byte| byte == b'/').unwrap_or(left.len());
        let (name, rest) = left.split_at_checked(end)?;
        let ahead = rest.strip_prefix('/').unwrap_or_default();
        match name {
            "" | "." if ahead.is_empty() => return None,
            "" | "." => left = ahead,
            name => return Some((name, ahead)),
        }
    }
}
