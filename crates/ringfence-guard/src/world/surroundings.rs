//! Who and where this process is, fixed when a door starts.
//!
//! None of it is ever taken from a call. The home directory comes from the user database; of the
//! environment only `TMPDIR` is asked, and believed only where it can do no harm.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use ringfence_core::path::AbsPath;
use ringfence_core::{Context, Date};

use super::places::Places;
use super::real_host::RealHost;
use super::real_path::real_path;
use super::root::{self, NoRoot};
use super::temporary;
use super::users::User;

/// Who and where a door is.
#[derive(Debug, Clone)]
pub struct Surroundings {
    /// Whose process it is.
    pub user: User,
    /// The surroundings in which policies are compiled.
    pub context: Context,
    /// Why there is no root, where there is none.
    pub no_root: Option<NoRoot>,
    /// What people should know: what was passed over, and why.
    pub notes: Vec<String>,
}

/// Where the root is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RootFrom<'a> {
    /// At and above the working directory.
    WorkingDirectory,
    /// At the project directory that the agent names.
    Project(&'a AbsPath),
}

impl Surroundings {
    /// The surroundings of this process.
    pub fn here(host: &RealHost) -> Result<Surroundings, Unplaced> {
        let cwd = std::env::current_dir().map_err(|_| Unplaced::NoDirectory)?;
        let cwd = cwd.to_str().and_then(|cwd| AbsPath::new(cwd).ok());
        let cwd = cwd.ok_or(Unplaced::OddDirectory)?;
        Surroundings::at(host, cwd, RootFrom::WorkingDirectory)
    }

    /// The surroundings of a door that was started in `cwd`, which is free of links.
    pub fn at(
        host: &RealHost,
        cwd: AbsPath,
        root_from: RootFrom<'_>,
    ) -> Result<Surroundings, Unplaced> {
        let user = host.user().cloned().ok_or(Unplaced::NoUser(host.uid()))?;
        let today = today(SystemTime::now())?;
        let homes = real_homes(host, &user);
        let mut notes = Vec::new();
        let root = match root_from {
            RootFrom::WorkingDirectory => search(&cwd, &homes, &mut notes),
            RootFrom::Project(project) => named(project, &homes),
        };
        let (root, no_root) = match root {
            Ok(root) => (Some(root), None),
            Err(no_root) => (None, Some(no_root)),
        };
        notes.extend(no_root.iter().map(NoRoot::to_string));
        let mut context = Context::new(root, user.home.clone(), cwd, today);
        match temporary::from_variable(host, &context) {
            Ok(directory) => context.tmp.extend(directory),
            Err(note) => notes.push(note),
        }
        Ok(Surroundings { user, context, no_root, notes })
    }

    /// Where the documents and records of these surroundings lie.
    pub fn places(&self) -> Result<Places, Unplaced> {
        let places = Places::of_user(self.user.uid, &self.user.home);
        let places = places.map_err(|_| Unplaced::NoUser(self.user.uid))?;
        Ok(places.within(self.context.root.clone(), self.context.cwd.clone()))
    }
}

fn search(cwd: &AbsPath, homes: &[AbsPath], notes: &mut Vec<String>) -> Result<AbsPath, NoRoot> {
    let found = root::find(cwd, homes);
    notes.extend(found.passed_over.iter().map(|file| {
        format!("`{file}` is not read: its directory can be no project, as it is or holds a home")
    }));
    found.root
}

fn named(project: &AbsPath, homes: &[AbsPath]) -> Result<AbsPath, NoRoot> {
    let real = real_path(project);
    root::check(&real, homes).map(|()| real)
}

/// Every home directory, as the database names it and where it really lies.
fn real_homes(host: &RealHost, user: &User) -> Vec<AbsPath> {
    let mut homes = host.users().homes();
    homes.extend([user.home.clone(), real_path(&user.home)]);
    homes
}

/// The day it is, by the clock of the system in UTC.
fn today(now: SystemTime) -> Result<Date, Unplaced> {
    const DAY: u64 = 24 * 60 * 60;
    // A clock this wrong would keep rules alive that have ended.
    let since = now.duration_since(UNIX_EPOCH).map_err(|_| Unplaced::Clock)?;
    let days = u32::try_from(since.as_secs() / DAY).map_err(|_| Unplaced::Clock)?;
    Ok(Date::from_unix_days(days))
}

/// Why it cannot be told who or where this process is; nothing can be decided then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unplaced {
    /// The user database has no such user, or no home for them.
    NoUser(u32),
    /// The working directory is gone, or may not be looked at.
    NoDirectory,
    /// The name of the working directory is not UTF-8, or too long.
    OddDirectory,
    /// The clock stands before 1970.
    Clock,
}

impl fmt::Display for Unplaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unplaced::NoUser(uid) => {
                write!(f, "the user database has no user `{uid}` with a home directory")
            }
            Unplaced::NoDirectory => f.write_str("the working directory cannot be told"),
            Unplaced::OddDirectory => {
                f.write_str("the name of the working directory is not UTF-8, or too long")
            }
            Unplaced::Clock => f.write_str("the clock of this machine is wrong"),
        }
    }
}

impl std::error::Error for Unplaced {}

#[cfg(test)]
#[path = "surroundings_tests.rs"]
mod tests;
