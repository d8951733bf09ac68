//! The way of a path through the file system, as the kernel goes it.
//!
//! Unlike the kernel it goes on behind what is missing or no directory, as if the rest were to be
//! made: an access to a path that does not exist yet is judged by where it would come to lie.
//! Every component is looked up where the walk then stands, also behind `missing/..`, so that no
//! link goes unfollowed.

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
    // A slash at the end makes the kernel follow a last link whatever is asked for.
    let follow = match text.rsplit('/').next() {
        Some("" | "." | "..") => Follow::Final,
        _ => follow,
    };
    let mut walk = Walk { host, cwd, follow, real: Vec::new(), ahead: Vec::new(), followed: 0 };
    walk.put_ahead(text);
    while let Some(name) = walk.ahead.pop() {
        walk.step(name)?;
    }
    walk.arrive()
}

struct Walk<'a> {
    host: &'a dyn Host,
    cwd: &'a AbsPath,
    follow: Follow,
    /// The components of the place reached, free of links.
    real: Vec<Box<str>>,
    /// The components still to come, the next one last.
    ahead: Vec<Box<str>>,
    followed: usize,
}

impl Walk<'_> {
    fn put_ahead(&mut self, text: &str) {
        let names = text.split('/').rev().filter(|name| !matches!(*name, "" | "."));
        self.ahead.extend(names.map(Box::from));
    }

    fn step(&mut self, name: Box<str>) -> Result<(), PathFault> {
        if &*name == ".." {
            self.real.pop();
            return Ok(());
        }
        let lead = process::lead(&self.real, &name, &self.ahead, self.cwd);
        self.real.push(name);
        match lead {
            Lead::Itself => Ok(()),
            Lead::To(target) => self.go_to(&target),
            Lead::Unknown => Err(PathFault::Process(self.place()?)),
            Lead::Host => match self.host.entry(&self.place()?) {
                Entry::Link(_) if self.ahead.is_empty() && self.follow == Follow::Parent => Ok(()),
                Entry::Link(target) => self.go_to(&target),
                Entry::Unreadable(reason) => {
                    Err(PathFault::Unreadable(self.place()?, reason.into()))
                }
                Entry::Missing | Entry::File { .. } | Entry::Dir | Entry::Other => Ok(()),
            },
        }
    }

    /// Goes from the link just reached to its target.
    fn go_to(&mut self, target: &str) -> Result<(), PathFault> {
        self.followed = self.followed.saturating_add(1);
        if self.followed > MAX_LINKS {
            return Err(PathFault::Links);
        }
        if target.is_empty() {
            return Err(PathFault::EmptyLink(self.place()?));
        }
        let target = self.host.path_rules().clean(target)?;
        if target.starts_with('/') {
            self.real.clear();
        } else {
            self.real.pop();
        }
        self.put_ahead(&target);
        Ok(())
    }

    fn place(&self) -> Result<AbsPath, PathFault> {
        AbsPath::from_components(&self.real)
    }

    fn arrive(self) -> Result<Arrival, PathFault> {
        let path = self.place()?;
        let entry =
            if process::is_askable(&self.real) { self.host.entry(&path) } else { Entry::Missing };
        match entry {
            Entry::Unreadable(reason) => Err(PathFault::Unreadable(path, reason.into())),
            entry => Ok(Arrival { path, entry }),
        }
    }
}
