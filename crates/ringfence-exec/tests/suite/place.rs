//! Creates a home directory with a project in a test's directory, and fences for it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ringfence_core::access::AccessScope;
use ringfence_core::path::AbsPath;
use ringfence_core::{Context, Date, Role};
use ringfence_exec::Fence;
use ringfence_guard::world::RealHost;
use ringfence_guard::{Guard, PolicyBuilder};
use ringfence_manifest::{Format, NoLibrary, Source};
use ringfence_sandbox::Plan;
use ringfence_sandbox::plan::{Identity, Listed, Lister, Mounts, RealLister, Wanted};

/// The time limit of a run, in seconds.
const LONGEST: u64 = 120;

/// The home directory and project of a test.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) home: PathBuf,
    pub(super) root: PathBuf,
}

impl Place {
    /// Creates a home directory with a project in it.
    pub(super) fn new(directory: &Path) -> Place {
        let directory = directory.canonicalize().unwrap();
        Place { home: directory.join("home"), root: directory.join("home/proj") }
    }

    fn context(&self) -> Context {
        let root = absolute(&self.root);
        let today = Date::new(2026, 11, 15).unwrap();
        Context::new(Some(root.clone()), absolute(&self.home), root, today)
    }

    /// Returns the guard for one document, as `ringfence run` creates it.
    pub(super) fn guard(&self, format: Format, policy: &str) -> Result<Guard, String> {
        let source = Source::new("policy", format, policy).map_err(|error| error.to_string())?;
        let loaded = ringfence_manifest::read(&source, Role::Named, &NoLibrary);
        let loaded = loaded.map_err(|error| error.to_string())?;
        let (context, host) = (self.context(), RealHost::new());
        let builder = PolicyBuilder::new().loaded(loaded).with_workspace_defaults();
        let built = builder.build(&context, &host).map_err(|error| error.to_string())?;
        Ok(Guard::new(built.policy, Arc::new(host), context))
    }

    /// Returns the fence for a program.
    pub(super) fn fence(
        &self,
        guard: &Arc<Guard>,
        program: &Path,
        environment: &[(String, String)],
    ) -> Fence {
        self.fence_within(guard, program, environment, LONGEST)
    }

    /// Returns the fence for a program, with a time limit in seconds.
    pub(super) fn fence_within(
        &self,
        guard: &Arc<Guard>,
        program: &Path,
        environment: &[(String, String)],
        seconds: u64,
    ) -> Fence {
        let mut plan = Plan::make(&Wanted {
            policy: &guard.policy(),
            context: guard.context(),
            host: &RealHost::new(),
            lister: &Here,
            shelf: None,
            scope: AccessScope::default(),
            programs: vec![absolute(&program.canonicalize().unwrap())],
            given: Vec::new(),
            environment: environment.to_vec(),
        });
        plan.limits.seconds = Some(seconds);
        Fence::new(Arc::clone(guard), plan)
    }
}

/// Converts an absolute path; panics for any other.
pub(super) fn absolute(path: &Path) -> AbsPath {
    AbsPath::new(path.to_str().unwrap()).unwrap()
}

/// Lists directories of this machine except system directories, which are large and contain nothing
/// that a test hides.
struct Here;

impl Lister for Here {
    fn list(&self, directory: &Path) -> Vec<Listed> {
        let is_systems = ["/usr", "/lib", "/lib64", "/etc", "/opt", "/bin", "/sbin", "/var"];
        match is_systems.iter().any(|own| directory.starts_with(own)) {
            true => Vec::new(),
            false => RealLister.list(directory),
        }
    }

    fn shared(&self, path: &Path) -> Option<Identity> {
        RealLister.shared(path)
    }

    fn mounts(&self) -> Option<Mounts> {
        RealLister.mounts()
    }

    fn counts_processes(&self) -> bool {
        true
    }
}

/// Creates a file and its parent directories.
pub(super) fn write(path: &Path, content: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}
