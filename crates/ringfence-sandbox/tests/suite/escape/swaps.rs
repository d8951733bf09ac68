//! What is mounted, covered, granted and entered is what was judged, however fast somebody else swaps
//! directories and links while runs start.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, Command as Process, Stdio};
use std::sync::{Arc, Mutex};

use ringfence_sandbox::plan::{ExecPlan, Judged, Lister, PinningLister, Plan, Rights, Tree};
use ringfence_sandbox::{Command, Ended, Failed, Keep, Room, Terms};

use super::user;
use crate::suite::fixture::{Fixture, Rules};

const SECRET: &str = "outside-secret";
const READ: Rights = Rights::READ;
const WRITE: Rights = READ.and(Rights::WRITE).and(Rights::DELETE);

/// Exchanges two names for as long as it lives, on a processor of its own, at a changing pace.
const RACER: &str = r#"
int attempt(void) { apart(); char *one = getenv("ONE"), *two = getenv("TWO");
 for (unsigned i = 0;; i++) { syscall(SYS_renameat2, AT_FDCWD, one, AT_FDCWD, two, 2);
  for (volatile unsigned j = 0; j < i % 97 * i % 89 * 40; j++); } }"#;

/// Reads and writes whatever it can by the paths that it is given.
const INSIDE: &str = r#"exec 2> /dev/null
for i in 1 2 3; do for name in $READS; do read -r line < $name && echo "$line" >> $SAID; done; done
for name in $WRITES; do echo written > $name; done
exit 0"#;

/// What is swapped, and what a run is granted of it.
struct Swap {
    name: &'static str,
    /// The two names that are exchanged.
    swapped: [&'static str; 2],
    plan: fn(&mut Plan, &Path),
    reads: &'static str,
    writes: &'static str,
}

/// The home directory lies outside of everything that is granted. `at/link` leads there.
const SWAPS: [Swap; 10] = [
    Swap {
        name: "a writable directory",
        swapped: ["at/tree", "at/link"],
        plan: |plan, at| grant(plan, at.join("tree"), WRITE),
        reads: "at/tree/secret at/link/secret",
        writes: "at/tree/written at/link/written",
    },
    Swap {
        name: "a readable directory",
        swapped: ["at/tree", "at/link"],
        plan: |plan, at| grant(plan, at.join("tree"), READ),
        reads: "at/tree/secret at/link/secret",
        writes: "at/tree/written at/link/written",
    },
    Swap {
        name: "a directory above a writable one",
        swapped: ["at/tree", "at/link"],
        plan: |plan, at| grant(plan, at.join("tree/deep"), WRITE),
        reads: "at/tree/deep/secret at/link/deep/secret",
        writes: "at/tree/deep/written at/link/deep/written",
    },
    Swap {
        name: "a single file",
        swapped: ["at/tree/file", "at/tree/file-link"],
        plan: |plan, at| grant(plan, at.join("tree/file"), WRITE),
        reads: "at/tree/file at/tree/file-link",
        writes: "at/tree/file at/tree/file-link",
    },
    Swap {
        name: "the working directory",
        swapped: ["at/tree", "at/link"],
        plan: |plan, at| {
            grant(plan, at.join("tree"), WRITE);
            plan.cwd = at.join("tree");
        },
        reads: "secret at/tree/secret",
        writes: "written",
    },
    Swap {
        name: "a private directory",
        swapped: ["at/tree", "at/link"],
        plan: |plan, at| plan.files.private.push(at.join("tree")),
        reads: "at/tree/secret at/link/secret",
        writes: "at/tree/written at/link/written",
    },
    Swap {
        name: "a directory with a hidden file, for an empty one",
        swapped: ["at/tree/deep", "at/tree/empty"],
        plan: |plan, at| hide(plan, at, "tree/deep/.env"),
        reads: "at/tree/deep/.env at/tree/empty/.env",
        writes: "",
    },
    Swap {
        name: "a directory with a hidden file, for one with another",
        swapped: ["at/tree/deep", "at/tree/other"],
        plan: |plan, at| hide(plan, at, "tree/deep/.env"),
        reads: "at/tree/deep/.env at/tree/other/.env",
        writes: "",
    },
    Swap {
        name: "a directory with a hidden file, for a link",
        swapped: ["at/tree/deep", "at/tree/link"],
        plan: |plan, at| hide(plan, at, "tree/deep/.env"),
        reads: "at/tree/deep/.env at/tree/link/.env",
        writes: "",
    },
    Swap {
        name: "a hidden directory",
        swapped: ["at/tree/deep", "at/tree/empty"],
        plan: |plan, at| hide(plan, at, "tree/deep"),
        reads: "at/tree/deep/.env at/tree/empty/.env",
        writes: "",
    },
];

fn grant(plan: &mut Plan, path: PathBuf, rights: Rights) {
    plan.files.trees.push(Tree { path, rights });
}

fn hide(plan: &mut Plan, at: &Path, name: &str) {
    grant(plan, at.join("tree"), WRITE);
    plan.files.masks.push(at.join(name));
}

/// A home directory, and directories that are swapped for it.
struct Place {
    fixture: Fixture,
    base: PathBuf,
    _directory: tempfile::TempDir,
}

impl Place {
    fn new(swap: &Swap) -> Place {
        let directory = tempfile::tempdir().unwrap();
        let base = directory.path().canonicalize().unwrap();
        let at = |name: &str| base.join(name);
        for name in ["home/deep", "at/tree/deep", "at/tree/empty", "at/tree/other"] {
            fs::create_dir_all(at(name)).unwrap();
        }
        for name in ["home/secret", "home/deep/secret", "at/tree/deep/.env"] {
            fs::write(at(name), format!("{SECRET}\n")).unwrap();
        }
        for name in ["home/deep/.env", "at/tree/file", "at/tree/other/.env"] {
            fs::write(at(name), "plain\n").unwrap();
        }
        symlink(at("home"), at("at/link")).unwrap();
        symlink(at("at/tree/other"), at("at/tree/link")).unwrap();
        symlink(at("home/secret"), at("at/tree/file-link")).unwrap();
        let mut fixture = Fixture::new();
        let said = fixture.root().join("said");
        let full = |names: &str| {
            let full = |name: &str| match name.contains('/') {
                true => at(name).display().to_string(),
                false => name.to_owned(),
            };
            names.split_whitespace().map(full).collect::<Vec<_>>().join(" ")
        };
        let told = [("READS", full(swap.reads)), ("WRITES", full(swap.writes))];
        let told = told.into_iter().chain([("SAID", said.display().to_string())]);
        fixture.plan.variables.extend(told.map(|(name, value)| (name.to_owned(), value)));
        fixture.plan.files.judged = Judged::Nothing;
        fixture.plan.exec = ExecPlan::Free;
        (swap.plan)(&mut fixture.plan, &at("at"));
        Place { fixture, base, _directory: directory }
    }

