//! The fixed surroundings in which a policy is compiled.

use crate::date::Date;
use crate::path::AbsPath;

/// The directories of the system, readable by `@system`.
pub const SYSTEM_DIRECTORIES: [&str; 11] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/etc",
    "/opt",
    "/nix/store",
    "/gnu/store",
];

/// Where the project lies, whose home it is, which day it is.
///
/// All of it is fixed when a door starts; nothing is ever taken from a call.
#[derive(Debug, Clone)]
pub struct Context {
    /// The project; `None` where there is none, and `@root` matches nothing.
    pub root: Option<AbsPath>,
    /// The home directory, from the user database.
    pub home: AbsPath,
    /// The directory in which the door was started.
    pub cwd: AbsPath,
    /// The directories for temporary files.
    pub tmp: Vec<AbsPath>,
    /// The directories of the system.
    pub system: Vec<AbsPath>,
    /// The day on which the policy is compiled.
    pub today: Date,
}

impl Context {
    /// Surroundings with the usual directories for the system and for temporary files.
    pub fn new(root: Option<AbsPath>, home: AbsPath, cwd: AbsPath, today: Date) -> Context {
        let absolute = |text: &&str| AbsPath::new(text).ok();
        Context {
            root,
            home,
            cwd,
            tmp: ["/tmp", "/var/tmp"].iter().filter_map(absolute).collect(),
            system: SYSTEM_DIRECTORIES.iter().filter_map(absolute).collect(),
            today,
        }
    }
}
