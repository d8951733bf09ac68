//! `cargo xtask test`: the whole gate, as CI runs it. It stops at the first step that fails.

use std::path::Path;

use crate::skips::{self, Skips};
use crate::step::{Step, cargo, install_package, target_dir, works};
use crate::tally::Tally;
use crate::{Failure, Outcome, agents, fuzz, oracle, tidy};

/// The packages that are not in the product's workspace.
const SIDE_PACKAGES: [&str; 9] = [
    "bench/cold/Cargo.toml",
    "bench/decide/Cargo.toml",
    "bench/egress/Cargo.toml",
    "bench/line/Cargo.toml",
    "bench/mcp/Cargo.toml",
    "bench/measure/Cargo.toml",
    "bench/run/Cargo.toml",
    fuzz::MANIFEST,
    oracle::PEERS,
];

/// Runs every step.
pub(crate) fn run(root: &Path) -> Outcome {
    prepare(root)?;
    format(root)?;
    lint(root)?;
    let mut tally = Tally::default();
    let target = target_dir(root);
    let record = Skips::begin(Path::new(&target))
        .map_err(|error| Failure(format!("the record of skipped tests: {error}")))?;
    let outcome = test(root, &record, &mut tally).and_then(|()| rest(root));
    let skipped = report(root, &record, tally);
    outcome.and(skipped)?;
    println!("\nthe gate is open: every step passed");
    Ok(())
}

/// The steps after the tests.
fn rest(root: &Path) -> Outcome {
    document(root)?;
    replay(root)?;
    println!("\n== tidy");
    tidy::run(root)
}

/// Lists the skipped tests and counts all of them; on CI fails where one should have run.
fn report(root: &Path, record: &Path, tally: Tally) -> Outcome {
    let record = std::fs::read_to_string(record)
        .map_err(|error| Failure(format!("the record of skipped tests: {error}")))?;
    let skips = Skips::read(&record);
    println!("\n{}{}", skips.report(), tally.line(skips.count()));
    let unexpected = skips.unexpected(root.join("../shared").is_dir());
    if std::env::var_os("CI").is_none_or(|value| value != "true") || unexpected.is_empty() {
        return Ok(());
    }
    Err(Failure(format!(
        "these tests were skipped, and CI should have what they need\n  {}\n\
         hint: xtask/src/skips.rs lists those that may be",
        unexpected.join("\n  ")
    )))
}

/// The programs that the steps use, each with the way to get it.
const TOOLS: [(&str, &[&str], &str); 5] = [
    ("git", &["--version"], "install git: tidy asks it which files belong to the tree"),
    ("c++", &["--version"], "install a C++ compiler: the fuzz targets link libFuzzer"),
    ("bash", &["--version"], "install bash: tests compare with it"),
    ("cc", &["--version"], "install gcc: attempts to get out of the fence are programs"),
    ("/usr/bin/python3", &["-c", "import ctypes"], "install python3: so are these"),
];

/// The parts of the toolchain that the steps use.
const COMPONENTS: [&str; 2] = ["fmt", "clippy"];

/// The Debian packages that tests need, each with a way to see whether it is there.
const PACKAGES: [(&str, &[&str], &str); 14] = [
    ("bwrap", &["--version"], "bubblewrap"),
    ("cc", &["--version"], "gcc"),
    ("make", &["--version"], "make"),
    ("/usr/bin/python3", &["--version"], "python3"),
    ("/usr/bin/python3", &["-c", "import venv, ensurepip"], "python3-venv"),
    ("/usr/bin/python3", &["-m", "pytest", "--version"], "python3-pytest"),
    ("npm", &["--version"], "npm"),
    ("vim", &["--version"], "vim"),
    ("script", &["--version"], "bsdutils"),
    ("zsh", &["--version"], "zsh"),
    ("jq", &["--version"], "jq"),
    ("tmux", &["-V"], "tmux"),
    // The largest of them: half a gigabyte, in half a minute.
    ("go", &["version"], "golang-go"),
    ("openssl", &["version"], "openssl"),
];

