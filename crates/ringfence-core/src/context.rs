//! The fixed surroundings for which a policy is compiled.

use crate::date::Date;
use crate::path::AbsPath;

/// The directories that the pattern symbol `@system` stands for.
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

/// The project root, home directory, working directory and date for which a policy is compiled.
///
/// All fields are fixed when a door starts. None of them is ever taken from a call.
#[derive(Debug, Clone)]
pub struct Context {
    /// The project root. If it is `None`, `@root` matches nothing.
    pub root: Option<AbsPath>,
    /// The user's home directory, from the user database.
    pub home: AbsPath,
    /// The directory in which the door was started.
    pub cwd: AbsPath,
    /// The directories for temporary files, which `@tmp` stands for.
    pub tmp: Vec<AbsPath>,
    /// The directories that `@system` stands for.
    pub system: Vec<AbsPath>,
    /// The day on which the policy is compiled.
    pub today: Date,
}

impl Context {
    /// Creates a context with the usual directories for `@tmp` and `@system`.
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
