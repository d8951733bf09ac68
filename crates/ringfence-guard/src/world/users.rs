//! The user database.
//!
//! `/etc/passwd` is read once, when first needed. Other sources (such as LDAP) are asked only about
//! users not in it. `$HOME` and `$USER` are never used.

use std::path::Path;

use ringfence_core::path::AbsPath;

use super::real_path::real_path;
use super::safe_open::{self, Links};

/// A user of this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// The login name.
    pub name: Box<str>,
    /// The UID.
    pub uid: u32,
    /// The home directory in the user database.
    pub home: AbsPath,
}

/// The users in `/etc/passwd`.
#[derive(Debug, Clone, Default)]
pub(super) struct Users(Vec<User>);

/// The first UID of ordinary users.
const FIRST_PERSON: u32 = 1000;
/// The maximum size of the database in bytes.
const MAX_DATABASE: usize = 16 * 1024 * 1024;

impl Users {
    /// Parses a file in the format of `/etc/passwd`. An unreadable file has no users.
    pub(super) fn read(path: &Path) -> Users {
        let bytes = safe_open::read(path, Links::Followed, MAX_DATABASE).unwrap_or_default();
        let lines = bytes.split(|byte| *byte == b'\n');
        let lines = lines.filter_map(|line| std::str::from_utf8(line).ok());
        Users(lines.filter_map(parse_line).collect())
    }

    /// Returns the user with this name, if the file lists one.
    pub(super) fn by_name(&self, name: &str) -> Option<&User> {
        self.0.iter().find(|user| &*user.name == name)
    }

    /// Returns the first user with this UID, if the file lists one.
    pub(super) fn by_uid(&self, uid: u32) -> Option<&User> {
        self.0.iter().find(|user| user.uid == uid)
    }

    /// Returns every home directory without duplicates; for people and root also its real path.
    /// Service accounts are many, and their paths are not resolved.
    pub(super) fn homes(&self) -> Vec<AbsPath> {
        let named = self.0.iter().map(|user| user.home.clone());
        let people = self.0.iter().filter(|user| user.uid == 0 || user.uid >= FIRST_PERSON);
        let mut homes: Vec<AbsPath> =
            named.chain(people.map(|user| real_path(&user.home))).collect();
        homes.sort();
        homes.dedup();
        homes
    }
}

/// Looks up a name with the C library (NSS).
pub(super) fn look_up_name(name: &str) -> Option<User> {
    let is_name_char = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '@' | '\\');
    if name.is_empty() || name.len() > 256 || !name.chars().all(is_name_char) {
        return None;
    }
    from_system(nix::unistd::User::from_name(name).ok()??)
}

/// Looks up a UID with the C library (NSS).
pub(super) fn look_up_uid(uid: u32) -> Option<User> {
    from_system(nix::unistd::User::from_uid(nix::unistd::Uid::from_raw(uid)).ok()??)
}

fn from_system(user: nix::unistd::User) -> Option<User> {
    let home = AbsPath::new(user.dir.to_str()?).ok()?;
    Some(User { name: user.name.into(), uid: user.uid.as_raw(), home })
}

/// Parses a line `name:password:uid:gid:comment:home:shell`.
fn parse_line(line: &str) -> Option<User> {
    // Fields are short, so a byte loop is faster than a substring search.
    let fields = line.as_bytes().split(|byte| *byte == b':');
    let mut fields = fields.map(|field| std::str::from_utf8(field).unwrap_or_default());
    // Lines that start with `+` or `-` belong to NIS and name no user.
    let name = fields.next().filter(|name| !name.is_empty() && !name.starts_with(['+', '-']))?;
    let uid = fields.nth(1)?.parse().ok()?;
    let home = AbsPath::new(fields.nth(2)?).ok()?;
    Some(User { name: name.into(), uid, home })
}

#[cfg(test)]
#[path = "users_tests.rs"]
mod tests;
