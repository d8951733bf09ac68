//! A cached plan equals the plan that would be made now: after every kind of change, both are
//! compared.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ringfence::{Beside, Command, PlanInputs, PreparedCommand};
use ringfence_core::access::{Extent, FileAccess, FileOp};
use ringfence_core::path::{AbsPath, FilePath};
use ringfence_core::{Access, AccessKind, Effect};
use ringfence_guard::world::{PolicyDraft, RealHost, RootFrom, Surroundings};
use ringfence_sandbox::Plan;
use ringfence_sandbox::plan::{Identity, Listed, Lister, Mounts, RealLister};

const POLICY: &str = r#"
extends = ["more.toml"]
allow = ["fs:rw:@root/**", "fs:r:~/notes/**", "fs:r:${DATA}/**", "cmd:*", "env:LANG", "env:DATA",
         "net:localhost", "sock:@root/**"]
danger = ["cmd:*"]
deny = ["fs:r:@root/link/**", "fs:rw:**/*.secret"]
"#;

/// A user with a project.
struct World {
    directory: tempfile::TempDir,
    variables: Vec<(String, String)>,
    command: Command,
}

impl World {
    fn new() -> World {
        let directory = tempfile::tempdir().unwrap();
        let own = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let variables = vec![own("LANG", "C"), own("TOKEN", "t"), own("DATA", "/srv")];
        let command = Command::new("/bin/true");
        let world = World { directory, variables, command };
        for name in ["home/notes", "project/.git", "project/src/deep", "project/a", "project/b"] {
            fs::create_dir_all(world.at(name)).unwrap();
        }
        world.write("project/policy.toml", POLICY);
        world.write("project/more.toml", "deny = [\"fs:r:@root/src/hidden\"]\n");
        world.write("project/src/main.rs", "");
        symlink("a", world.at("project/link")).unwrap();
        world
    }

    fn at(&self, name: &str) -> PathBuf {
        self.directory.path().canonicalize().unwrap().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.at(name), text).unwrap();
    }

    fn absolute(&self, name: &str) -> AbsPath {
        AbsPath::new(self.at(name).to_str().unwrap()).unwrap()
    }

    fn ready(
        &self,
        make: fn(PlanInputs<'_>) -> Result<PreparedCommand, ringfence::PrepareError>,
    ) -> PreparedCommand {
        let environment = self.variables.iter().map(|(one, two)| (one.into(), two.into()));
        let host = Arc::new(RealHost::with_environment(environment.collect()));
        let cwd = self.absolute("project");
        let mut here = Surroundings::at(&host, cwd, RootFrom::WorkingDirectory).unwrap();
        here.user.home = self.absolute("home");
        here.context.home = self.absolute("home");
        let places = here.places().unwrap();
        let draft =
            PolicyDraft::read(here, &places, &[self.absolute("project/policy.toml")]).unwrap();
        let beside = Beside::hook(Path::new("/bin/sh"), [self.at("project/policy.toml")]);
        let command = &self.command.clone().variables(self.variables.iter().cloned());
        let lister = &Within(self.at("."));
        make(PlanInputs { draft, host, beside, command, lister }).ok().unwrap()
    }

    /// Compares the plan that is used with a new one. Returns whether it came from the cache.
    fn compare(&self, about: &str) -> bool {
        // Lists of rarely changing trees have a cache of their own, which is filled first.
        self.ready(|wanted| wanted.prepare_uncached());
        let used = self.ready(|wanted| wanted.prepare());
        let made = self.ready(|wanted| wanted.prepare_uncached());
        assert!(!made.is_cached);
        assert_eq!(parts(&used), parts(&made), "{about}");
        let rules = |ready: &PreparedCommand| {
            format!("{:?}", ready.door.guard().policy().rules().collect::<Vec<_>>())
        };
        assert_eq!(rules(&used), rules(&made), "{about}");
        used.is_cached
    }

    /// Caches the plan.
    fn keep(&self) {
        self.compare("at first");
        assert!(self.compare("at second"), "it is kept");
    }

    fn kept_file(&self) -> PathBuf {
        let all = fs::read_dir(self.at("home/.cache/ringfence")).unwrap();
        let mut all = all.map(|entry| entry.unwrap().path());
        all.find(|path| path.to_str().unwrap().contains("/plan-")).unwrap()
    }
}

/// Lists only the test's directory, because the system is large.
struct Within(PathBuf);

