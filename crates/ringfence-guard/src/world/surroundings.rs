//! The user, directory, root and date of this process, fixed when a door starts.
//!
//! A call never changes them. The home directory comes from the user database. `TMPDIR` is the only
//! variable used, and only if it cannot widen a grant.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use ringfence_core::path::AbsPath;
use ringfence_core::{Context, Date};

use super::locations::PolicyLocations;
use super::real_host::RealHost;
use super::real_path::real_path;
use super::root::{self, NoRoot};
use super::tmpdir;
use super::users::User;

/// The user and the context of a door.
#[derive(Debug, Clone)]
pub struct Surroundings {
    /// The user of this process.
    pub user: User,
    /// The context in which policies are compiled.
    pub context: Context,
    /// Why there is no root, if there is none.
    pub no_root: Option<NoRoot>,
    /// Messages for people: what was skipped, and why.
    pub notes: Vec<String>,
}

/// Where the search for the root starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RootFrom<'a> {
    /// In the working directory, then its ancestors.
    WorkingDirectory,
    /// In the project directory that the agent names.
    Project(&'a AbsPath),
}

impl Surroundings {
    /// Returns the surroundings of this process.
    pub fn here(host: &RealHost) -> Result<Surroundings, SurroundingsError> {
        let cwd = std::env::current_dir().map_err(|_| SurroundingsError::NoDirectory)?;
        let cwd = cwd.to_str().and_then(|cwd| AbsPath::new(cwd).ok());
        let cwd = cwd.ok_or(SurroundingsError::OddDirectory)?;
        Surroundings::at(host, cwd, RootFrom::WorkingDirectory)
    }

    /// Returns the surroundings of a door started in `cwd`, which must not contain symlinks.
    pub fn at(
        host: &RealHost,
        cwd: AbsPath,
        root_from: RootFrom<'_>,
    ) -> Result<Surroundings, SurroundingsError> {
        let user = host.user().cloned().ok_or(SurroundingsError::NoUser(host.uid()))?;
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
        match tmpdir::from_variable(host, &context) {
            Ok(directory) => context.tmp.extend(directory),
            Err(note) => notes.push(note),
        }
        Ok(Surroundings { user, context, no_root, notes })
    }

    /// Returns the locations of documents and records.
    pub fn places(&self) -> Result<PolicyLocations, SurroundingsError> {
        let places = PolicyLocations::of_user(self.user.uid, &self.user.home);
        let places = places.map_err(|_| SurroundingsError::NoUser(self.user.uid))?;
        Ok(places.within(self.context.root.clone(), self.context.cwd.clone()))
    }
}

fn search(cwd: &AbsPath, homes: &[AbsPath], notes: &mut Vec<String>) -> Result<AbsPath, NoRoot> {
    let found = root::find(cwd, homes);
    notes.extend(found.passed_over.iter().map(|file| {
        format!("`{file}` is not read: its directory cannot be a project, because it is or contains a home directory")
    }));
    found.root
}

fn named(project: &AbsPath, homes: &[AbsPath]) -> Result<AbsPath, NoRoot> {
    let real = real_path(project);
    root::check(&real, homes).map(|()| real)
}

/// Returns every home directory, by its name in the user database and by its real path.
fn real_homes(host: &RealHost, user: &User) -> Vec<AbsPath> {
    let mut homes = host.users().homes();
    homes.extend([user.home.clone(), real_path(&user.home)]);
    homes
}

/// Returns today's date in UTC.
fn today(now: SystemTime) -> Result<Date, SurroundingsError> {
    const DAY: u64 = 24 * 60 * 60;
    // With such a clock, expired rules would stay in force.
    let since = now.duration_since(UNIX_EPOCH).map_err(|_| SurroundingsError::Clock)?;
    let days = u32::try_from(since.as_secs() / DAY).map_err(|_| SurroundingsError::Clock)?;
    Ok(Date::from_unix_days(days))
}

/// Why the surroundings of this process cannot be determined. Nothing can be decided then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SurroundingsError {
    /// The user database lists no such user, or no home directory for them.
    NoUser(u32),
    /// The working directory was removed or cannot be accessed.
    NoDirectory,
    /// The path of the working directory is not UTF-8, or too long.
    OddDirectory,
    /// The clock shows a date before 1970.
    Clock,
}

impl fmt::Display for SurroundingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SurroundingsError::NoUser(uid) => {
                write!(f, "the user database has no user `{uid}` with a home directory")
            }
            SurroundingsError::NoDirectory => {
                f.write_str("the working directory cannot be determined")
            }
            SurroundingsError::OddDirectory => {
                f.write_str("the name of the working directory is not UTF-8, or too long")
            }
            SurroundingsError::Clock => f.write_str("the clock of this machine is wrong"),
        }
    }
}

impl std::error::Error for SurroundingsError {}

#[cfg(test)]
#[path = "surroundings_tests.rs"]
mod tests;
