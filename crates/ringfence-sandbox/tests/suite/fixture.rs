//! A project in a temporary directory, and a plan for it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use ringfence_core::access::AccessScope;
use ringfence_core::host::MemoryHost;
use ringfence_core::path::{AbsPath, PathRules};
use ringfence_core::{Context, Date, Policy, Role};
use ringfence_manifest::{Format, NoLibrary, Source, read};
use ringfence_sandbox::gate::{Answer, Change, Deed, Judge, Started};
use ringfence_sandbox::plan::{ExecPlan, FilePlan, Hiding, Judged, Plan, Rights, Tree};
use ringfence_sandbox::{Command, Ended, Terms};

type Starts = dyn Fn(&Started) -> bool + Send + Sync;
type Changes = dyn Fn(Deed, &Path) -> bool + Send + Sync;
type Sockets = dyn Fn(&Path) -> bool + Send + Sync;

/// A judge that allows what its closures do.
pub(super) struct Rules {
    pub(super) start: Box<Starts>,
    pub(super) change: Box<Changes>,
    pub(super) socket: Box<Sockets>,
    pub(super) seen: Mutex<Vec<String>>,
}

impl Rules {
    pub(super) fn all() -> Rules {
        Rules {
            start: Box::new(|_| true),
            change: Box::new(|_, _| true),
            socket: Box::new(|_| false),
            seen: Mutex::default(),
        }
    }

    fn answer(&self, what: String, allowed: bool) -> Answer {
        self.seen.lock().unwrap().push(what);
        if allowed { Answer::Allow } else { Answer::Refuse }
    }
}

impl Judge for Rules {
    fn start(&self, started: &Started) -> Answer {
        self.answer(format!("start {:?}", started.argv), (self.start)(started))
    }

    fn change(&self, change: &Change) -> Answer {
        let also = change.also.iter().map(|own| (own.deed, &own.other));
        let mut deeds = change.deeds.iter().map(|(deed, path)| (*deed, path)).chain(also);
        let allowed = deeds.all(|(deed, path)| (self.change)(deed, path));
        self.answer(format!("{:?}", change.deeds), allowed)
    }

    fn socket(&self, path: &Path, also: &[PathBuf]) -> Answer {
        self.answer(
            format!("socket {}", path.display()),
            [path].into_iter().chain(also.iter().map(|own| &**own)).all(|own| (self.socket)(own)),
        )
    }
}

/// A project, and what is granted.
pub(super) struct Fixture {
    _directory: tempfile::TempDir,
    pub(super) plan: Plan,
}

impl Fixture {
    pub(super) fn new() -> Fixture {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        let read = Rights::READ | Rights::EXECUTE;
        let tree = |path: &str, rights| Tree { path: PathBuf::from(path), rights };
        // Where these are links into `/usr`, they have no rights of their own.
        let roots =
            ["/bin", "/lib", "/lib64"].into_iter().filter(|own| !Path::new(own).is_symlink());
        let roots = roots.filter(|own| Path::new(own).exists()).map(|own| tree(own, read));
        let mut trees = vec![
            tree("/usr", read),
            tree("/etc", read),
            tree("/proc", Rights::READ),
            tree("/dev/null", Rights::READ | Rights::WRITE),
            tree("/dev/urandom", Rights::READ),
            Tree { path: root.clone(), rights: read | Rights::WRITE | Rights::DELETE },
        ];
        trees.extend(roots);
        let files = FilePlan { trees, judged: Judged::Changes, ..FilePlan::default() };
        let variables = [("PATH", "/usr/bin:/bin"), ("HOME", "/nowhere")];
        let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let plan = Plan {
            cwd: root,
            files,
            exec: ExecPlan::Gated,
            variables: variables.to_vec(),
            ..Plan::default()
        };
        Fixture { _directory: directory, plan }
    }

    pub(super) fn root(&self) -> &Path {
        &self.plan.cwd
    }

    /// Runs a line in a shell; what it said, and how it ended.
    pub(super) fn sh(&self, line: &str, rules: &Arc<Rules>) -> (String, Ended) {
        let said = self.root().join("said");
        let line = format!("exec > said 2>&1; {line}");
        let command = Command {
            program: PathBuf::from("/bin/sh"),
            argv: ["sh", "-c", &line].map(Into::into).to_vec(),
        };
        let ended = run(&self.plan, &command, rules);
        (std::fs::read_to_string(said).unwrap_or_default(), ended)
    }
}

/// A policy that keeps names of these patterns from being read.
pub(super) fn hiding(root: &Path, denied: &[&str]) -> Hiding {
    let denied: Vec<String> = denied.iter().map(|own| format!("\"fs:r:{own}\"")).collect();
    let denied = denied.join(", ");
    let text = format!("allow = [\"fs:rw:@root/**\"]\ndeny = [{denied}]");
    let source = Source::new("policy.toml", Format::Toml, &text).unwrap();
    let document = read(&source, Role::User, &NoLibrary).unwrap().document;
    let path = AbsPath::new(root.to_str().unwrap()).unwrap();
    let home = AbsPath::new("/nowhere").unwrap();
    let context = Context::new(Some(path.clone()), home, path, Date::new(2026, 11, 15).unwrap());
    let policy = Policy::compile(vec![document], Vec::new(), &context, &MemoryHost::new()).unwrap();
    Hiding::new(|| Arc::new(policy), AccessScope::default(), PathRules::LINUX)
}

/// Runs a command under a plan.
pub(super) fn run(plan: &Plan, command: &Command, rules: &Arc<Rules>) -> Ended {
    let judge: Arc<dyn Judge> = Arc::clone(rules) as Arc<dyn Judge>;
    let terms = Terms::new(judge);
    ringfence_sandbox::run(plan, command, terms).unwrap()
}
