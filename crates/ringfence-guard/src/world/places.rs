//! Where ringfence's own files lie.

use ringfence_core::path::{AbsPath, BadPath};

/// The names that a project's policy may have.
pub const PROJECT_FILES: [&str; 5] =
    ["ringfence.toml", "ringfence.yaml", "ringfence.yml", "ringfence.json", "ringfence.jsonc"];

/// The names that the organisation's and the user's policy may have.
pub const POLICY_FILES: [&str; 5] =
    ["policy.toml", "policy.yaml", "policy.yml", "policy.json", "policy.jsonc"];

/// Where documents and records are looked for.
#[derive(Debug, Clone)]
pub struct Places {
    /// The directory of the organisation's policy.
    pub organisation_dir: AbsPath,
    /// The user to whom the organisation's policy must belong.
    pub organisation_owner: u32,
    /// The directory of the user's policy.
    pub user_dir: AbsPath,
    /// The directory of ringfence's own records.
    pub state_dir: AbsPath,
    /// The user for whom the documents apply.
    pub user: u32,
    /// The project, where there is one.
    pub root: Option<AbsPath>,
    /// The directory in which the door was started.
    pub cwd: AbsPath,
}

impl Places {
    /// The places of a user with this home directory.
    ///
    /// `XDG_CONFIG_HOME`, `XDG_STATE_HOME` and `HOME` have no say: a variable that an agent's
    /// settings can set must not choose which policy applies.
    pub fn of_user(user: u32, home: &AbsPath) -> Result<Places, BadPath> {
        Ok(Places {
            organisation_dir: AbsPath::new("/etc/ringfence")?,
            organisation_owner: 0,
            user_dir: home.join(".config/ringfence")?,
            state_dir: home.join(".local/state/ringfence")?,
            user,
            root: None,
            cwd: AbsPath::root(),
        })
    }

    /// The same places for a project and a working directory.
    #[must_use]
    pub fn within(mut self, root: Option<AbsPath>, cwd: AbsPath) -> Places {
        self.root = root;
        self.cwd = cwd;
        self
    }

    /// What no agent may change, whether it exists yet or not: whole directories, and the
    /// project's own policy in each of its names.
    pub fn protected(&self) -> Protected {
        let directories =
            [&self.organisation_dir, &self.user_dir, &self.state_dir].map(Clone::clone);
        let root = self.root.iter();
        let files = root.flat_map(|root| PROJECT_FILES.map(|name| root.child(name)));
        Protected { directories: directories.into(), files: files.flatten().collect() }
    }
}

/// What no agent may change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Protected {
    /// Directories with everything below them.
    pub directories: Vec<AbsPath>,
    /// Single files.
    pub files: Vec<AbsPath>,
}
