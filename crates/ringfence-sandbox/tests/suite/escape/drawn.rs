//! Drawn trees, grants, covers, swaps and mounts: a run has what was judged, or does not begin.

use std::collections::BTreeSet;
use std::ffi::CString;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use ringfence_sandbox::plan::{ExecPlan, Judged, Lister, PinningLister, Plan, Rights, Tree};
use ringfence_sandbox::{Command, Ended, Failed, Terms};

use super::user;
use crate::suite::fixture::{Fixture, Rules};

const CASES: u32 = 16;
/// Directories that can be granted.
const TREES: [&str; 4] = ["a", "b", "c", "d"];
/// What is swapped: those, one that is never granted, and a link to that.
const NAMES: [&str; 6] = ["a", "b", "c", "d", "outside", "link"];

const READ: Rights = Rights::READ;
const WRITE: Rights = READ.and(Rights::WRITE).and(Rights::DELETE);

/// Reads and writes by every name.
const INSIDE: &str = r#"exec 2> /dev/null
for name in $NAMES; do
 for file in $name/file $name/.env; do read -r line < $file && echo "$line" >> $SAID; done
 echo written > $name/written
done
exit 0"#;

/// What is granted of a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Grant {
    Nothing,
    Read { hidden: bool },
    Write { hidden: bool },
}

impl Grant {
    fn is_hidden(self) -> bool {
        matches!(self, Grant::Read { hidden: true } | Grant::Write { hidden: true })
    }
}

/// What somebody else does between the plan and the run.
#[derive(Debug, Clone, Copy)]
enum Meanwhile {
    Swap(usize, usize),
    /// The outside directory is mounted on another.
    Mount(usize),
}

fn grants() -> impl Strategy<Value = [Grant; 4]> {
    let grant = prop_oneof![
        1 => Just(Grant::Nothing),
        2 => any::<bool>().prop_map(|hidden| Grant::Read { hidden }),
        2 => any::<bool>().prop_map(|hidden| Grant::Write { hidden }),
    ];
    prop::array::uniform4(grant)
}

fn meanwhile(mounts: bool) -> impl Strategy<Value = Vec<Meanwhile>> {
    let swap = (0..NAMES.len(), 0..NAMES.len()).prop_map(|(one, two)| Meanwhile::Swap(one, two));
    let mount = (0..TREES.len()).prop_map(Meanwhile::Mount);
    let one = prop_oneof![3 => swap, u32::from(mounts) => mount];
    prop::collection::vec(one, 0..4)
}

/// The content of a file in a directory says which directory that was.
fn fill(base: &Path) {
    for name in TREES.into_iter().chain(["outside"]) {
        fs::create_dir(base.join(name)).unwrap();
        fs::write(base.join(name).join("file"), format!("file of {name}\n")).unwrap();
        fs::write(base.join(name).join(".env"), format!("secret of {name}\n")).unwrap();
    }
    symlink(base.join("outside"), base.join("link")).unwrap();
}

fn exchange(one: &Path, two: &Path) {
    let [one, two] = [one, two].map(|path| CString::new(path.as_os_str().as_bytes()).unwrap());
    let here = libc::AT_FDCWD;
    // SAFETY: C strings that outlive the call.
    unsafe { libc::renameat2(here, one.as_ptr(), here, two.as_ptr(), libc::RENAME_EXCHANGE) };
}

fn mount(source: &Path, target: &Path) {
    let path = |path: &Path| CString::new(path.as_os_str().as_bytes()).unwrap();
    let (source, target, none) = (path(source), path(target), std::ptr::null());
    // SAFETY: C strings that outlive the call.
    unsafe { libc::mount(source.as_ptr(), target.as_ptr(), none, libc::MS_BIND, none.cast()) };
}

fn unmount(target: &Path) {
    let target = CString::new(target.as_os_str().as_bytes()).unwrap();
    // SAFETY: a C string that outlives the call.
    while unsafe { libc::umount2(target.as_ptr(), libc::MNT_DETACH) } == 0 {}
}