/// Checks that what the steps use is there, and installs what tests need beyond that.
fn prepare(root: &Path) -> Outcome {
    println!("\n== prepare");
    install();
    agents::install(Path::new(&target_dir(root)));
    for (program, arguments, remedy) in TOOLS {
        if !works(program, arguments) {
            return Err(Failure(format!("`{program}` does not run\nhint: {remedy}")));
        }
    }
    for component in COMPONENTS {
        if !works(cargo(), &[component, "--version"]) {
            return Err(Failure(format!(
                "`cargo {component}` does not run\n\
                 hint: rust-toolchain.toml names it: install it with the toolchain"
            )));
        }
    }
    Ok(())
}

/// Installs the packages that are missing, where that can be done.
///
/// Without them the gate still runs, and lists the tests that need them as skipped; on CI it fails.
fn install() {
    for (program, arguments, package) in PACKAGES {
        if works(program, arguments) {
            continue;
        }
        if !install_package(package) {
            println!(
                "`{program}` is not there and could not be installed: tests will be skipped\n\
                 hint: install {package}"
            );
        }
    }
}

fn format(root: &Path) -> Outcome {
    Step::cargo(root, "format", ["fmt", "--all", "--check"]).run()?;
    SIDE_PACKAGES.into_iter().try_for_each(|manifest| {
        let arguments = ["fmt", "--manifest-path", manifest, "--check"];
        Step::cargo(root, format!("format {manifest}"), arguments).run()
    })
}

fn lint(root: &Path) -> Outcome {
    let arguments = [
        "clippy",
        "--workspace",
        "--all-targets",
        "--all-features",
        "--locked",
        "--",
        "-D",
        "warnings",
    ];
    Step::cargo(root, "lint", arguments).run()?;
    let arguments =
        ["clippy", "--manifest-path", fuzz::MANIFEST, "--all-targets", "--locked", "--", "-D"];
    Step::cargo(root, "lint the fuzz targets", arguments.into_iter().chain(["warnings"]))
        .env("CARGO_TARGET_DIR", target_dir(root))
        .run()
}

/// The draws of the gate's property tests, unless the caller names others: a change fails for what it
/// changes. Run by themselves, the tests draw anew each time.
const DRAWS: (&str, &str) = ("PROPTEST_RNG_SEED", "20261118");

fn test(root: &Path, record: &Path, tally: &mut Tally) -> Outcome {
    let (name, own) = DRAWS;
    let draws = std::env::var_os(name).unwrap_or_else(|| own.into());
    if works(cargo(), &["nextest", "--version"]) {
        Step::cargo(
            root,
            "test",
            ["nextest", "run", "--workspace", "--all-features", "--locked", "--no-fail-fast"],
        )
        .env(name, draws)
        .env(skips::RECORD, record)
        .run_watched(|line| tally.add(line))?;
    } else {
        println!("cargo-nextest is not installed: cargo's own runner serves");
        let arguments = ["test", "--workspace", "--all-targets", "--all-features", "--locked"];
        Step::cargo(root, "test", arguments)
            .env(name, draws)
            .env(skips::RECORD, record)
            .run_watched(|line| tally.add(line))?;
    }
    // Neither of the two above runs the examples in the documentation.
    Step::cargo(
        root,
        "test the documentation",
        ["test", "--doc", "--workspace", "--all-features", "--locked"],
    )
    .run_watched(|line| tally.add(line))
}

fn document(root: &Path) -> Outcome {
    let arguments = ["doc", "--workspace", "--all-features", "--no-deps", "--locked"];
    Step::cargo(root, "document", arguments).env("RUSTDOCFLAGS", "-D warnings").run()
}

/// Builds the fuzz targets and feeds each its corpus, without the fuzzer.
fn replay(root: &Path) -> Outcome {
    let arguments = ["build", "--manifest-path", fuzz::MANIFEST, "--bins", "--locked"];
    Step::cargo(root, "build the fuzz targets", arguments)
        .env("CARGO_TARGET_DIR", target_dir(root))
        .run()?;
    let arguments =
        ["run", "--quiet", "--manifest-path", fuzz::MANIFEST, "--bin", "replay", "--locked"];
    Step::cargo(root, "replay the fuzz corpus", arguments)
        .env("CARGO_TARGET_DIR", target_dir(root))
        .run()
}
