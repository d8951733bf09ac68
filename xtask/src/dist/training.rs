//! What the program does for people, done with a build that counts how often each branch is taken;
//! the released program is laid out by that.
//!
//! Every door is gone through with everyday calls: verdicts on the case folders, checks, hooks, runs
//! and a gateway. The inputs of the benchmarks are not among them.

mod gateway;
pub(super) mod project;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{failing, tool};
use crate::step::works;
use crate::{Failure, Outcome};
pub(crate) use gateway::serve;
use project::Project;

/// What the program is built with so that it counts.
pub(super) const COUNTS: &str = "-C profile-generate";

/// The counts of a build, which is told by its content: counted once, they are kept beside it.
pub(super) fn counts(root: &Path, target: &Path, program: &Path) -> Result<PathBuf, Failure> {
    let merge = merge_tool()?;
    let folder = target.join("training");
    failing("make", &folder, fs::create_dir_all(&folder))?;
    let sum = tool(&folder, "sha256sum", &[text(program)?])?;
    let sum: String = sum.chars().take(16).collect();
    let merged = folder.join(format!("{sum}.profdata"));
    if merged.exists() {
        return Ok(merged);
    }
    println!("\n== training");
    let raw = folder.join(&sum);
    let project = Project::open(&folder.join(format!("{sum}-project")))?;
    let training = Training { program, raw: &raw, project: &project };
    training.all(root)?;
    tool(&folder, text(&merge)?, &["merge", "-o", text(&merged)?, text(&raw)?])?;
    failing("remove", &raw, fs::remove_dir_all(&raw))?;
    project.close()?;
    Ok(merged)
}

/// The compiler's own tool that adds counts up; installed where it is missing.
fn merge_tool() -> Result<PathBuf, Failure> {
    let libraries = tool(Path::new("."), "rustc", &["--print", "target-libdir"])?;
    let merge = Path::new(libraries.trim()).join("../bin/llvm-profdata");
    if merge.exists() || (works("rustup", &["component", "add", "llvm-tools"]) && merge.exists()) {
        return Ok(merge);
    }
    Err(Failure(
        "the compiler's tools for counting cannot be installed\n\
         hint: `rustup component add llvm-tools`"
            .to_owned(),
    ))
}

/// One round of everyday work.
struct Training<'a> {
    program: &'a Path,
    raw: &'a Path,
    project: &'a Project,
}

impl Training<'_> {
    fn all(&self, root: &Path) -> Outcome {
        self.judge(root)?;
        for _ in 0..8 {
            self.ask_once()?;
        }
        self.confine()?;
        gateway::drive(&mut self.command(&["mcp", "--policy", self.project.policy()]))
    }

    /// Verdicts in a process that lives on.
    fn judge(&self, root: &Path) -> Outcome {
        let cases = root.join("tests/cases");
        finish(self.command(&["test", text(&cases)?]), "")
    }

    /// Verdicts in processes that are started for one call.
    fn ask_once(&self) -> Outcome {
        let policy = self.project.policy();
        for line in project::LINES {
            finish(self.command(&["check", "--policy", policy, "--", line]), "")?;
            self.hook(&project::bash(line, self.project.folder()))?;
        }
        for (tool, input) in project::FILE_CALLS {
            self.hook(&project::event(tool, input, self.project.folder()))?;
        }
        for access in
            ["fs:r:src/main.rs", "fs:w:src/main.rs", "net:part1.example:443", "env:PART_1_A"]
        {
            finish(self.command(&["check", "--policy", policy, "--access", access]), "")?;
        }
        finish(self.command(&["explain", "--policy", policy, "--", "git status && ls -la"]), "")
    }

    fn hook(&self, event: &str) -> Outcome {
        let mut hook = self.command(&["hook", "claude-code", "--policy", self.project.policy()]);
        // As the agent starts it: without this there is no project, and every call is a question.
        hook.env("CLAUDE_PROJECT_DIR", self.project.folder());
        finish(hook, event)
    }

    /// Commands in the fence: short ones, and one that starts many others.
    fn confine(&self) -> Outcome {
        let starts = "i=0; while [ $i -lt 100 ]; do /bin/true; ls src; i=$((i+1)); done";
        for policy in self.project.policies() {
            for _ in 0..25 {
                finish(self.command(&["run", "--policy", policy, "--", "/bin/true"]), "")?;
            }
            for _ in 0..4 {
                finish(self.command(&["run", "--policy", policy, "--", "sh", "-c", starts]), "")?;
            }
        }
        Ok(())
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.program);
        // Processes add what they counted to one of a few files.
        command.env("LLVM_PROFILE_FILE", self.raw.join("%4m.profraw"));
        command.args(arguments).current_dir(self.project.folder());
        command
    }
}

/// Runs a command, which must end well: what is refused goes other ways than everyday work.
fn finish(mut command: Command, input: &str) -> Outcome {
    let asked = format!("{command:?}");
    let failed = |why: &dyn std::fmt::Display| Failure(format!("training: {asked}: {why}"));
    let output = Stdio::null;
    let child = command.stdin(Stdio::piped()).stdout(output()).stderr(Stdio::piped());
    let mut child = child.spawn().map_err(|error| failed(&error))?;
    if let Some(mut stdin) = child.stdin.take() {
        // Whoever does not read its input has ended well without it.
        let _ = std::io::Write::write_all(&mut stdin, input.as_bytes());
    }
    let output = child.wait_with_output().map_err(|error| failed(&error))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(failed(&String::from_utf8_lossy(&output.stderr))),
    }
}

fn text(path: &Path) -> Result<&str, Failure> {
    path.to_str().ok_or_else(|| Failure(format!("{} is not UTF-8", path.display())))
}
