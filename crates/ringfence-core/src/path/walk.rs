//! The walk of a path through the file system, as the kernel makes it.
//!
//! Unlike the kernel, the walk continues after a missing entry or a file, as if the rest were to be
//! created. An access to a new path is thus judged by its future location. Every component is
//! looked up where the walk stands, also after `missing/..`, so that no link is skipped.

use std::borrow::Cow;

use super::abs_path::check_name;
use super::proc_names::{self, ProcTarget};
use super::{AbsPath, Follow, PathFault};
use crate::host::{FileEntry, Host};

/// The largest number of links that the kernel follows in one path.
const MAX_LINKS: usize = 40;

/// The end of a walk.
pub(super) struct WalkEnd {
    /// The path, with all links resolved.
    pub(super) path: AbsPath,
    /// The entry at the path.
    pub(super) entry: FileEntry,
}

/// Walks from the root along the components of `text`.
pub(super) fn walk(
    host: &dyn Host,
    text: &str,
    cwd: &AbsPath,
    follow: Follow,
) -> Result<WalkEnd, PathFault> {
    let follow = followed(text, follow);
    let mut walk = Walk { host, cwd, follow, real: String::new(), current: None, followed: 0 };
    walk.walk_text(text)?;
    walk.finish()
}

/// Returns whether a link at the end is followed. After a final slash, `.` or `..` the kernel
/// always follows it.
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
    /// The current path without links; empty for the root.
    real: String,
    /// The current path with its entry, if the host was asked for it.
    current: Option<(AbsPath, FileEntry)>,
    followed: usize,
}

impl Walk<'_> {
    /// Walks along a text. After a link, walks along its target and the rest of the text.
    fn walk_text(&mut self, text: &str) -> Result<(), PathFault> {
        let mut left = text;
        while let Some((name, ahead)) = next_component(left) {
            if let Some(mut target) = self.step(name, ahead)? {
                self.enter_link(&mut target)?;
                let text = format!("{target}/{ahead}");
                // The recursion is as deep as the number of links.
                return self.walk_text(&text);
            }
            left = ahead;
        }
        Ok(())
    }

    /// Walks one component further; returns the target if the component is a link to follow.
    fn step(&mut self, name: &str, ahead: &str) -> Result<Option<Box<str>>, PathFault> {
        self.current = None;
        if name == ".." {
            self.real.truncate(self.real.rfind('/').unwrap_or(0));
            return Ok(None);
        }
        let target = proc_names::proc_target(&self.real, name, ahead, self.cwd);
        check_name(name)?;
        self.real.push('/');
        self.real.push_str(name);
        match target {
            ProcTarget::Itself => Ok(None),
            ProcTarget::To(target) => Ok(Some(target)),
            ProcTarget::Unknown => Err(PathFault::Process(self.place()?)),
            ProcTarget::Host => self.ask(ahead),
        }
    }

    /// Asks the host for the entry at the current path; returns the target if it is a link to
    /// follow.
    fn ask(&mut self, ahead: &str) -> Result<Option<Box<str>>, PathFault> {
        let place = self.place()?;
        match self.host.entry(&place) {
            FileEntry::Link(target)
                if self.follow == Follow::Final || next_component(ahead).is_some() =>
            {
                Ok(Some(target))
            }
            FileEntry::Unreadable(reason) => Err(PathFault::Unreadable(place, reason.into())),
            entry => {
                self.current = Some((place, entry));
                Ok(None)
            }
        }
    }

    /// Moves from a link to the directory from which its target is read.
    fn enter_link(&mut self, target: &mut Box<str>) -> Result<(), PathFault> {
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

    fn finish(self) -> Result<WalkEnd, PathFault> {
        if !proc_names::is_askable(&self.real) {
            return Ok(WalkEnd { path: self.place()?, entry: FileEntry::Missing });
        }
        let (path, entry) = match self.current {
            Some(current) => current,
            None => {
                let path = self.place()?;
                let entry = self.host.entry(&path);
                (path, entry)
            }
        };
        match entry {
            FileEntry::Unreadable(reason) => Err(PathFault::Unreadable(path, reason.into())),
            entry => Ok(WalkEnd { path, entry }),
        }
    }
}

/// Returns the components of a text in order, without `.`.
pub(crate) fn names(text: &str) -> impl Iterator<Item = &str> {
    let mut left = text;
    std::iter::from_fn(move || {
        let (name, ahead) = next_component(left)?;
        left = ahead;
        Some(name)
    })
}

/// Returns the next component of a text, and the rest after it.
pub(super) fn next_component(text: &str) -> Option<(&str, &str)> {
    let mut left = text;
    loop {
        // A byte loop is faster than a search routine for such short texts.
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
