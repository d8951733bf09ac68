//! The paths of policies and of ringfence's own records.

use ringfence_core::path::{AbsPath, BadPath};

/// The possible file names of a project's policy.
pub const PROJECT_FILES: [&str; 5] =
    ["ringfence.toml", "ringfence.yaml", "ringfence.yml", "ringfence.json", "ringfence.jsonc"];

/// The possible file names of the organisation's and the user's policies.
pub const POLICY_FILES: [&str; 5] =
    ["policy.toml", "policy.yaml", "policy.yml", "policy.json", "policy.jsonc"];

/// Where policies and records are searched for.
#[derive(Debug, Clone)]
pub struct PolicyLocations {
    /// The directory of the organisation's policy.
    pub organisation_dir: AbsPath,
    /// The UID that must own the organisation's policy.
    pub organisation_owner: u32,
    /// The directory of the user's policy.
    pub user_dir: AbsPath,
    /// The directory of ringfence's own records.
    pub state_dir: AbsPath,
    /// The UID of the user to whom the documents apply.
    pub user: u32,
    /// The project root, if there is one.
    pub root: Option<AbsPath>,
    /// The directory in which the door was started.
    pub cwd: AbsPath,
}

impl PolicyLocations {
    /// Returns the locations for a user with this home directory.
    ///
    /// `XDG_CONFIG_HOME`, `XDG_STATE_HOME` and `HOME` are ignored: an agent's settings can set
    /// variables, and must not choose the policy.
    pub fn of_user(user: u32, home: &AbsPath) -> Result<PolicyLocations, BadPath> {
        Ok(PolicyLocations {
            organisation_dir: AbsPath::new("/etc/ringfence")?,
            organisation_owner: 0,
            user_dir: home.join(".config/ringfence")?,
            state_dir: home.join(".local/state/ringfence")?,
            user,
            root: None,
            cwd: AbsPath::root(),
        })
    }

    /// Sets the project root and the working directory.
    #[must_use]
    pub fn within(mut self, root: Option<AbsPath>, cwd: AbsPath) -> PolicyLocations {
        self.root = root;
        self.cwd = cwd;
        self
    }

    /// Returns the paths that no agent may change, even if they do not exist: ringfence's
    /// directories, and every possible name of the project's policy.
    pub fn protected(&self) -> ProtectedPaths {
        let directories =
            [&self.organisation_dir, &self.user_dir, &self.state_dir].map(Clone::clone);
        let root = self.root.iter();
        let files = root.flat_map(|root| PROJECT_FILES.map(|name| root.child(name)));
        ProtectedPaths { directories: directories.into(), files: files.flatten().collect() }
    }
}

/// The paths that no agent may change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProtectedPaths {
    /// Protected directories, including everything below them.
    pub directories: Vec<AbsPath>,
    /// Single protected files.
    pub files: Vec<AbsPath>,
}
