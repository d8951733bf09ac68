//! One line, predicted and run.

use ringfence_core::access::{Arg, Exec, Extent, FileAccess, FileOp};
use ringfence_core::{Access, AccessKind, Doubt, Effect, Effects};

use super::home::VARIABLES;
use super::predict::predict;
use super::root::{Called, Root, Seen};
use super::watch::Touched;

/// Variables that a shell keeps for itself.
const KEPT: [&str; 4] = ["_", "SHLVL", "PWD", "OLDPWD"];

/// What was compared.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Compared {
    pub(super) run: usize,
    pub(super) doubted: usize,
    pub(super) programs: usize,
    pub(super) files: usize,
    pub(super) cut: usize,
}

/// Runs a line that is not denied for a doubt; says what it did that was not predicted.
pub(super) fn compare(root: &Root, line: &str) -> (Compared, Option<String>) {
    let mut compared = Compared::default();
    if line.contains('\0') {
        return (compared, None);
    }
    let effects = predict(line);
    let is_denied = |doubt: &Doubt| doubt.effect == Effect::Deny;
    if effects.doubts.iter().any(is_denied) || effects.accesses.iter().any(loads_code) {
        compared.doubted = 1;
        return (compared, None);
    }
    compared.run = 1;
    for status in [0, 1] {
        let seen = root.run(line, status);
        compared.programs += seen.called.len();
        compared.files += seen.touched.len();
        compared.cut |= usize::from(seen.cut);
        let difference = difference(&effects, &seen);
        if difference.is_some() {
            return (compared, difference);
        }
    }
    (compared, None)
}

/// Whether a variable is set that loads code: rules of their own deny those.
fn loads_code(access: &Access) -> bool {
    let loads = |name: &str| matches!(name, "BASH_ENV" | "ENV" | "PROMPT_COMMAND");
    matches!(&access.what, AccessKind::SetEnv(name) if loads(name) || name.starts_with("LD_"))
}

fn difference(effects: &Effects, seen: &Seen) -> Option<String> {
    let execs: Vec<&Exec> = effects
        .accesses
        .iter()
        .filter_map(|access| match &access.what {
            AccessKind::Exec(exec) => Some(&**exec),
            _ => None,
        })
        .collect();
    for called in &seen.called {
        let same: Vec<_> = execs.iter().filter(|exec| is_call(exec, &called.argv)).collect();
        if same.is_empty() && starts_by_itself(&execs, &called.argv) {
            continue;
        }
        if same.is_empty() {
            let shown: Vec<_> = execs.iter().map(|exec| show(exec)).collect();
            return Some(format!("ran {:?}\n  predicted {}", called.argv, shown.join("; ")));
        }
        // The root stands for a directory that cannot be told, and a dot for one that is gone.
        let here = |exec: &Exec| {
            exec.cwd.is_root() || called.cwd == "." || exec.cwd.as_str() == called.cwd
        };
        if !same.iter().any(|exec| here(exec)) {
            let shown: Vec<_> = same.iter().map(|exec| exec.cwd.as_str()).collect();
            let (argv, cwd) = (&called.argv, &called.cwd);
            return Some(format!("ran {argv:?} in {cwd}\n  predicted in {}", shown.join(" ")));
        }
        if let Some(variable) = unpredicted_variable(effects, called) {
            return Some(format!("{:?} was given {variable}", called.argv));
        }
    }
    // A file that cannot be told is asked about.
    if effects.doubts.is_empty() {
        let missed = seen.touched.iter().find(|touched| !is_within(effects, &execs, touched))?;
        return Some(format!("touched {missed:?}"));
    }
    None
}

/// Whether a program runs this by itself: a text in a shell, of which what it runs is recorded by
/// itself, or `echo` where `xargs` is given no command.
fn starts_by_itself(execs: &[&Exec], argv: &[String]) -> bool {
    let is_there = |names: &[&str]| execs.iter().any(|own| names.contains(&&*own.program.invoked));
    match argv {
        [name, option, _] if name == "sh" && option == "-c" => {
            is_there(&["awk", "mawk", "sed", "flock", "split"])
        }
        [name, ..] if name == "echo" => is_there(&["xargs"]),
        _ => false,
    }
}