fn plan(fixture: &Fixture, base: &Path, grants: [Grant; 4]) -> Plan {
    let mut plan = fixture.plan.clone();
    for (name, grant) in TREES.iter().zip(grants) {
        let rights = match grant {
            Grant::Nothing => continue,
            Grant::Read { .. } => READ,
            Grant::Write { .. } => WRITE,
        };
        plan.files.trees.push(Tree { path: base.join(name), rights });
        plan.files.masks.extend(grant.is_hidden().then(|| base.join(name).join(".env")));
    }
    let names: Vec<String> = NAMES.map(|name| base.join(name).display().to_string()).to_vec();
    let said = fixture.root().join("said").display().to_string();
    let told = [("NAMES", names.join(" ")), ("SAID", said)];
    plan.variables.extend(told.map(|(name, value)| (name.to_owned(), value)));
    (plan.files.judged, plan.exec) = (Judged::Nothing, ExecPlan::Free);
    let lister = PinningLister::new();
    for path in plan.files.trees.iter().map(|own| &own.path).chain(&plan.files.masks) {
        lister.pin(path);
    }
    Plan { pins: lister.pins(), ..plan }
}

fn check(grants: [Grant; 4], meanwhile: &[Meanwhile]) {
    let directory = tempfile::tempdir().unwrap();
    let base = directory.path().canonicalize().unwrap();
    fill(&base);
    let fixture = Fixture::new();
    let plan = plan(&fixture, &base, grants);
    for done in meanwhile {
        match *done {
            Meanwhile::Swap(one, two) => exchange(&base.join(NAMES[one]), &base.join(NAMES[two])),
            Meanwhile::Mount(target) => mount(&base.join("outside"), &base.join(TREES[target])),
        }
    }
    let is_as_it_was = |name: &str| {
        let content = fs::read_to_string(base.join(name).join("file")).unwrap_or_default();
        content == format!("file of {name}\n") && !base.join(name).is_symlink()
    };
    let is_same = TREES.iter().zip(grants).filter(|(_, own)| *own != Grant::Nothing);
    let is_same = is_same.map(|(name, _)| name).all(|name| is_as_it_was(name));
    let argv = ["sh", "-c", INSIDE].map(Into::into).to_vec();
    let command = Command { program: PathBuf::from("/bin/sh"), argv };
    let ended = ringfence_sandbox::run(&plan, &command, Terms::new(Arc::new(Rules::all())));
    TREES.iter().for_each(|name| unmount(&base.join(name)));
    match ended {
        Ok(Ended::Exited(0)) => assert!(is_same, "it began with something else"),
        Err(Failed::Replaced(_)) => assert!(!is_same, "nothing was replaced"),
        other => panic!("{other:?}"),
    }
    let mut granted = BTreeSet::new();
    for (name, grant) in TREES.iter().zip(grants).filter(|(_, own)| *own != Grant::Nothing) {
        granted.insert(format!("file of {name}"));
        granted.extend((!grant.is_hidden()).then(|| format!("secret of {name}")));
    }
    let said = fs::read_to_string(fixture.root().join("said")).unwrap_or_default();
    for line in said.lines() {
        assert!(granted.contains(line), "{line:?} was read");
    }
    for name in NAMES.iter().filter(|name| base.join(name).join("written").exists()) {
        let own = fs::read_to_string(base.join(name).join("file")).unwrap();
        let mut written = TREES.iter().zip(grants);
        let is_granted = written.any(|(tree, grant)| {
            matches!(grant, Grant::Write { .. }) && own == format!("file of {tree}\n")
        });
        assert!(is_granted, "{own:?} was written beside");
    }
}

fn check_drawn(mounts: bool) {
    let config = Config { cases: CASES, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new(config);
    let drawn = (grants(), meanwhile(mounts));
    runner
        .run(&drawn, |(grants, meanwhile)| {
            check(grants, &meanwhile);
            Ok(())
        })
        .unwrap();
}

#[test]
fn swaps() {
    user::as_everyone("drawn::swaps", |user| {
        check_drawn(false);
        println!("drawn::swaps: {CASES} cases as {user}");
    });
}

#[test]
fn swaps_and_mounts() {
    let before = ["unshare", "-Urm", "--propagation", "private"];
    user::alone_as_everyone_in("drawn::in_mounts_of_its_own", &before);
}

#[test]
fn in_mounts_of_its_own() {
    // The test above starts it in a process of its own.
    if user::is_alone() {
        check_drawn(true);
    }
}
