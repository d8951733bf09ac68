//! The paths of policies and of ringfence's own records.

use ringfence_core::path::{AbsPath, BadPath};
use sha2::{Digest, Sha256};

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

    /// Returns the files with the rules that this user's answers wrote.
    pub fn answer_files(&self) -> AnswerFiles {
        let here = self.root.as_ref().and_then(|root| {
            let directory = self.state_dir.child("answers").ok()?;
            directory.child(&answers_name(root)).ok()
        });
        AnswerFiles { everywhere: self.user_dir.child("allowed.toml").ok(), here }
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

/// The files with the rules that a user's answers wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerFiles {
    /// The rules for every project.
    pub everywhere: Option<AbsPath>,
    /// The rules for the project at the root.
    pub here: Option<AbsPath>,
}

/// Returns the name of the file with the answers for one project: the directory's name, for people,
/// and a hash of the whole path.
fn answers_name(root: &AbsPath) -> String {
    const LONGEST: usize = 40;
    let plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let name: String = root.file_name().chars().filter(plain).take(LONGEST).collect();
    let hash = Sha256::digest(root.as_str().as_bytes());
    let hash: String = hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    format!("{name}-{hash}.toml")
}

/// The paths that no agent may change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProtectedPaths {
    /// Protected directories, including everything below them.
    pub directories: Vec<AbsPath>,
    /// Single protected files.
    pub files: Vec<AbsPath>,
}