/// Whether two words are the same; the numbers of pipes that the shell makes do not matter.
fn is_same(predicted: &str, seen: &str) -> bool {
    let without = |text: &str| {
        let pieces = text.split("/dev/fd/");
        let rest = |piece: &str| piece.trim_start_matches(|c: char| c.is_ascii_digit()).to_owned();
        pieces.map(rest).collect::<Vec<_>>()
    };
    predicted == seen || predicted.contains("/dev/fd/") && without(predicted) == without(seen)
}

/// Whether a program that was predicted may be called like this.
fn is_call(exec: &Exec, argv: &[String]) -> bool {
    let base = |name: &str| name.rsplit('/').next().unwrap_or(name).to_owned();
    let Some((name, words)) = argv.split_first() else { return false };
    if base(&exec.program.invoked) != *name {
        return false;
    }
    let mut ends = vec![0];
    for arg in &exec.args {
        ends = match arg {
            Arg::Known(text) => {
                let next = |at: usize| is_same(text, words.get(at)?).then_some(at + 1);
                ends.into_iter().filter_map(next).collect()
            }
            Arg::Unknown(unknown) if unknown.many => {
                (ends.first().copied().unwrap_or(0)..=words.len()).collect()
            }
            Arg::Unknown(_) => {
                ends.into_iter().map(|at| at + 1).filter(|at| *at <= words.len()).collect()
            }
        };
        if ends.is_empty() {
            return false;
        }
    }
    ends.contains(&words.len())
}

fn unpredicted_variable(effects: &Effects, called: &Called) -> Option<String> {
    let is_set = |name: &str| {
        effects
            .accesses
            .iter()
            .any(|access| matches!(&access.what, AccessKind::SetEnv(set) if **set == *name))
    };
    // The bodies of functions that are handed on are part of the line, and judged with it.
    let hands_on = |access: &Access| match &access.what {
        AccessKind::Exec(exec) => {
            ["export", "declare", "typeset"].contains(&&*exec.program.invoked)
        }
        _ => false,
    };
    let has_functions = effects.accesses.iter().any(hands_on);
    let new = |entry: &&String| {
        let (name, value) = entry.split_once('=').unwrap_or((entry, ""));
        let is_function = has_functions && name.starts_with("BASH_FUNC_");
        let is_kept = KEPT.contains(&name) || name.starts_with("COMP_") || is_function;
        !is_kept && !VARIABLES.contains(&(name, value)) && !is_set(name)
    };
    called.env.iter().find(new).cloned()
}

fn is_within(effects: &Effects, execs: &[&Exec], touched: &Touched) -> bool {
    let temporary = touched.path.file_name();
    let made_by = |prefix: &str| temporary.starts_with(prefix) && temporary.len() < 10;
    // `-` is a stream to most programs; `sed -i` and `ln -f` make a file first and rename it, and
    // `tac` keeps what it reads from a pipe.
    if temporary == "-" || made_by("sed") || made_by("Cu") || made_by("tac") {
        return true;
    }
    let is_program = |exec: &&Exec| exec.program.file.as_ref() == Some(&touched.path);
    if touched.op == FileOp::Read && execs.iter().any(is_program) {
        return true;
    }
    effects.accesses.iter().any(|access| match &access.what {
        AccessKind::File(file) => match (file.op, touched.op) {
            // What replaces a file is writing it, as is making the directories above it.
            (FileOp::Write, FileOp::Delete) => reaches(file, touched),
            (FileOp::Write, FileOp::Write) => {
                reaches(file, touched) || file.path.real.starts_with(&touched.path)
            }
            (predicted, op) => predicted == op && reaches(file, touched),
        },
        _ => false,
    })
}

fn reaches(file: &FileAccess, touched: &Touched) -> bool {
    match file.extent {
        // A link is replaced by its own name.
        Extent::One => file.path.spellings().any(|path| *path == touched.path),
        _ => touched.path.starts_with(&file.path.real),
    }
}

pub(super) fn show(exec: &Exec) -> String {
    let mut text = exec.program.invoked.to_string();
    for arg in &exec.args {
        text += &match arg {
            Arg::Known(known) => format!(" {known:?}"),
            Arg::Unknown(unknown) if unknown.many => " …".to_owned(),
            Arg::Unknown(_) => " ?".to_owned(),
        };
    }
    text
}
