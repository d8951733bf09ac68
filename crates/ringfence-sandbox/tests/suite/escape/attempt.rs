//! One attempt: tried outside, where it must succeed, then inside, where it must fail.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::user;
use super::world::{Fence, World};

/// What is tried.
#[derive(Debug, Clone, Copy)]
pub(super) enum Program {
    Sh(&'static str),
    Python(&'static str),
    C(&'static str),
}

/// An attempt by its name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Attempt {
    pub(super) name: &'static str,
    pub(super) program: Program,
    /// Whether only root succeeds with it outside. Inside it fails for everyone.
    pub(super) needs_root: bool,
}

impl Attempt {
    pub(super) const fn sh(name: &'static str, text: &'static str) -> Attempt {
        Attempt { name, program: Program::Sh(text), needs_root: false }
    }

    pub(super) const fn python(name: &'static str, text: &'static str) -> Attempt {
        Attempt { name, program: Program::Python(text), needs_root: false }
    }

    pub(super) const fn c(name: &'static str, text: &'static str) -> Attempt {
        Attempt { name, program: Program::C(text), needs_root: false }
    }

    pub(super) const fn by_root(self) -> Attempt {
        Attempt { needs_root: true, ..self }
    }
}

const PYTHON: &str = include_str!("prelude.py");
const C: &str = include_str!("prelude.h");

/// How an attempt gets into a fence.
#[derive(Debug, Clone, Copy)]
enum Door {
    /// It is the command of a run.
    Run,
    /// It enters a session.
    Session,
}

/// Signs of a program that failed by itself, without being refused anything.
pub(super) const BROKEN: [&str; 10] = [
    "SyntaxError",
    "IndentationError",
    "NameError",
    "TypeError",
    "AttributeError",
    "ImportError",
    "ModuleNotFoundError",
    "UnboundLocalError",
    "Segmentation fault",
    "Signalled(11)",
];

/// How often something is tried outside: who wins a race there is chance, and where two threads share
/// a processor the better one may lose a few.
const TRIES: usize = 20;

/// What went wrong with an attempt: it failed outside, or succeeded inside.
pub(super) fn check(attempt: &Attempt, fences: &[Fence], ready: fn(&mut World)) -> Vec<String> {
    let Attempt { name, .. } = attempt;
    let mut failures = Vec::new();
    let tries = || {
        let mut world = World::new();
        ready(&mut world);
        outside(attempt, &world)
    };
    if !attempt.needs_root || user::is_root() {
        let tried = (0..TRIES).map(|_| tries()).find(|(_, succeeded)| *succeeded);
        if tried.is_none() {
            failures.push(format!("{name}: failed outside {TRIES} times: {}", tries().0));
        }
    }
    // Through the door of a session once, in the last of these fences.
    let through_session = fences.last().map(|fence| (*fence, Door::Session));
    let doors = fences.iter().map(|fence| (*fence, Door::Run)).chain(through_session);
    for (fence, door) in doors {
        let mut world = World::new();
        ready(&mut world);
        let argv = words(attempt, &world);
        let (said, status) = match door {
            Door::Run => world.inside(fence, &argv),
            Door::Session => world.in_session(fence, &argv),
        };
        let fence = (fence, door);
        let reason: Vec<&str> = said.lines().rev().take(2).collect();
        println!("  {name} ({fence:?}): {}", reason.join(" "));
        if status == Some(0) {
            failures.push(format!("{name}: SUCCEEDED INSIDE ({fence:?}): {said}"));
        } else if let Some(sign) = BROKEN.iter().find(|sign| said.contains(**sign)) {
            failures.push(format!("{name}: broken, not refused ({sign}, {fence:?}): {said}"));
        } else if !said.starts_with("begun") {
            failures.push(format!("{name}: did not begin inside ({fence:?}): {said}"));
        }
    }
    failures
}

/// Tries it outside; what it said, and whether it succeeded.
pub(super) fn outside(attempt: &Attempt, world: &World) -> (String, bool) {
    let argv = words(attempt, world);
    let output = Command::new(&argv[0])
        .args(&argv[1..])
        .envs(world.variables())
        .current_dir(world.project())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = fs::read_to_string(world.said()).unwrap_or_default();
    (said, output.status.success())
}

/// The command line of an attempt; what it says goes to a file, which exists in both worlds.
pub(super) fn words(attempt: &Attempt, world: &World) -> Vec<String> {
    let begin = "exec > said 2>&1 < /dev/null; exec \"$@\"";
    let head = ["/bin/sh", "-c", begin, "sh"].map(str::to_owned);
    let tail = match attempt.program {
        Program::Sh(text) => {
            vec!["/bin/sh".into(), "-c".into(), format!("echo begun; S=$O/secret; {text}")]
        }
        Program::Python(text) => {
            let text = format!("{PYTHON}\n{text}");
            vec!["/usr/bin/python3".into(), "-S".into(), "-c".into(), text]
        }
        Program::C(text) => vec![compiled(attempt.name, text, world).display().to_string()],
    };
    head.into_iter().chain(tail).collect()
}

fn compiled(name: &str, text: &str, world: &World) -> PathBuf {
    let (source, program) = (world.project().join("attempt.c"), world.project().join("attempt"));
    fs::write(&source, format!("{C}\n{text}")).unwrap();
    let compiler = Command::new("cc")
        .args(["-w", "-O1", "-pthread", "-o"])
        .args([&program, &source])
        .output()
        .unwrap();
    assert!(compiler.status.success(), "{name}: {}", String::from_utf8_lossy(&compiler.stderr));
    program
}
