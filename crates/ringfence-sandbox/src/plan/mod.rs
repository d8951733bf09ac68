//! The plan: what a process tree may do, and which mechanism holds each part of it.
//!
//! A plan is plain data. It is made before anything is started, can be printed and compared, and
//! nothing but the plan decides what is applied.

use std::path::PathBuf;

use serde::Serialize;

mod build;
mod change;
mod gap;
mod hiding;
mod limits;
mod linked;
mod mounts;
mod packed;
mod pins;
mod rights;
mod text;

pub use build::{
    DirShelf, Identity, Listed, Lister, Looked, PinningLister, RealLister, Shelf, Wanted, always,
};
pub use change::PlanChange;
pub use gap::Gap;
pub use hiding::Hiding;
pub use limits::Limits;
pub use mounts::Mounts;
pub use pins::Pins;
pub use rights::Rights;

pub(crate) use hiding::Hidden;
pub(crate) use linked::LinkedFiles;
pub(crate) use pins::{Pin, most_open};

/// Everything that a confined tree is held to.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Plan {
    /// The directory that the command starts in.
    pub cwd: PathBuf,
    /// The files that can be reached.
    pub files: FilePlan,
    /// Whether every program that is started is judged.
    pub exec: ExecPlan,
    /// The ways out.
    pub net: NetPlan,
    /// Unix sockets outside the project that exist and may be used; connecting to any is judged.
    pub sockets: Vec<PathBuf>,
    /// The variables that the command is given.
    pub variables: Vec<(String, String)>,
    /// Time, memory, processes, sizes.
    pub limits: Limits,
    /// Which rule is held by what.
    pub held: Vec<Held>,
    /// Which rule is held by nothing; a run does not start with any, unless it is said to be
    /// enough to try.
    pub gaps: Vec<Gap>,
    /// The files and directories that the plan was made for.
    #[serde(skip)]
    pub pins: Pins,
}

/// The files that can be reached.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct FilePlan {
    /// Trees and single files with their rights; all else cannot be opened.
    pub trees: Vec<Tree>,
    /// Files and directories that the tree may read whatever rules say of them: what was asked for,
    /// and what ringfence itself needs inside.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<PathBuf>,
    /// What exists inside those trees and is covered. Where every start and every opening is judged
    /// that is what rules name by its path, and what is hidden in the system's directories.
    pub masks: Vec<PathBuf>,
    /// Settings of shells and editors that exist and may not be read: the tree finds them empty,
    /// so that programs start as if there were none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub blank: Vec<PathBuf>,
    /// Trees of which it is remembered from an earlier run what is to be hidden; a change deep
    /// inside is seen only when their upper directories change too.
    pub remembered: Vec<PathBuf>,
    /// Where openings are judged for what rules hide: trees of the system in which they pass without
    /// being looked at. What lies there comes with packages.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub passed: Vec<PathBuf>,
    /// Directories in the home directory that are granted, and made where they are missing; those
    /// that stay empty are taken away again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub made: Vec<PathBuf>,
    /// Directories that the tree has for itself, empty at the start; what is done in them is
    /// nobody else's business and is not judged.
    pub private: Vec<PathBuf>,
    /// Which directories and files are seen under several paths.
    #[serde(rename = "seen_twice", skip_serializing_if = "Mounts::is_empty")]
    pub mounts: Mounts,
    /// Which changes are judged one by one.
    pub judged: Judged,
}

/// A path with what may be done at and below it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tree {
    /// The path.
    pub path: PathBuf,
    /// What may be done.
    pub rights: Rights,
}

/// Which operations on files are judged one by one, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judged {
    /// None: the trees say all there is.
    #[default]
    Nothing,
    /// Every operation that makes, changes or removes something.
    Changes,
    /// Every opening too, for what rules hide: others can put something there, or take a cover away.
    Hiding,
    /// Every opening too: what may be read cannot be said by trees.
    Openings,
}

/// Whether every program that is started is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExecPlan {
    /// No rule on programs: the gate is not installed.
    #[default]
    Free,
    /// Every start is judged.
    Gated,
}

/// The ways out.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct NetPlan {
    /// Where the proxy is reached inside; none where nothing may be dialled.
    pub proxy: Option<u16>,
    /// Whether names are answered inside, for programs that know no proxy.
    pub resolver: bool,
    /// Ports on which such programs' connections are carried.
    pub carried: Vec<u16>,
    /// Ports of the host's loopback that can be dialled inside.
    pub local: Vec<u16>,
    /// Ports that are published on the host's loopback.
    pub published: Vec<u16>,
}

impl NetPlan {
    /// Whether anything outside can be reached, or reaches in.
    pub fn is_needed(&self) -> bool {
        self.proxy.is_some() || !self.local.is_empty() || !self.published.is_empty()
    }
}

/// A rule, and what holds it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Held {
    /// What it says: allow, ask, deny, danger, opt-in.
    pub says: &'static str,
    /// The rule as it was written.
    pub rule: String,
    /// Where it was written.
    pub origin: String,
    /// What holds it; nothing where it gives less here than it says.
    pub by: Vec<Mechanism>,
    /// What it gives less, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What holds a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mechanism {
    /// Landlock rules on trees and files.
    Landlock,
    /// What exists is hidden by a mount.
    Mask,
    /// Every change is judged by name and carried out for the tree.
    Broker,
    /// Every start of a program is judged.
    Gate,
    /// Nothing gets out but through the proxy, which judges names.
    Proxy,
    /// The environment is made anew.
    Environment,
    /// The kernel refuses the calls.
    Filter,
}

impl Mechanism {
    /// The word for it in messages.
    pub fn as_str(self) -> &'static str {
        match self {
            Mechanism::Landlock => "landlock",
            Mechanism::Mask => "mask",
            Mechanism::Broker => "broker",
            Mechanism::Gate => "gate",
            Mechanism::Proxy => "proxy",
            Mechanism::Environment => "environment",
            Mechanism::Filter => "filter",
        }
    }
}