    /// The plan, with what it was made for.
    fn pinned(&self) -> Plan {
        let lister = PinningLister::new();
        let files = &self.fixture.plan.files;
        let trees = files.trees.iter().map(|own| &own.path).chain(&files.private);
        for path in trees.chain([&self.fixture.plan.cwd]).chain(&files.masks) {
            assert!(path.starts_with("/dev") || lister.pin(path), "{}", path.display());
        }
        Plan { pins: lister.pins(), ..self.fixture.plan.clone() }
    }

    fn race(&self, swap: &Swap, program: &Path) -> Racer {
        let [one, two] = swap.swapped.map(|name| self.base.join(name));
        let mut racer = Process::new(program);
        Racer(racer.env("ONE", one).env("TWO", two).stdout(Stdio::null()).spawn().unwrap())
    }

    /// Fails where a run has read the secret, or written what it must not.
    fn check(&self, name: &str) {
        let said = fs::read_to_string(self.fixture.root().join("said")).unwrap_or_default();
        assert!(!said.contains(SECRET), "{name}: the secret was read");
        for own in ["home/written", "home/deep/written"] {
            assert!(!self.base.join(own).exists(), "{name}: {own} was written");
        }
        let secret = fs::read_to_string(self.base.join("home/secret")).unwrap();
        assert_eq!(secret.trim(), SECRET, "{name}: the secret was overwritten");
    }
}

/// Compiles the racer in a directory.
fn racer(directory: &Path) -> PathBuf {
    let (source, program) = (directory.join("racer.c"), directory.join("racer"));
    fs::write(&source, format!("{}\n{RACER}", include_str!("prelude.h"))).unwrap();
    let mut compiler = Process::new("cc");
    compiler.args(["-w", "-O1", "-pthread", "-o"]).args([&program, &source]);
    assert!(compiler.status().unwrap().success());
    program
}

struct Racer(Child);

impl Drop for Racer {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a run; what a room like its own is made by.
fn start(plan: &Plan, room: Room) -> (Result<Ended, Failed>, Option<Vec<u8>>) {
    let kept = Arc::new(Mutex::new(None));
    let to = Arc::clone(&kept);
    let keep = Keep::new(move |made| *to.lock().unwrap() = Some(made.to_vec()));
    let terms = Terms { keep: Some(keep), ..Terms::new(Arc::new(Rules::all())) };
    let argv = ["sh", "-c", INSIDE].map(Into::into).to_vec();
    let command = Command { program: PathBuf::from("/bin/sh"), argv };
    let ended = ringfence_sandbox::run_in(room, plan, &command, terms);
    let kept = kept.lock().unwrap().take();
    (ended, kept)
}

/// So many starts of each sort for each user; `RINGFENCE_STARTS=100000` by hand.
fn starts() -> usize {
    let wanted = std::env::var("RINGFENCE_STARTS").ok().and_then(|text| text.parse().ok());
    wanted.unwrap_or(100_usize).div_ceil(SWAPS.len())
}

/// Whether a run had its plan and its room before the swapping began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Begun {
    /// The plan is that of a run before, without pins, and the room is new.
    Nothing,
    /// The plan is pinned.
    Plan,
    /// The plan is pinned, and the room is begun like that of an earlier run.
    PlanAndRoom,
}

fn race(swap: &Swap, begun: Begun, racer: &Path, counts: &mut BTreeMap<&'static str, usize>) {
    let place = Place::new(swap);
    let (first, kept) = start(&place.pinned(), Room::new().unwrap());
    assert!(matches!(first, Ok(Ended::Exited(0))), "{}: {first:?}", swap.name);
    place.check(swap.name);
    let _ = fs::remove_file(place.fixture.root().join("said"));
    let plan = place.pinned();
    let racer = place.race(swap, racer);
    for _ in 0..starts() {
        let mut room = Room::new().unwrap();
        if begun == Begun::PlanAndRoom {
            room.expect(kept.as_ref().unwrap());
        }
        let plan = match begun {
            Begun::Nothing => &place.fixture.plan,
            _ => &plan,
        };
        let outcome = match start(plan, room).0 {
            Ok(Ended::Exited(0)) => "ran",
            Err(Failed::Replaced(_)) => "were stopped",
            other => panic!("{}, {begun:?}: {other:?}", swap.name),
        };
        place.check(swap.name);
        *counts.entry(outcome).or_default() += 1;
    }
    drop(racer);
}

fn race_all(test: &str, begun: Begun, swaps: &[Swap]) {
    user::as_everyone(test, |user| {
        let directory = tempfile::tempdir().unwrap();
        let (racer, mut counts) = (racer(directory.path()), BTreeMap::new());
        swaps.iter().for_each(|swap| race(swap, begun, &racer, &mut counts));
        println!("{test}: {counts:?} as {user}");
        let is_raced = std::thread::available_parallelism().unwrap().get() > 1;
        assert!(!is_raced || counts.len() == 2, "swaps are met, and not always: {counts:?}");
    });
}

#[test]
fn starts_with_a_plan() {
    race_all("swaps::starts_with_a_plan", Begun::Plan, &SWAPS);
}

#[test]
fn starts_in_a_room_that_was_begun() {
    race_all("swaps::starts_in_a_room_that_was_begun", Begun::PlanAndRoom, &SWAPS);
}

/// Without pins nobody knows what a hidden file was.
#[test]
fn starts_with_a_plan_that_is_older() {
    race_all("swaps::starts_with_a_plan_that_is_older", Begun::Nothing, &SWAPS[..6]);
}

#[test]
fn what_is_gone_is_not_covered_and_what_is_moved_stops_the_run() {
    user::as_everyone(
        "swaps::what_is_gone_is_not_covered_and_what_is_moved_stops_the_run",
        |user| {
            let place = Place::new(&SWAPS[6]);
            let (plan, secret) = (place.pinned(), place.base.join("at/tree/deep/.env"));
            let moved = place.base.join("at/tree/empty/moved");
            fs::rename(&secret, &moved).unwrap();
            let (stopped, _) = start(&plan, Room::new().unwrap());
            let stopped = stopped.unwrap_err();
            assert!(matches!(&stopped, Failed::Replaced(path) if *path == secret), "{user}");
            assert!(stopped.to_string().contains("was replaced or moved"), "{stopped}");
            let plan = {
                fs::rename(&moved, &secret).unwrap();
                place.pinned()
            };
            fs::remove_file(&secret).unwrap();
            let (ran, _) = start(&plan, Room::new().unwrap());
            assert!(matches!(ran, Ok(Ended::Exited(0))), "{user}: {ran:?}");
        },
    );
}

#[test]
fn a_file_that_is_saved_between_two_runs_of_one_plan_is_covered_in_both() {
    let place = Place::new(&SWAPS[6]);
    let (plan, secret) = (place.pinned(), place.base.join("at/tree/deep/.env"));
    for _ in 0..3 {
        let (ran, _) = start(&plan, Room::new().unwrap());
        assert!(matches!(ran, Ok(Ended::Exited(0))), "{ran:?}");
        place.check("a saved file");
        fs::write(place.base.join("fresh"), format!("{SECRET}\n")).unwrap();
        fs::rename(place.base.join("fresh"), &secret).unwrap();
    }
}
