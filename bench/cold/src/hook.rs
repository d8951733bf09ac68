//! `cargo xtask bench hook`: how long a cold `ringfence hook claude-code` takes, with a policy of 200
//! rules on top of every profile, beside a dynamically linked C program that reads its input and
//! prints one line.
//!
//! The event is an everyday command. That it is allowed is checked before anything is measured.

use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use bench_cold::programs::{Workshop, echo, ringfence};
use bench_cold::report::compare;
use bench_measure::Program;

/// How many rules the policy has beside those of the profiles.
const RULES: usize = 200;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let workshop = Workshop::open()?;
    let policy = write_policy(&workshop.scratch)?;
    let event = write_event(&workshop)?;
    let policy = policy.to_str().ok_or("the path of the policy is UTF-8")?;
    let arguments = ["hook", "claude-code", "--policy", policy];
    let own = ringfence(&workshop)?;
    must_allow(&own, &arguments, &event, &workshop.empty)?;
    let c = workshop.program("C, reads and prints", echo(&workshop)?, &[]);
    let own = workshop.program("ringfence hook", own, &arguments);
    compare(&[c, own].map(|program| Program { input: Some(event.clone()), ..program }))
}

/// Every profile, and rules of each class in equal parts.
fn write_policy(directory: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let mut text =
        "extends = [\"@workspace\", \"@git\", \"@rust\", \"@node\", \"@python\", \"@go\", \
                    \"@docker\"]\ndefault = \"ask\"\nallow = [\n"
            .to_owned();
    for number in 0..RULES {
        let pattern = match number % 5 {
            0 => format!("cmd:tool{number}:run:*"),
            1 => format!("fs:r:/srv/data{number}/**"),
            2 => format!("fs:w:@root/out{number}/**"),
            3 => format!("net:host{number}.example"),
            _ => format!("env:SETTING_{number}"),
        };
        writeln!(text, "  \"{pattern}\",")?;
    }
    text.push_str("]\n");
    let file = directory.join("policy.toml");
    fs::write(&file, text)?;
    Ok(file)
}

fn write_event(workshop: &Workshop) -> Result<PathBuf, Box<dyn Error>> {
    let file = workshop.scratch.join("event.json");
    let event = format!(
        r#"{{"session_id":"s","transcript_path":"/t","cwd":{:?},"permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{{"command":"git status && ls -la","description":"look"}},"tool_use_id":"toolu_1"}}"#,
        workshop.empty
    );
    fs::write(&file, event)?;
    Ok(file)
}

fn must_allow(
    program: &Path,
    arguments: &[&str],
    event: &Path,
    directory: &Path,
) -> Result<(), Box<dyn Error>> {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::from(fs::File::open(event)?))
        .output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    if output.status.success() && said.contains(r#""permissionDecision":"allow""#) {
        return Ok(());
    }
    Err(format!("the event is not allowed: {said}").into())
}
