//! The directories that the work is done in.

use std::cell::RefCell;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use bench_measure::run_tool;

use crate::contenders::POLICIES;
use crate::work::Work;

/// What is looked for; it stands in every hundredth file.
pub const NEEDLE: &str = "halcyon";

/// A line of a source file.
const LINE: &str = "static int counter_of_things(const struct thing *things, int many);\n";
/// So many lines make a file of a usual size.
const LINES: usize = 60;

/// Where the projects lie; it is removed in the end.
pub struct Workshop {
    /// The product as it is released.
    pub ringfence: PathBuf,
    /// A home directory without settings.
    pub home: PathBuf,
    /// Where output goes.
    pub output: PathBuf,
    scratch: PathBuf,
    /// The sessions that were begun.
    sessions: RefCell<Vec<String>>,
}

impl Workshop {
    /// New directories in the home directory, as projects lie there: bubblewrap is told to hide
    /// what is in `/tmp`.
    pub fn open(product: &Path) -> Result<Workshop, Box<dyn Error>> {
        let home = std::env::home_dir().ok_or("nobody's home is known")?;
        let scratch = home.join(format!("ringfence-bench-run-{}", std::process::id()));
        fs::create_dir_all(scratch.join("home"))?;
        let workshop = Workshop {
            ringfence: scratch.join("ringfence"),
            home: scratch.join("home"),
            output: scratch.join("output"),
            scratch,
            sessions: RefCell::default(),
        };
        fs::copy(product, &workshop.ringfence)?;
        for policy in POLICIES {
            fs::write(workshop.policy(policy.name), policy.text)?;
        }
        Ok(workshop)
    }

    /// The file of a policy.
    pub fn policy(&self, name: &str) -> PathBuf {
        self.scratch.join(format!("{name}.toml"))
    }

    /// The name of the session in a directory; it ends in the end.
    pub fn session(&self, directory: &Path) -> String {
        let place = directory.file_name().unwrap_or_default().to_string_lossy();
        let name = format!("bench-{}-{place}", std::process::id());
        let mut sessions = self.sessions.borrow_mut();
        if !sessions.contains(&name) {
            sessions.push(name.clone());
        }
        name
    }

    /// The directory for some work, made anew.
    pub fn project(&self, work: Work) -> Result<PathBuf, Box<dyn Error>> {
        let (name, files) = match work {
            Work::True => ("small", 20),
            Work::Git => ("status", 2_000),
            Work::Grep => ("search", 5_000),
            Work::Make => ("build", 20),
            Work::Open => ("opened", 2_000),
        };
        let project = self.scratch.join(name);
        write_sources(&project, files)?;
        fs::write(project.join("Makefile"), makefile())?;
        commit(&project, &self.home)?;
        // What is not in the repository: a change, and two files that rules deny.
        fs::write(project.join("src/0/0.c"), "int changed;\n")?;
        fs::write(project.join("src/0/tokens.secret"), "not for everyone\n")?;
        fs::create_dir_all(project.join("src/private"))?;
        fs::write(project.join("src/private/notes"), "not for everyone\n")?;
        Ok(project)
    }
}

impl Workshop {
    /// A project of so many small files, fifty in each directory, with one that rules deny.
    pub fn grown(&self, files: usize) -> Result<PathBuf, Box<dyn Error>> {
        let project = self.scratch.join(format!("grown-{files}"));
        for number in 0..files {
            let directory = project.join(format!("src/{}", number / 50));
            if number % 50 == 0 {
                fs::create_dir_all(&directory)?;
            }
            fs::write(directory.join(format!("{number}.c")), "int one;\n")?;
        }
        fs::write(project.join("src/0/tokens.secret"), "not for everyone\n")?;
        Ok(project)
    }

    /// Forgets what ringfence found at earlier starts.
    pub fn forget(&self) -> Result<(), Box<dyn Error>> {
        match fs::remove_dir_all(self.home.join(".cache/ringfence")) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        }
    }
}

impl Drop for Workshop {
    fn drop(&mut self) {
        for name in self.sessions.take() {
            // One that never began has nothing to end.
            let _ = Command::new(&self.ringfence).args(["session", "end", &name]).output();
        }
        if let Err(error) = fs::remove_dir_all(&self.scratch) {
            eprintln!("{}: {error}", self.scratch.display());
        }
    }
}

/// Sources, fifty in each directory.
fn write_sources(project: &Path, files: usize) -> Result<(), Box<dyn Error>> {
    let text = LINE.repeat(LINES);
    for number in 0..files {
        let directory = project.join(format!("src/{}", number / 50));
        if number % 50 == 0 {
            fs::create_dir_all(&directory)?;
        }
        let found = if number % 100 == 99 { NEEDLE } else { "none" };
        fs::write(directory.join(format!("{number}.c")), format!("// {found}\n{text}"))?;
    }
    Ok(())
}

/// Two hundred targets, each of which starts one process.
fn makefile() -> String {
    let targets: Vec<String> = (0..200).map(|number| format!("t{number}")).collect();
    let targets = targets.join(" ");
    format!("all: {targets}\n\n{targets}:\n\t@/bin/true $@\n\n.PHONY: all {targets}\n")
}

fn commit(project: &Path, home: &Path) -> Result<(), Box<dyn Error>> {
    fs::write(project.join(".gitignore"), "private\n*.secret\n")?;
    let who = ["-c", "user.name=bench", "-c", "user.email=bench@example.com"];
    for words in [&["init", "--quiet"][..], &["add", "."], &["commit", "--quiet", "-m", "first"]] {
        let mut git = Command::new("git");
        run_tool(git.args(who).args(words).current_dir(project).env("HOME", home))?;
    }
    Ok(())
}