impl Lister for Within {
    fn list(&self, directory: &Path) -> Vec<Listed> {
        match directory.starts_with(&self.0) {
            true => RealLister.list(directory),
            false => Vec::new(),
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

/// Returns everything that a run uses of the result.
fn parts(ready: &PreparedCommand) -> (Plan, Vec<String>) {
    (Plan { held: Vec::new(), ..ready.planned.plan.clone() }, ready.notes.clone())
}

/// A change, and whether it makes the cached plan unusable.
///
/// What floating rules hide in the project is judged when it is opened, so files may come and go.
type Change = (&'static str, bool, fn(&mut World));

const CHANGES: [Change; 24] = [
    ("a secret appears", false, |world| world.write("project/src/deep/x.secret", "")),
    ("any file appears", false, |world| world.write("project/src/deep/x", "")),
    ("a file goes", false, |world| fs::remove_file(world.at("project/src/main.rs")).unwrap()),
    ("what is denied appears", true, |world| world.write("project/src/hidden", "")),
    ("a directory is renamed", false, |world| {
        fs::rename(world.at("project/src/deep"), world.at("project/src/peed")).unwrap();
    }),
    ("a link moves", true, |world| {
        fs::remove_file(world.at("project/link")).unwrap();
        symlink("b", world.at("project/link")).unwrap();
    }),
    ("a link becomes a directory", true, |world| {
        fs::remove_file(world.at("project/link")).unwrap();
        fs::create_dir(world.at("project/link")).unwrap();
    }),
    ("a file gets a second name", false, |world| {
        world.write("project/x.secret", "");
        fs::hard_link(world.at("project/x.secret"), world.at("project/innocent")).unwrap();
    }),
    ("a byte of the policy changes", true, |world| {
        world.write("project/policy.toml", &POLICY.replace("*.secret", "*.secreu"));
    }),
    ("a comment in the policy changes", true, |world| {
        world.write("project/policy.toml", &format!("# more\n{POLICY}"));
    }),
    ("what it extends changes", true, |world| {
        world.write("project/more.toml", "deny = [\"fs:r:@root/src/main.rs\"]\n");
    }),
    ("the policy limits the run", true, |world| {
        world.write("project/policy.toml", &format!("{POLICY}\n[limits]\nprocesses = 50\n"));
    }),
    ("a granted directory goes", true, |world| fs::remove_dir(world.at("home/notes")).unwrap()),
    ("keys appear at home", true, |world| fs::create_dir(world.at("home/.ssh")).unwrap()),
    ("a variable appears", true, |world| world.variables.push(("LC_ALL".into(), "C".into()))),
    ("a variable goes", true, |world| drop(world.variables.remove(0))),
    ("a variable that rules name changes", true, |world| world.variables[2].1 = "/opt".into()),
    ("a variable that is handed on changes", false, |world| world.variables[0].1 = "B".into()),
    ("a variable that is not handed on changes", false, |world| world.variables[1].1 = "u".into()),
    ("another command", true, |world| world.command = Command::new("/bin/false")),
    ("another argument", false, |world| world.command = world.command.clone().arg("x")),
    ("an agent", true, |world| world.command = world.command.clone().agent("ops")),
    ("a tool", true, |world| world.command = world.command.clone().tool("code_execution")),
    ("content of a file", false, |world| world.write("project/src/main.rs", "fn main() {}")),
];

#[test]
fn after_any_change_the_plan_equals_a_new_one() {
    for (about, matters, change) in CHANGES {
        let mut world = World::new();
        world.keep();
        change(&mut world);
        let was_kept = world.compare(about);
        assert_eq!(was_kept, !matters, "{about}");
        world.keep();
    }
}

#[test]
fn after_many_changes_the_plan_equals_a_new_one() {
    let (mut world, mut drawn, mut kept) = (World::new(), 12_345_u64, 0);
    for step in 0..60 {
        drawn =
            drawn.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (about, _, change) = CHANGES[(drawn >> 33) as usize % CHANGES.len()];
        // A removed file cannot be removed again.
        let changed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| change(&mut world)));
        if changed.is_err() {
            world = World::new();
        }
        kept += usize::from(world.compare(&format!("step {step}: {about}")));
    }
    println!("of 60 plans {kept} were kept ones");
    assert!((8..52).contains(&kept), "{kept}");
}

#[test]
fn bytes_that_nobody_kept_are_not_used() {
    let world = World::new();
    world.keep();
    let file = world.kept_file();
    let whole = fs::read(&file).unwrap();
    let spoilt: [&dyn Fn() -> Vec<u8>; 5] = [
        &Vec::new,
        &|| whole[..whole.len() / 2].to_vec(),
        &|| vec![0; whole.len()],
        &|| whole.iter().map(|byte| byte ^ 1).collect(),
        &|| [&whole[..], b"more"].concat(),
    ];
    for (number, spoil) in spoilt.iter().enumerate() {
        fs::write(&file, spoil()).unwrap();
        assert!(!world.compare("spoilt"), "{number}");
        assert!(world.compare("kept anew"), "{number}");
    }
    fs::set_permissions(&file, Permissions::from_mode(0o666)).unwrap();
    assert!(!world.compare("others may write it"));
    assert!(world.compare("kept anew"));
}

#[test]
fn values_of_variables_are_not_kept() {
    let mut world = World::new();
    world.variables[0].1 = "hunter2-hunter2".into();
    world.keep();
    let bytes = fs::read(world.kept_file()).unwrap();
    assert!(!bytes.windows(15).any(|own| own == b"hunter2-hunter2"));
}

#[test]
fn a_policy_that_is_compiled_later_sees_the_host_as_it_was() {
    let world = World::new();
    world.keep();
    let used = world.ready(|wanted| wanted.prepare());
    assert!(used.is_cached);
    // A program in the fence could do this before the first decision.
    fs::remove_file(world.at("project/link")).unwrap();
    symlink("b", world.at("project/link")).unwrap();
    world.write("project/policy.toml", "allow = [\"fs:rw:@root/**\", \"cmd:*\"]\n");
    let reads = |name: &str| {
        let path = FilePath::named(world.absolute(name));
        let what = AccessKind::File(FileAccess { op: FileOp::Read, extent: Extent::One, path });
        used.door.guard().policy().decide(&Access::new(what)).effect
    };
    assert_eq!(reads("project/a/x"), Effect::Deny, "where the link led at the start");
    assert_eq!(reads("project/b/x"), Effect::Allow);
    assert_eq!(reads("project/x.secret"), Effect::Deny, "as the policy was at the start");
}

#[test]
fn a_policy_with_rules_for_single_commands_is_read_each_time() {
    let world = World::new();
    let scoped = POLICY.replace(
        "\"sock:@root/**\"]",
        "\"sock:@root/**\", { pattern = \"net:example.com\", command = \"true:*\" }]",
    );
    world.write("project/policy.toml", &scoped);
    for _ in 0..3 {
        assert!(!world.compare("the words of the command count"));
    }
}
