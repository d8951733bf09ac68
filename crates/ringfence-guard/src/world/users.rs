//! The user database.
//!
//! `/etc/passwd` is read once, when it is first asked for; the system's other sources (LDAP and
//! kin) are asked only about users whom it does not have. `$HOME` and `$USER` are never believed.

use std::path::Path;

use ringfence_core::path::AbsPath;

use super::file::{self, Links};
use super::real_path::real_path;

/// A user of this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// The name.
    pub name: Box<str>,
    /// The number by which the kernel knows the user.
    pub uid: u32,
    /// The home directory as the user database names it.
    pub home: AbsPath,
}

/// The users of `/etc/passwd`.
#[derive(Debug, Clone, Default)]
pub(super) struct Users(Vec<User>);

/// The first number that is given to people.
const FIRST_PERSON: u32 = 1000;
/// The longest database that is read, in bytes.
const MAX_DATABASE: usize = 16 * 1024 * 1024;

impl Users {
    /// Reads a file in the form of `/etc/passwd`; one that cannot be read has no users.
    pub(super) fn read(path: &Path) -> Users {
        let bytes = file::read(path, Links::Followed, MAX_DATABASE).unwrap_or_default();
        let lines = bytes.split(|byte| *byte == b'\n');
        let lines = lines.filter_map(|line| std::str::from_utf8(line).ok());
        Users(lines.filter_map(parse_line).collect())
    }

    /// The user of this name, as far as the file has one.
    pub(super) fn by_name(&self, name: &str) -> Option<&User> {
        self.0.iter().find(|user| &*user.name == name)
    }

    /// The first user with this number, as far as the file has one.
    pub(super) fn by_uid(&self, uid: u32) -> Option<&User> {
        self.0.iter().find(|user| user.uid == uid)
    }

    /// Every home directory as it is named, and those of people also where they really lie;
    /// each once. Accounts of services are many, and lie where they are named.
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

/// Asks the system's own lookup for a name.
pub(super) fn look_up_name(name: &str) -> Option<User> {
    let is_name_char = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '@' | '\\');
    if name.is_empty() || name.len() > 256 || !name.chars().all(is_name_char) {
        return None;
    }
    from_system(nix::unistd::User::from_name(name).ok()??)
}

/// Asks the system's own lookup for a number.
pub(super) fn look_up_uid(uid: u32) -> Option<User> {
    from_system(nix::unistd::User::from_uid(nix::unistd::Uid::from_raw(uid)).ok()??)
}

fn from_system(user: nix::unistd::User) -> Option<User> {
    let home = AbsPath::new(user.dir.to_str()?).ok()?;
    Some(User { name: user.name.into(), uid: user.uid.as_raw(), home })
}

/// A line `name:password:uid:gid:comment:home:shell`.
fn parse_line(line: &str) -> Option<User> {
    // Fields are short: looking at each byte is quicker than to search.
    let fields = line.as_bytes().split(|byte| *byte == b':');
    let mut fields = fields.map(|field| std::str::from_utf8(field).unwrap_or_default());
    // Lines with a sign in front belong to NIS and name nobody by themselves.
    let name = fields.next().filter(|name| !name.is_empty() && !name.starts_with(['+', '-']))?;
    let uid = fields.nth(1)?.parse().ok()?;
    let home = AbsPath::new(fields.nth(2)?).ok()?;
    Some(User { name: name.into(), uid, home })
}

#[cfg(test)]
#[path = "users_tests.rs"]
mod tests;
